// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiles the sources in compiled/ with nvcc for one GPU, all at once and in
// the background, while cases that need none of them are measured. POSIX; one
// thread.
#ifndef AUTOPROF_CALIBRATE_COMPILER_H
#define AUTOPROF_CALIBRATE_COMPILER_H

#include "calibrate/Child.h"

#include "llvm/ADT/StringMap.h"

#include <set>

namespace autoprof::calibrate {

class Compiler {
public:
  Compiler() = default;
  /// Ends running compilations.
  ~Compiler();
  Compiler(const Compiler &) = delete;
  Compiler &operator=(const Compiler &) = delete;
  /// Makes `Folder`/NAME.so of each NAME, for a GPU of compute capability
  /// "9.0". `Sources`: the folder they are in.
  void start(const std::set<std::string> &Names, llvm::StringRef Sources,
             llvm::StringRef ComputeCapability, llvm::StringRef Folder);
  /// Why nothing can be compiled here, or "".
  const std::string &unavailable() const { return Unavailable; }
  /// Waits for NAME.so; "" or why there is none. Stops waiting when
  /// `*Interrupt` becomes true.
  std::string wait(llvm::StringRef Name,
                   const volatile std::sig_atomic_t *Interrupt);

private:
  std::string Unavailable, Sources, Architecture, Folder;
  llvm::StringMap<std::unique_ptr<Child>> Running;
};

} // namespace autoprof::calibrate

#endif // AUTOPROF_CALIBRATE_COMPILER_H
