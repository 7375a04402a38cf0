// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lines of JSON that the worker writes and the supervisor reads: first one
// about the machine, then one for each case that it was asked for. What comes
// from a worker is not trusted: a library may have written into its memory.
#ifndef AUTOPROF_CALIBRATE_LINE_H
#define AUTOPROF_CALIBRATE_LINE_H

#include "catalogue/Semantics.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace autoprof::calibrate {

/// About the machine.
struct Hello {
  std::string Error; ///< A sentence; nothing else is set.
  catalogue::Semantics Machine;
};
std::string write(const Hello &H);
llvm::Expected<Hello> readHello(llvm::StringRef Line);

/// About one case.
struct Reply {
  std::string Skipped;    ///< Why the library of the case cannot be used.
  bool LastWords = false; ///< The worker ends after it.
  /// Without call and arguments, which the supervisor knows.
  catalogue::Observation O;
};
std::string write(const Reply &R);
llvm::Expected<Reply> readReply(llvm::StringRef Line);

} // namespace autoprof::calibrate

#endif // AUTOPROF_CALIBRATE_LINE_H
