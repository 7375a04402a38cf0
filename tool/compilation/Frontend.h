// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Creates a compiler that is ready to read a unit.
#pragma once

#include "compilation/Unit.h"

#include "clang/Frontend/CompilerInstance.h"
#include "llvm/Support/Error.h"

#include <memory>

namespace autoprof::sources {

/// The process's folder must be the unit's. SourceTask::work describes what is
/// set up. An error has the reason from clang's driver.
llvm::Expected<std::unique_ptr<clang::CompilerInstance>>
makeCompiler(const Unit &U);

} // namespace autoprof::sources
