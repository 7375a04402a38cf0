// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kinds of steps. A loop may do more in some of its steps: print, rebuild a
// list, evaluate, save. Its median step then shows nothing of where the time
// goes. Steps are of one kind if they launch the same.
#pragma once

#include "analysis/steps/Steps.h"
#include "analysis/waits/Waits.h"

namespace autoprof::analysis {

/// A launch, a copy or a wait.
struct PlacedWork {
  uint32_t Site = trace::None; ///< Into Timeline::Sites.
  std::string Name;            ///< A kernel's, a copy's, or a call's.
  bool IsKernel = false;
};

struct StepKind {
  size_t Steps = 0;
  size_t First = 0;            ///< Number of the first, counted from 0.
  std::optional<size_t> Every; ///< Regularly one in so many, 2 or more.
  bool IsRest = false;         ///< Not one kind: all steps that are of none.
  int64_t Total = 0;           ///< ns
  int64_t Median = 0;          ///< ns
  int64_t Waited = 0;          ///< ns, sum.
  /// What is in most of them and, but for one in a hundred, in no step of
  /// another kind: the few in whose calls they spend most time.
  std::vector<PlacedWork> Own;

  int64_t mean() const { return Total / int64_t(std::max<size_t>(1, Steps)); }
};

/// Of the steps that count; the one with the largest Total first, the rest
/// last. Empty where all are of one kind.
///
/// Steps whose work has a Sorensen-Dice coefficient of 0.8 or more are of one
/// kind, unless one does something that the other does not and takes another
/// time, so that this is worth a hundredth of the total. At least three steps
/// are a kind, and at most five kinds are told apart.
///
/// A step ends when both its host's part and its work on the GPU are done. So
/// what the host does after a wait belongs to the step that waited.
std::vector<StepKind> findKinds(const trace::Timeline &T, const Attribution &A,
                                const Steps &S, const std::vector<Wait> &Waits);

} // namespace autoprof::analysis
