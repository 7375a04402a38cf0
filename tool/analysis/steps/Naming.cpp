// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/steps/StepCandidates.h"

#include "analysis/steps/Steps.h"
#include "config/StepName.h"
#include "trace/timeline/Places.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <map>
#include <tuple>

using namespace autoprof;
using namespace autoprof::analysis;
using llvm::StringRef;
using trace::Timeline;

namespace {

bool mayMean(const StepName &Name, const trace::Site &S) {
  return S.isUserRange()    ? Name.Ranges
         : S.Kind == "loop" ? Name.Loops
                            : Name.Functions;
}

bool means(const StepName &Name, const trace::Site &S, const StepCandidate &C) {
  if (S.isUserRange())
    return Name.Ranges &&
           (Name.Text == C.Name || Name.Text == StringRef(C.Name).rtrim('#'));
  const bool IsPlace = Name.meansLoop(S.File, S.Line);
  if (S.Kind == "loop")
    return IsPlace;
  return Name.meansFunction(S.Function) || (Name.Functions && IsPlace);
}

/// One of several numbered ranges has the number in its event's name only.
StepCandidate withRunsOf(const Timeline &T, const StepCandidate &C,
                         const StepName &Name) {
  StepCandidate Result = C;
  llvm::erase_if(Result.Ranges, [&](uint32_t Range) {
    return T.Strings[T.Host.Name[Range]] != Name.Text;
  });
  return Result;
}

std::optional<StepCandidate> chooseExact(const Timeline &T,
                                         llvm::ArrayRef<StepCandidate> All,
                                         const StepName &Name) {
  const StepCandidate *Best = nullptr;
  for (const StepCandidate &C : All)
    if (means(Name, T.Sites[C.Site], C) &&
        (!Best || C.Ranges.size() > Best->Ranges.size()))
      Best = &C;
  if (Best)
    return *Best;
  for (const StepCandidate &C : All)
    if (Name.Ranges && T.Sites[C.Site].isUserRange())
      if (StepCandidate One = withRunsOf(T, C, Name); !One.Ranges.empty())
        return One;
  return std::nullopt;
}

/// How many characters of `Part` are not in the most similar part of `Whole`,
/// or are others there. A number is only part of itself: 0 otherwise is 1.
size_t distance(StringRef Part, StringRef Whole) {
  auto Cuts = [](char A, char B) {
    return llvm::isDigit(A) && llvm::isDigit(B);
  };
  for (size_t At = Whole.find(Part); At != StringRef::npos;
       At = Whole.find(Part, At + 1)) {
    const size_t End = At + Part.size();
    if ((At == 0 || !Cuts(Whole[At - 1], Part.front())) &&
        (End == Whole.size() || !Cuts(Part.back(), Whole[End])))
      return 0;
  }
  // Edits, but what is before and behind is free.
  std::vector<size_t> Row(Whole.size() + 1);
  for (size_t I = 0; I < Part.size(); ++I) {
    size_t Diagonal = Row[0];
    Row[0] = I + 1;
    for (size_t J = 0; J < Whole.size(); ++J) {
      const size_t Edits = Diagonal + (Part[I] != Whole[J]);
      Diagonal = Row[J + 1];
      Row[J + 1] = std::min({Edits, Row[J] + 1, Row[J + 1] + 1});
    }
  }
  return std::max<size_t>(1, *std::min_element(Row.begin(), Row.end()));
}

/// What has one name, perhaps on several threads.
struct Named {
  std::string Name; ///< As --step takes it.
  size_t Distance = 0;
  bool MayBeSteps = false;
  StepCandidate Most; ///< The one with the most runs.

  bool operator<(const Named &Other) const {
    return std::tuple(Distance, !MayBeSteps, -Most.GpuTime, Most.Site) <
           std::tuple(Other.Distance, !Other.MayBeSteps, -Other.Most.GpuTime,
                      Other.Most.Site);
  }
};

/// The nearest first.
std::vector<Named> byDistance(const Timeline &T,
                              llvm::ArrayRef<StepCandidate> All,
                              const StepName &Asked) {
  std::map<std::string, Named> ByName;
  for (const StepCandidate &C : All) {
    if (!mayMean(Asked, T.Sites[C.Site]))
      continue;
    Named &N = ByName[nameOf(T, C)];
    if (C.Ranges.size() > N.Most.Ranges.size())
      N.Most = C;
    N.MayBeSteps |=
        C.Ranges.size() >= FewestRuns && (C.GpuTime || T.Ops.size() == 0);
  }
  std::vector<Named> Result;
  for (auto &[Name, N] : ByName) {
    N.Name = Name;
    N.Distance = distance(Asked.Text, StringRef(Name).split(':').second);
    Result.push_back(std::move(N));
  }
  llvm::stable_sort(Result);
  return Result;
}

/// Why there is no name that --step could take.
std::string lackOfNames(const Timeline &T) {
  if (T.Recorded.Limited && T.Recorded.List.empty())
    return "nothing was recorded, so the trace has no steps";
  return llvm::any_of(T.Sites,
                      [](const trace::Site &S) { return S.isOperator(); })
             ? "the trace has only operators of a framework, which are not "
               "steps (omit --step to find what repeats, or add NVTX ranges "
               "to the program)"
             : "the trace has no ranges (compile the program with the autoprof "
               "plugin, or add NVTX ranges to it)";
}

std::string list(llvm::ArrayRef<Named> Names) {
  constexpr size_t MostListed = 5;
  std::vector<std::string> Listed;
  for (const Named &N : Names.take_front(MostListed))
    Listed.push_back(N.Name);
  return (Names.size() > MostListed
              ? "the nearest of " + std::to_string(Names.size()) + " are "
              : "there are ") +
         llvm::join(Listed, ", ");
}

} // namespace

std::string autoprof::analysis::nameOf(const Timeline &T,
                                       const StepCandidate &C) {
  const trace::Site &S = T.Sites[C.Site];
  return S.isUserRange()    ? "range:" + C.Name
         : S.Kind == "loop" ? "loop:" + place(S)
                            : "function:" + C.Name;
}

std::string autoprof::analysis::describe(const Timeline &T,
                                         const StepCandidate &C) {
  const trace::Site &S = T.Sites[C.Site];
  if (S.isUserRange() && T.Info.MarksSteps && C.Name == "step" &&
      S.Callee.empty())
    return "calls of autoprof_step()";
  if (S.isUserRange() && StringRef(C.Name).starts_with("ProfilerStep#"))
    return "PyTorch's " + C.Name;
  if (S.isUserRange())
    return "NVTX range " + C.Name + (S.Callee.empty() ? "" : " of " + S.Callee);
  std::string Text = S.Kind == "loop" ? "loop at " : S.Function + " at ";
  Text += place(S);
  if (S.Kind == "loop" && !S.Function.empty())
    Text += " in " + S.Function;
  return Text;
}

llvm::Expected<StepCandidate> autoprof::analysis::chooseNamed(
    const Timeline &T, llvm::ArrayRef<StepCandidate> All, StringRef Name) {
  const StepName Asked(Name);
  if (std::optional<StepCandidate> Exact = chooseExact(T, All, Asked))
    return std::move(*Exact);
  std::vector<Named> Near = byDistance(T, All, Asked);
  auto IsPart = [&](size_t I) { return I < Near.size() && !Near[I].Distance; };
  if (IsPart(0) && (!IsPart(1) || Near[0].MayBeSteps > Near[1].MayBeSteps))
    return std::move(Near[0].Most);
  if (IsPart(0)) {
    const bool MayBeSteps = Near[0].MayBeSteps;
    llvm::erase_if(Near, [=](const Named &N) {
      return N.Distance || N.MayBeSteps != MayBeSteps;
    });
    return llvm::make_error<NoSuchStep>("several steps have '" + Name.str() +
                                        "' in their names; " + list(Near));
  }
  if (Near.empty())
    Near = byDistance(T, All, StepName(Asked.Text));
  return llvm::make_error<NoSuchStep>(
      "no step is named '" + Name.str() + "'; " +
      (Near.empty() ? lackOfNames(T) : list(Near)));
}
