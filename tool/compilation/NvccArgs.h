// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An nvcc command in terms of gcc and clang. The options are rows of
// NvccArgs.def.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <set>
#include <string>
#include <vector>

namespace autoprof::sources {

struct NvccCommand {
  /// Options for the host side as gcc and clang spell them. They include
  /// options that nvcc would pass to its host compiler, and that clang may not
  /// know.
  std::vector<std::string> HostOptions;
  std::vector<std::string> IncludeFolders; ///< Values of -I, as written.
  std::vector<std::string> Inputs;         ///< As written.
  std::string Language;             ///< Value of -x: "c", "c++", "cu", or "".
  std::string Output;               ///< Value of -o, or "".
  std::string HostCompiler;         ///< Value of -ccbin, or "".
  std::set<unsigned> Architectures; ///< 900 for sm_90 and compute_90.
  bool DeviceOnly = false;          ///< Makes PTX or the like.
  bool CompilesNothing = false;     ///< Links, preprocesses, prints.
  bool WritesDependencies = false;  ///< Has -MD or -MMD.
  bool RunsProgram = false;         ///< Starts the result.

  /// Whether this input is read as CUDA, by -x or its extension.
  bool isCuda(llvm::StringRef Input) const;
  /// Whether it is compiled as C. nvcc leaves that to the host compiler.
  bool isC(llvm::StringRef Input) const;
};

/// Splits the text as a shell would, and removes quotes.
std::vector<std::string> splitWords(llvm::StringRef Text);

/// Reads the arguments of nvcc after its name. Files with options (@file,
/// --options-file) are relative to `Directory`; one that cannot be read is the
/// only error.
llvm::Expected<NvccCommand> readNvcc(llvm::ArrayRef<std::string> Args,
                                     llvm::StringRef Directory);

} // namespace autoprof::sources
