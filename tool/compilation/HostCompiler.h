// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compiler of the host side: which one a command uses, and whose C++
// library clang has to read.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <string>

namespace autoprof::sources {

/// The kind of a program, from a name such as
/// "/usr/bin/x86_64-linux-gnu-g++-12.2".
struct Program {
  enum { Nvcc, Clang, Gnu, Hip, Other } Kind = Other;
  bool IsCxx = false; ///< Treats .c files as C++.
};
Program programOf(llvm::StringRef Path);

/// The host compiler of nvcc: the program that -ccbin names, or the one in the
/// folder that it names; otherwise that of the variable NVCC_CCBIN, otherwise
/// gcc. Relative paths start at `Directory`.
std::string hostCompilerOf(llvm::StringRef CcBin, llvm::StringRef Directory);

/// The folder with the files of the gcc that `Compiler` is or uses
/// (".../lib/gcc/x86_64-linux-gnu/12"), from which clang finds its headers.
/// By its path and name: the program is not started, for a stranger may have
/// named it. "" if it is neither gcc nor clang, or is for another processor.
std::string gccFolderOf(const std::string &Compiler);

} // namespace autoprof::sources
