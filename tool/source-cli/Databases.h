// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where compile_commands.json is.
#ifndef AUTOPROF_SOURCE_CLI_DATABASES_H
#define AUTOPROF_SOURCE_CLI_DATABASES_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace autoprof::sources {

constexpr llvm::StringLiteral DatabaseName = "compile_commands.json";

/// The nearest database in `Folder` (absolute), in a folder above it, or in
/// `build` below one of these; "" if there is none.
std::string findDatabase(llvm::StringRef Folder);

/// The folder beside `Path` that has a database and nearly the same name, or
/// "".
std::string nearestBuild(llvm::StringRef Path);

} // namespace autoprof::sources

#endif // AUTOPROF_SOURCE_CLI_DATABASES_H
