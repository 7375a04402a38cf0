// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes the model of a translation unit from clang's AST.
#pragma once

#include "audit/Model.h"
#include "source/ast/ErrorLog.h"

#include "clang/Frontend/CompilerInstance.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>

namespace autoprof::audit {

/// Parses the input of `CI` and returns its model. `Database` is that of
/// source::Project::findRoot(), which determines the project's root. Errors in
/// device functions are ignored. Functions with other errors are in the model
/// as unread, and `Lost` describes them; if no function is left, the first
/// error is returned.
/// `FilesRead` gets the absolute paths of all files that were read.
llvm::Expected<TranslationUnit>
extract(clang::CompilerInstance &CI, std::string Database, source::Loss &Lost,
        std::vector<std::string> *FilesRead = nullptr);

} // namespace autoprof::audit
