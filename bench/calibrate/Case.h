// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is measured. A case is one call with one kind of arguments, and a body
// that prepares it, has it timed, and tidies up:
//
//   C.add("cudaFree", "1 MiB", destination(Device), [](Bench &B) {
//     void *P = nullptr;
//     CALL(cudaMalloc)(&P, MiB);
//     B.time([&] { CALL(cudaFree)(P); });
//   });
//
// The body runs once for each sample; only what is inside time() is timed. The
// call acts on B.OwnStream where it takes a stream. To add a case, add it to
// the file of its library in cases/; for a new library add a file, a row in
// Library.cpp and a line in Case.cpp.
#ifndef AUTOPROF_CALIBRATE_CASE_H
#define AUTOPROF_CALIBRATE_CASE_H

#include "catalogue/Facts.h"

#include "llvm/ADT/StringRef.h"

#include <functional>
#include <string>
#include <vector>

namespace autoprof::calibrate {

class Bench;

constexpr size_t KiB = 1024, MiB = 1024 * KiB;

struct Case {
  std::string Call;      ///< As rows of the catalogue are named.
  std::string Arguments; ///< The arguments in words.
  catalogue::Facts Known;
  std::function<void(Bench &)> Body;
  unsigned Gpus = 1; ///< How many it needs.
  /// A fact that the catalogue does not have, and its value; "": none. With
  /// one, the measurement answers no question about other calls.
  std::pair<std::string, std::string> Foreign;
  /// The source in compiled/ that it needs, without .cu, and its function
  /// there; "": none.
  std::string Compiled, Function;
  /// The process has to be started again after it, because it destroys what
  /// others share.
  bool Destroys = false;
  /// Its signature is that of one major version of CUDA; 0: of all.
  unsigned CudaMajor = 0;

  /// As in Libraries.def.
  llvm::StringRef library() const;
};

class Cases {
public:
  std::vector<Case> All;
  /// Libraries whose headers were missing when autoprof was built.
  std::vector<std::string> NotBuilt;

  /// The case, for its rarer properties.
  Case &add(std::string Call, std::string Arguments, catalogue::Facts Known,
            std::function<void(Bench &)> Body);
};

/// All cases in the order in which they are measured: those that destroy
/// something at the end.
const Cases &allCases();

/// "64 KiB + 1", "1 MiB".
std::string sizeText(size_t Bytes);

} // namespace autoprof::calibrate

#endif // AUTOPROF_CALIBRATE_CASE_H
