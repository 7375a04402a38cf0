// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Texts about two recordings, or groups of them, for all formats.
#pragma once

#include "analysis/comparison/Facts.h"
#include "report/document/Document.h"
#include "report/recording/Report.h"

namespace autoprof::report {

/// Whether the steps became faster or slower, one sentence.
std::string diffEffect(const analysis::Difference &D);
/// Which wait changed most, and the CPU's lead, one sentence.
std::string diffCause(const analysis::Difference &D);
/// What happened to the waits, without a period: "a.cu:5 cudaMemcpy no longer
/// waits (9 us per step before), and a.cu:9 cudaEventSynchronize now waits 8 us
/// per step".
std::string waitSentence(const analysis::Difference &D);
/// The GPU's span, ns, median over the runs of a side.
int64_t span(const std::vector<analysis::RunSummary> &Side);
/// Why step times are not compared, one sentence. There is a mismatch.
std::string mismatchSentence(const analysis::Difference &D);
/// The limits of the comparison, one sentence each; the warnings first.
std::vector<std::string> diffNotes(const analysis::Difference &D);
/// "base: ...": what the recordings lack.
std::vector<std::string> diffCaveats(const analysis::Difference &D);

std::string factText(const analysis::Difference &D, const analysis::Fact &F);

/// Sites that waited on either side, then the others.
Section waitChangeSection(const analysis::Difference &D);
/// Kernels and ranges: first those whose time changed most.
Section partChangeSection(const analysis::Difference &D);
/// The steps of both sides, or the whole runs when a side has none; of several
/// runs the medians.
Section sidesSection(const analysis::Difference &D);

/// "base: a.pftrace", and "new: ..."; "3 runs: a1, a2, a3" of several.
std::string diffTitle(const std::vector<analysis::RunSummary> &Side);

/// The name of a site as the new program has it: "train.cu:88 cudaMemcpy".
std::string siteName(const analysis::SiteChange &C);

/// Empty: the recordings differ in nothing, and there is no comparison by runs.
Section proofSection(const analysis::Difference &D);

// Why the GPU was idle, before and after.

/// ns, of one side: per step, or of the run; and its share, in millionths.
struct Idle {
  int64_t Time = 0, Share = 0;
};

struct CauseChange {
  analysis::Cause Kind;
  Idle Base, New;
};

/// Whether all runs have steps that count, or GPU work.
bool ofSteps(const analysis::Difference &D);
bool haveGpuWork(const analysis::Difference &D);

/// By the larger side, descending.
std::vector<CauseChange> causeChanges(const analysis::Difference &D);

/// Idle time by cause, of the steps where both sides have any, else of the
/// whole runs; of several runs the medians. Empty without GPU work.
Section causeChangeSection(const analysis::Difference &D);

} // namespace autoprof::report
