// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compiler of the host side: which one a command uses, and whose C++
// library clang has to read instead.
#ifndef AUTOPROF_COMPILATION_HOSTCOMPILER_H
#define AUTOPROF_COMPILATION_HOSTCOMPILER_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace autoprof::sources {

/// "/usr/bin/x86_64-linux-gnu-g++-12.2": what kind of program that is.
struct Program {
  enum { Nvcc, Clang, Gnu, Hip, Other } Kind = Other;
  bool IsCxx = false; ///< Takes .c files for C++.
};
Program programOf(llvm::StringRef Path);

/// The program that nvcc starts: what -ccbin names, a program or the folder of
/// one, else the variable NVCC_CCBIN, else gcc. Relative paths begin at
/// `Directory`.
std::string hostCompilerOf(llvm::StringRef CcBin, llvm::StringRef Directory);

/// The folder with the files of the gcc that `Compiler` is or uses
/// (".../lib/gcc/x86_64-linux-gnu/12"), from which clang finds its headers.
/// Asks the program, once for each. "" if it is neither gcc nor clang, or is
/// for another processor.
std::string gccFolderOf(const std::string &Compiler);

} // namespace autoprof::sources

#endif // AUTOPROF_COMPILATION_HOSTCOMPILER_H
