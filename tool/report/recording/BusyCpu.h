// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the CPU was in the gaps that it caused: the source lines of the calls
// before and after the time that it spent elsewhere.
#ifndef AUTOPROF_REPORT_RECORDING_BUSYCPU_H
#define AUTOPROF_REPORT_RECORDING_BUSYCPU_H

#include "report/TextTable.h"
#include "report/recording/Report.h"

namespace autoprof::report {

llvm::StringRef busyCpuHeading();

struct BusyCpuTable {
  TextTable Table;
  size_t Hidden = 0; ///< Rows that were left out.
  /// What of the idle time is in no row, in a sentence; "": hardly any.
  std::string Rest;
};

/// By idle time of the GPU in the steps (or the run), the largest first.
/// Without `All` a few, and none where the CPU leaves the GPU idle for less
/// than a twentieth of the time. `Narrow`: the call after is in a note, not in
/// a column of its own.
BusyCpuTable busyCpuTable(const Input &Subject, bool All, bool Narrow);

/// Those with idle time, the largest first.
std::vector<const analysis::BusyRow *>
byIdle(const analysis::Result &R, analysis::BusySums analysis::BusyRow::*Sums);

/// "forward", "loop": of what is around a call.
std::string rangeNameOf(const trace::Site &S);

/// "loops.py:75 cudaStreamSynchronize", "step: launch of gemm_128".
std::string placeText(const trace::Timeline &T, const analysis::Result &R,
                      const analysis::CallPlace &P);

/// "loops.py:75 cudaStreamSynchronize to loops.py:74 cudaMemcpyAsync", or "in
/// train.cu:12 cudaMalloc".
std::string busyText(const trace::Timeline &T, const analysis::Result &R,
                     const analysis::BusyRow &Row);

/// The row with most of the idle time in the steps of a CPU-bound run, if it
/// has a quarter of it or more; null: there is none.
const analysis::BusyRow *mainBusyRow(const Input &Subject);

} // namespace autoprof::report

#endif // AUTOPROF_REPORT_RECORDING_BUSYCPU_H
