// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The results of the analysis, as tracks next to those of the recording, for
// Perfetto.
#ifndef AUTOPROF_REPORT_RECORDING_ANNOTATE_H
#define AUTOPROF_REPORT_RECORDING_ANNOTATE_H

#include "report/recording/Report.h"

#include "llvm/Support/Error.h"

namespace autoprof::report {

/// Copies the trace (its unpacked bytes, up to its last whole packet) and adds
/// to it: waits by thread, gaps by device with their cause, and run-ahead as
/// counters by device, thread and stream.
llvm::Error annotate(const Input &Subject, llvm::StringRef Bytes,
                     llvm::raw_ostream &Out);

} // namespace autoprof::report

#endif // AUTOPROF_REPORT_RECORDING_ANNOTATE_H
