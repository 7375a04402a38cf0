// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An nvcc command in terms of gcc and clang. The options are rows of
// NvccArgs.def.
#ifndef AUTOPROF_COMPILATION_NVCCARGS_H
#define AUTOPROF_COMPILATION_NVCCARGS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <set>
#include <string>
#include <vector>

namespace autoprof::sources {

struct NvccCommand {
  /// Options for the host side as gcc and clang spell them. They include what
  /// nvcc would pass to its host compiler, which may be unknown to clang.
  std::vector<std::string> HostOptions;
  std::vector<std::string> IncludeFolders; ///< Of -I, as written.
  std::vector<std::string> Inputs;         ///< As written.
  std::string Language;                    ///< Of -x: "c", "c++", "cu", or "".
  std::string Output;                      ///< Of -o, or "".
  std::string HostCompiler;                ///< Of -ccbin, or "".
  std::set<unsigned> Architectures;        ///< 900 for sm_90 and compute_90.
  bool DeviceOnly = false;                 ///< Makes PTX or the like.
  bool CompilesNothing = false;            ///< Links, preprocesses, prints.
  bool WritesDependencies = false;         ///< Of -MD or -MMD.

  /// Is this input read as CUDA? By -x, else by its extension.
  bool isCuda(llvm::StringRef Input) const;
  /// Is it compiled as C? nvcc leaves that to the host compiler.
  bool isC(llvm::StringRef Input) const;
};

/// As a shell would split it, without quotes.
std::vector<std::string> splitWords(llvm::StringRef Text);

/// Reads the arguments of nvcc after its name. Files with options (@file,
/// --options-file) are relative to `Directory`; one that cannot be read is the
/// only error.
llvm::Expected<NvccCommand> readNvcc(llvm::ArrayRef<std::string> Args,
                                     llvm::StringRef Directory);

} // namespace autoprof::sources

#endif // AUTOPROF_COMPILATION_NVCCARGS_H
