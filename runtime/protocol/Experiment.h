// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `autoprof try` and the library that it loads into the program
// (runtime/experiment/) tell each other: environment variables, and a file that
// the program's process maps, so that even a process that is killed leaves its
// numbers behind.
#pragma once

#include <cstdint>

namespace autoprof::runtime {

/// What is changed, a line each:
///   LATE site ID           the probes of the site with this id (hexadecimal)
///   LATE frame FRAME...    code that one of these frames leads to, which have
///                          tabs between them: FILE:LINE of Python, or an
///                          address within the call, /path/module+0x1f3c
///   LATE pool              the release threshold of the default memory pools
/// Copies to the host return the value of LATE copies before; 0: they are not
/// made (see Changes.h). Synchronizations are left out; NarrowedWait: those for
/// a device wait for the stream on which their thread launched last.
constexpr const char *ExperimentVariable = "AUTOPROF_EXPERIMENT";
/// "FROM:TO,FROM:TO+,...": parts of the run that are timed, in launches of
/// kernels and graphs, counted from 0; in order, without overlaps. Those with a
/// plus are changed, and so is what is before them from the end of the part
/// before on. Not set: all of the run is changed.
constexpr const char *ExperimentPartsVariable = "AUTOPROF_EXPERIMENT_PARTS";
/// The file, to which each process that uses the GPU appends a dot and its
/// number.
constexpr const char *ExperimentOutputVariable = "AUTOPROF_EXPERIMENT_OUTPUT";

constexpr unsigned NarrowedWait = 9999;
constexpr unsigned MostPlaces = 32, MostParts = 32;

/// The file's content, written by any thread of the program.
struct ExperimentReport {
  static constexpr uint64_t Valid = 0x3130'7972'7470'61; // "aptry01"
  uint64_t Kind;                                         ///< Valid.
  uint64_t Launches;        ///< Of kernels and graphs.
  uint64_t Changed;         ///< Calls.
  int64_t Parts[MostParts]; ///< ns; 0: the end was not reached.
};

} // namespace autoprof::runtime
