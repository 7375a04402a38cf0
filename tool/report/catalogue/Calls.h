// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The catalogue for readers: one call, or all of them. `General` is the
// general row of a call; `Calibration` what was measured on the user's machine,
// or null.
#pragma once

#include "catalogue/Measured.h"
#include "catalogue/TorchNames.h"
#include "report/recording/Report.h"

namespace autoprof::report {

/// A call, under the name that was asked for.
struct CallInput {
  std::string Asked;
  const catalogue::Row &General;
  const catalogue::Semantics *Calibration = nullptr;
  /// If it was asked for by PyTorch's name, else null.
  const catalogue::TorchName *InPython = nullptr;
};

/// All calls, with what was measured on the user's machine, or null.
struct CatalogueInput {
  const catalogue::Semantics *Calibration = nullptr;
};

/// The user's calibration, if there is one, and those that ship.
std::vector<const catalogue::Semantics *>
calibrations(const catalogue::Semantics *Calibration);

/// "waits for the whole device", "does not wait", ...
std::string outcome(catalogue::Waits W, catalogue::WaitsFor Target);
/// "It may wait for its stream (unless both sides are device memory)."
std::string summary(const catalogue::Row &General);
/// What else to know about the call, a paragraph each: what its stream is, and
/// that a launch may find the queue full.
std::vector<std::string> callNotes(const CallInput &Call);
/// "Instead: ...", "In PyTorch: ...": the advice; "" without one.
std::string insteadText(const CallInput &Call);
/// "direction (kind), source (src), the handle's pointer mode".
std::string whatDecides(const catalogue::Row &General);
/// The arguments in words, or the call's name where it was measured with one
/// kind.
llvm::StringRef arguments(const catalogue::Observation &O);
/// "cudaMemcpy, H2D pageable 4B"
std::string callAndArguments(const catalogue::Observation &O);
/// "4 of 4 waited", "0 of 1 waited"; "" when nothing was measured.
std::string waitedOf(llvm::ArrayRef<catalogue::Seen> Observations);
/// The work that is waited for: "its stream", "the device", ...
llvm::StringRef phrase(catalogue::WaitsFor W);
/// Host time as people read it, to three digits: "20.0 ms", "424 us"; below
/// that not finer than 0.1 us: "1.4 us"; "30 ns"; "-" if unknown.
std::string hostTime(std::optional<int64_t> Ns);
/// Where documentation and measurement of the call differ.
std::vector<catalogue::Disagreement> disagreementsOf(llvm::StringRef Name);
/// The differences between the user's calibration and the catalogue for the
/// call.
std::vector<catalogue::Difference> differencesOf(const CallInput &Call);
/// "measured: does not wait; built in: waits for its stream (SOURCE)"
std::string contrast(const catalogue::Difference &D);

} // namespace autoprof::report
