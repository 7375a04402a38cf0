// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where compile_commands.json is.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace autoprof::support {

constexpr llvm::StringLiteral DatabaseName = "compile_commands.json";

/// The nearest database in `Folder` (absolute), in a folder above it, or in
/// `build` below one of these; "" if there is none.
std::string findDatabase(llvm::StringRef Folder);

/// The database that `Path` names: the file, or its folder. An error is one
/// sentence with the remedy.
llvm::Expected<std::string> databaseAt(llvm::StringRef Path);

} // namespace autoprof::support
