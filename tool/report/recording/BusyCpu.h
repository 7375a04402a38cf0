// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the CPU was in the gaps that it caused: the source lines of the calls
// before and after the time that it spent elsewhere.
#ifndef AUTOPROF_REPORT_RECORDING_BUSYCPU_H
#define AUTOPROF_REPORT_RECORDING_BUSYCPU_H

#include "report/recording/Report.h"

namespace autoprof::report {

/// Those with idle time, the largest first.
std::vector<const analysis::BusyRow *>
byIdle(const analysis::Result &R, analysis::BusySums analysis::BusyRow::*Sums);

/// "forward", "loop": of what is around a call.
std::string rangeNameOf(const trace::Site &S);

/// What names of launches begin with; users paste them.
inline constexpr llvm::StringLiteral LaunchOf = "launch of ";

/// "loops.py:75 cudaStreamSynchronize to loops.py:74 cudaMemcpyAsync", or "in
/// train.cu:12 cudaMalloc", with names of kernels cut.
std::string busySentence(const trace::Timeline &T, const analysis::Result &R,
                         const analysis::BusyRow &Row);

/// The row with most of the idle time in the steps of a CPU-bound run, if it
/// has a quarter of it or more; null: there is none.
const analysis::BusyRow *mainBusyRow(const Input &Subject);

/// The lines that the CPU was in while the GPU lacked work; empty: not known.
analysis::Outline mainLines(const Input &Subject);
/// Of a line on a stack: "train.py:12 loss.backward()".
std::string lineText(const trace::Site &S);
/// Of mainLines(), from the outside to the inside, each time the one with most
/// of that time: the last that has a quarter of all or more; null: none.
const analysis::HostLine *mainLine(const Input &Subject);

} // namespace autoprof::report

#endif // AUTOPROF_REPORT_RECORDING_BUSYCPU_H
