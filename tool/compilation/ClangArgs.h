// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Command lines for clang's driver that read the host side of one file and
// write nothing. Options that clang 22 does not know are dropped and named.
#pragma once

#include "compilation/NvccArgs.h"

namespace autoprof::sources {

/// A program with clang's or gcc's options.
struct HostProgram {
  bool IsCxx = false; ///< It treats all its inputs as C++, as g++ does.
  bool IsGnu = false; ///< It accepts a -std of another language with a warning.
  std::string GccFolder; ///< gccFolderOf() the program; "": clang chooses.
};

/// The arguments for one input of a command of such a program.
std::vector<std::string> argsForClang(const HostProgram &Program,
                                      llvm::ArrayRef<std::string> Args,
                                      llvm::StringRef File,
                                      std::vector<std::string> &Dropped);

/// The order in which the folders of -I are searched.
enum class IncludeOrder {
  AsGiven,
  MisleadingLast ///< Folders that mayMisleadClang() come last for <...>.
};

/// The arguments for one input of an nvcc command in `Directory`, with the
/// headers in `Toolkit` and the prelude.
std::vector<std::string>
argsForNvcc(const NvccCommand &Command, llvm::StringRef File,
            llvm::StringRef Directory, llvm::StringRef Toolkit,
            IncludeOrder Order, std::vector<std::string> &Dropped);

/// The inputs of such a command that are sources, as written.
std::vector<std::string> sourcesAmong(llvm::ArrayRef<std::string> Args);

/// Whether it is a file of a language that clang reads as C, C++, CUDA or HIP.
bool isSource(llvm::StringRef File);

} // namespace autoprof::sources
