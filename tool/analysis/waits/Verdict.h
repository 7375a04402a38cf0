// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What to do about a site that waits.
#ifndef AUTOPROF_ANALYSIS_WAITS_VERDICT_H
#define AUTOPROF_ANALYSIS_WAITS_VERDICT_H

#include "catalogue/Catalogue.h"
#include "catalogue/TorchNames.h"
#include "trace/timeline/Timeline.h"

#include <string>

namespace autoprof::analysis {

enum class Verdict : uint8_t {
  None,      ///< Does not wait, or it is not known whether it does.
  Remove,    ///< The call itself is not needed for GPU work to be in order.
  Postpone,  ///< Wait where the data is first used, not where it is requested.
  MakeAsync, ///< Another form of the call does not wait.
  Keep,      ///< No cheaper form is known.
  NotWorthIt ///< Removing it would gain less than the threshold.
};

/// "remove", "postpone", "make_async", "keep", "not_worth_it", or "".
llvm::StringRef name(Verdict V);
/// The same in words, for reports.
llvm::StringRef phrase(Verdict V);

struct Judgement {
  Verdict Kind = Verdict::None;
  std::string Advice; ///< One sentence without a full stop; may be "".
};

struct Evidence {
  const catalogue::Row *Row = nullptr; ///< Of the waiting call, or null.
  /// In a program that uses PyTorch: advice in its terms; or null.
  const catalogue::TorchName *Torch = nullptr;
  trace::Direction Copy = trace::Direction::Unknown;
  /// Whether the numbers are those of the steps that count, or of the run.
  bool OfSteps = false;
  int64_t Wait = 0, Exposed = 0; ///< ns
  /// Whether removing it is expected to gain WorthIt or more.
  bool IsWorthIt = false;
  /// Whether it is only because the operator around it is gone as well, which
  /// no other form of the call does.
  bool OnlyRemoving = false;
};

/// Gains below this share of the time are not worth a change.
constexpr double WorthIt = 0.01;

Judgement judge(const Evidence &E);

} // namespace autoprof::analysis

#endif // AUTOPROF_ANALYSIS_WAITS_VERDICT_H
