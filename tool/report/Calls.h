// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The catalogue for readers: one call, or all of them. `General` is the
// general row of a call.
#ifndef AUTOPROF_REPORT_CALLS_H
#define AUTOPROF_REPORT_CALLS_H

#include "catalogue/Catalogue.h"
#include "report/Report.h"

namespace autoprof::report {

/// A call, under the name that was asked for.
struct CallInput {
  std::string Asked;
  const catalogue::Row &General;
};

void writeCallTerminal(llvm::raw_ostream &Out, const CallInput &Call,
                       const TextStyle &Style);
void writeCallMarkdown(llvm::raw_ostream &Out, const CallInput &Call);
/// Schema autoprof-call/1 (docs/json.md).
void writeCallJson(llvm::raw_ostream &Out, const CallInput &Call);

/// One line a call.
void writeCatalogueTerminal(llvm::raw_ostream &Out, const TextStyle &Style);
/// docs/catalogue.md.
void writeCatalogueMarkdown(llvm::raw_ostream &Out);
/// Schema autoprof-call/1, with the rows of all calls.
void writeCatalogueJson(llvm::raw_ostream &Out);

/// "waits for all work of the device", "does not wait", ...
std::string outcome(const catalogue::Row &R);
/// "It may wait for its stream (not when both sides are device memory)."
std::string summary(const catalogue::Row &General);
/// "direction (kind), source (src), the handle's pointer mode".
std::string whatDecides(const catalogue::Row &General);
/// What was measured, without the call's name.
llvm::StringRef arguments(const catalogue::Measurement &M);
/// The work that a wait is for: "its stream", "the device", ...
llvm::StringRef phrase(catalogue::WaitsFor W);
/// "NVIDIA H200, driver 580.159.04, CUDA 13.0".
std::string machine();
/// Host time as people read it: "20.0 ms", "1.4 us", "0.1 us".
std::string hostTime(double Microseconds);
/// A sentence each: where documentation and measurement of the call differ.
std::vector<std::string> differences(llvm::StringRef Name);

} // namespace autoprof::report

#endif // AUTOPROF_REPORT_CALLS_H
