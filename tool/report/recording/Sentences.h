// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sentences that all formats share.
#ifndef AUTOPROF_REPORT_RECORDING_SENTENCES_H
#define AUTOPROF_REPORT_RECORDING_SENTENCES_H

#include "analysis/decisions/Decisions.h"
#include "report/recording/Report.h"

namespace autoprof::report {

/// The program's command; where the trace does not name it, the trace's file.
std::string runName(const Input &Subject);

/// "in between: the GPU lacked work 6.2 % of the time ..."; with steps only.
std::string regimeText(const Input &Subject);

/// "The steps are GPU-bound: ..."; with steps only.
std::string regimeSentence(const Input &Subject);

/// ", launches blocked by a full queue 89.8 %": the part of the steps' CPU time
/// that is not waiting for certain work; "": below a hundredth.
std::string blockedShare(const analysis::Steady &S);

/// Mean of a sum over the steps that count, "-" if unknown.
std::string perStep(const Input &Subject, const std::optional<int64_t> &Sum);
/// Mean over the steps that count, or, without steps, the sum over the run.
std::string each(const Input &Subject, int64_t Ns);
/// "20", "0.852": how often something happens, mean over the steps that count,
/// which there must be.
std::string timesPerStep(const Input &Subject, uint64_t Count);

/// What the trace lacks and what was lost, one sentence each; empty when the
/// recording is whole.
std::vector<std::string> caveats(const Input &Subject);

/// How often a throttled range ran (runtime/probes/RangeThrottle.h); nullopt
/// where its recorded runs are not all in the timeline.
std::optional<uint64_t> allRuns(const Input &Subject,
                                const trace::ThrottledRange &R);

/// What to do instead of what prevents the capture of a CUDA graph.
llvm::StringRef replacement(analysis::Obstacle O, bool IsPyTorch);

/// What the analysis promises for a site, in words.
struct Promise : analysis::Promise {
  std::string Text; ///< See GainWords; "-".
};
Promise promise(const Input &Subject, const analysis::SiteRow &Row);

/// The answer, one sentence without a full stop: "Postponing cudaMemcpy at
/// train.cu:88 gains about 22 us per step (20 to 24 us), 15 %".
std::string headline(const Input &Subject);

/// "postponing it gains about 15 us per step (12 to 18 us), 4 %:
/// cudaMemcpyAsync ..."; "" for a site that did not wait.
std::string verdictLine(const Input &Subject, const analysis::SiteRow &Row);

/// What to do instead, or why the wait is not worth a change; "": nothing is
/// known.
std::string judgementText(const analysis::SiteRow &Row);

/// "postponing cudaMemcpy at train.cu:88".
std::string changeText(const Input &Subject, const analysis::SetMember &Member);

/// What a recording cannot tell about advice for a wait, one sentence.
llvm::StringRef adviceDoubt(const analysis::SiteRow &Row);

} // namespace autoprof::report

#endif // AUTOPROF_REPORT_RECORDING_SENTENCES_H
