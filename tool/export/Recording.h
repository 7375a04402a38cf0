// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The writers of other tools' formats, and their input.
#pragma once

#include "analysis/Analysis.h"
#include "analysis/waits/Attribution.h"

#include "llvm/Support/raw_ostream.h"

#include <functional>

namespace autoprof::exports {

/// Called every few thousand rows, with the number of written rows and of all
/// rows.
using Tick = std::function<void(size_t Done, size_t Total)>;

/// One analyzed process.
struct Recording {
  std::string Path; ///< Of the trace, as the user gave it.
  const trace::Timeline &T;
  const analysis::Result &R;
  analysis::Attribution A; ///< Of T.
};

/// The place of a call: its site, else where its recorded stack begins; null.
inline const trace::Site *placeOf(const Recording &Subject, uint32_t Call) {
  uint32_t Site = Subject.A.Site[Call];
  return Site == trace::None ? nullptr : &Subject.T.Sites[Site];
}

/// "0x00c0ffee12345678", as everywhere; "" without an id.
std::string siteId(const trace::Site *S);

/// The JSON that PyTorch's profiler (Kineto) writes: it opens in
/// chrome://tracing, Perfetto, TensorBoard and HolisticTraceAnalysis.
///
/// Data for which the format has no place is added where other readers ignore
/// it (docs/convert.md):
///  - metadata events named "autoprof", with the documents of
///    docs/trace-format.md, so that autoprof reads back what it wrote;
///  - on ranges and probes, the argument "autoprof site";
///  - what the analysis found, as events of the categories autoprof_wait,
///    autoprof_stall, autoprof_idle, autoprof_ahead and autoprof_step.
///    autoprof's own reader skips these events and computes them again.
void writeKineto(llvm::raw_ostream &Out, const Recording &Subject,
                 const Tick &Progress);

/// A recording and what the analysis found in it, as tables in CSV files, in
/// folders as Hive, Spark and DuckDB expect them:
///
///   DIR/table=waits/rank=0/part-0.csv
///
/// where the names of the folders are columns, too. `Directory` is created;
/// `Part` distinguishes the files of one rank. An error names the file.
llvm::Error writeTables(llvm::StringRef Directory, const Recording &Subject,
                        unsigned Part, const Tick &Progress);

} // namespace autoprof::exports
