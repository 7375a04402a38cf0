// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A compiler that is ready to read a unit.
#ifndef AUTOPROF_COMPILATION_FRONTEND_H
#define AUTOPROF_COMPILATION_FRONTEND_H

#include "compilation/Unit.h"

#include "clang/Frontend/CompilerInstance.h"
#include "llvm/Support/Error.h"

#include <memory>

namespace autoprof::sources {

/// The process's folder must be the unit's. See SourceTask::work for what is
/// set up. An error says what clang's driver did not like.
llvm::Expected<std::unique_ptr<clang::CompilerInstance>>
makeCompiler(const Unit &U);

} // namespace autoprof::sources

#endif // AUTOPROF_COMPILATION_FRONTEND_H
