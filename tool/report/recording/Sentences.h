// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sentences that all formats share.
#pragma once

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

/// "about 0.80 ms per step (0.30 to 1.30 ms), 2.4 %"
/// "about 4.78 us per step (0 to 9.74 us, perhaps nothing), 2.8 %"
/// "nothing measurable (about 1.10 us per step, at most 20.0 us)"
/// "about 15 us per step in the recorded run (12 to 18 us), 4 % of the
/// recorded step"
/// "at most 18 us per step in the recorded run, 4.8 % of the recorded step
/// (not replayed: ...)"
/// "nothing" where the recorded run gains nothing. `NotReplayed`: why only the
/// upper end is known, or "".
std::string gainText(const analysis::ExpectedGain &Gain,
                     llvm::StringRef NotReplayed = "",
                     bool IsLaunchBound = false);

/// What the analysis promises for a site, in words.
struct Promise : analysis::Promise {
  std::string Text; ///< See gainText; "-".
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

/// How to make a change, and when to wait instead, where no row of the table of
/// waits says it; "": one does.
std::string changeAdvice(const Input &Subject,
                         const analysis::SetMember &Member);

/// "postponing cudaMemcpy at train.cu:88".
std::string changeText(const Input &Subject, const analysis::SetMember &Member);

/// What a recording cannot tell about advice for a wait, one sentence.
llvm::StringRef adviceDoubt(const analysis::SiteRow &Row);

// Transfers.

/// "cudaMemcpy at train.cu:88", as its user calls it; if several have that
/// name, such as those of the layers of a model, with the operator around it:
/// "Tensor.to in Encoder (layer.3)".
std::string transferName(const Input &Subject,
                         const analysis::TransferRow &Row);

// Phases.

/// Of a phase whose waits leave the GPU idle, where those of the steps are not
/// worth a change: one sentence; "": there is none.
std::string elsewhereSentence(const Input &Subject);

/// What the other phases hold, a line each: "loop at main.cu:576 in main: 1,000
/// steps of 262 us, 5.0 % of the time, waits 239 us per step:
/// --step=loop:main.cu:576". Phases with less than a hundredth of the time are
/// left out.
std::vector<std::string> otherPhases(const Input &Subject);

/// ", 92.6 % of the time": of the steps, if there are other phases; else "".
std::string phaseShare(const Input &Subject);

/// What the steps hold most of, with the option that selects it; "": nothing.
std::string innerText(const Input &Subject);

// Why the GPU was idle.

/// What the cause of a GPU gap means, in words.
llvm::StringRef phrase(analysis::Cause C);

/// ns, what shares of idle time are of: the GPU time of the steps that count,
/// or of the run from the first to the last operation; sums over the devices in
/// use.
int64_t idleBasis(const analysis::Result &R);

/// ns, of the run; sums over the devices.
int64_t busyTime(const analysis::Result &R);

/// "Outside these steps, the GPU was idle for 67.4 us in total"; "": it was
/// not, or there are no steps.
std::string idleOutside(const Input &Subject);

// Where the CPU was meanwhile: the calls before and after, or the lines.

/// The most idle time first.
std::vector<const analysis::BusyRow *> byIdle(const analysis::Result &R);

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
/// Whether they have a twentieth of the time, and say more than the calls do.
bool areLinesTelling(const Input &Subject);
/// Of a line on a stack: "train.py:12 loss.backward()".
std::string lineText(const trace::Site &S);
/// Of mainLines(), from the outside to the inside, each time the one with most
/// of that time: the last that has a quarter of all or more. If it is a
/// framework's, the line that the framework calls and the user can change, if
/// one has a tenth or more. Null: none, or it says no more than the calls
/// around the work.
const analysis::HostLine *mainLine(const Input &Subject);

} // namespace autoprof::report
