// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The JSON that PyTorch's profiler (Kineto) writes: it opens in
// chrome://tracing, Perfetto, TensorBoard and HolisticTraceAnalysis.
//
// Data for which the format has no place is added where other readers ignore it
// (docs/convert.md):
//  - metadata events named "autoprof", with the documents of
//    docs/trace-format.md, so that autoprof reads back what it wrote;
//  - on ranges and probes, the argument "autoprof site";
//  - what the analysis found, as events of the categories autoprof_wait,
//    autoprof_stall, autoprof_idle, autoprof_ahead and autoprof_step.
//    autoprof's own reader skips these events and computes them again.
#ifndef AUTOPROF_EXPORT_KINETOWRITER_H
#define AUTOPROF_EXPORT_KINETOWRITER_H

#include "export/Recording.h"

#include "llvm/Support/raw_ostream.h"

namespace autoprof::exports {

void writeKineto(llvm::raw_ostream &Out, const Recording &Subject,
                 const Tick &Progress);

} // namespace autoprof::exports

#endif // AUTOPROF_EXPORT_KINETOWRITER_H
