// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From clang's AST to the model of a translation unit.
#ifndef AUTOPROF_AUDIT_EXTRACT_EXTRACT_H
#define AUTOPROF_AUDIT_EXTRACT_EXTRACT_H

#include "audit/Model.h"
#include "audit/extract/Conditionals.h"
#include "source/ast/ErrorLog.h"

#include "clang/Frontend/CompilerInstance.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>

namespace autoprof::audit {

/// Where in the compilation a place of its model is.
using Locator = std::function<clang::SourceLocation(const Place &)>;

/// A consumer for a compilation that goes on as it would without it, or for
/// one that only parses. `Done` gets the model at the end of the translation
/// unit, when that has no errors. `Root`: an absolute folder that the
/// project is; "": the nearest one with .autoprof or .git. All functions of
/// files that are not system headers are in the model.
std::unique_ptr<clang::ASTConsumer>
makeExtractor(clang::CompilerInstance &CI, std::string Root,
              std::function<void(TranslationUnit, const Locator &)> Done);

/// Parses what `CI` is set up for and returns its model. Errors in device
/// functions are passed over. Functions with other errors are in the model as
/// unread, and `Lost` tells about them; when no function is left, or with
/// `IsStrict` when there is any such error, the first one is returned.
/// `FilesRead` gets the absolute paths of all files that were read.
llvm::Expected<TranslationUnit>
extract(clang::CompilerInstance &CI, std::string Root, bool IsStrict,
        source::Loss &Lost, std::vector<std::string> *FilesRead = nullptr);

} // namespace autoprof::audit

#endif // AUTOPROF_AUDIT_EXTRACT_EXTRACT_H
