// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/steps/StepCandidates.h"
#include "report/Format.h"
#include "report/recording/CallName.h"
#include "report/recording/Sentences.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <fmt/format.h>

using namespace autoprof;
using namespace autoprof::report;
using namespace autoprof::analysis;

namespace {

std::string words(const Input &Subject, const ExpectedGain &Gain,
                  llvm::StringRef NotReplayed) {
  // A replay keeps the host's own times, and cannot know how much of them the
  // waits cause.
  const bool IsLaunchBound =
      Gain.PerStep && Subject.R.InSteps->Limit == Regime::LaunchBound;
  return gainText(Gain, NotReplayed, IsLaunchBound);
}

/// "a, b and c".
std::string listed(llvm::ArrayRef<std::string> Names) {
  std::string Text = Names.front();
  for (size_t I = 1; I < Names.size(); ++I)
    Text += (I + 1 < Names.size() ? ", " : " and ") + Names[I];
  return Text;
}

/// Whether a call does more than to wait, so that no call takes its place.
bool doesMore(const SiteRow &Row) {
  return Row.Kind == "copy" || Row.Kind == "operator";
}

/// How often something is not done.
const char *always(const Input &Subject) {
  return Subject.R.InSteps ? " in each step" : "";
}

/// "removing it".
std::string doing(const Input &Subject, const SiteRow &Row, Verdict V) {
  const analysis::Promise &P = Row.Promised;
  if (P.By == Remedy::Allocate)
    return "allocating once";
  if (P.By == Remedy::KeepPool)
    return "raising the release threshold of the memory pool";
  if (P.By == Remedy::Pin && V != Verdict::Remove)
    return "pinning its memory and not waiting for the copy";
  const std::string It =
      V == Verdict::Remove && P.KeepsCopy ? "its wait" : "it";
  if (V == Verdict::MakeAsync)
    return "making " + It + " asynchronous";
  if (V == Verdict::Remove && doesMore(Row) && !P.KeepsCopy)
    return std::string("doing without it") + always(Subject);
  return (V == Verdict::Postpone ? "postponing " : "removing ") + It;
}

/// Whether the site is one of several changes.
bool isPart(const Input &Subject, const SiteRow &Row) {
  return isChange(Row.Judged.Kind) && Subject.R.Decided.gain() &&
         Subject.R.WhatIfs.Changes.Members.size() > 1;
}

} // namespace

std::string report::gainText(const ExpectedGain &Gain,
                             llvm::StringRef NotReplayed, bool IsLaunchBound) {
  if (Gain.Recorded && !Gain.Saved.High)
    return "nothing";
  const std::string Per = std::string(Gain.PerStep ? " per step" : "") +
                          (Gain.Recorded ? " in the recorded run" : "");
  const char *Scope = !Gain.PerStep   ? " of the GPU's span"
                      : Gain.Recorded ? " of the recorded step"
                                      : "";
  const auto Share = [&](int64_t Ns) {
    return percent(double(Ns), double(Gain.Whole)) + Scope;
  };
  if (!NotReplayed.empty())
    return fmt::format("at most {}{}, {} (not replayed: {})",
                       duration(Gain.Saved.High), Per, Share(Gain.Saved.High),
                       NotReplayed.str());
  if (!Gain.Recorded && !Gain.isMeasurable())
    return noMeasurableGain(Gain.Saved.Middle, Gain.Saved.High, Per);
  return fmt::format("about {}{} ({}), {}{}", duration(Gain.Saved.Middle), Per,
                     gainInterval(Gain.Saved.Low, Gain.Saved.High),
                     Share(Gain.Saved.Middle),
                     IsLaunchBound ? " (may be more: launch-bound)" : "");
}

report::Promise report::promise(const Input &Subject, const SiteRow &Row) {
  report::Promise P{Row.Promised, "-"};
  if (P.Expected)
    P.Text = words(Subject, *P.Expected, P.IsBound ? Row.GainNote : "");
  return P;
}

std::string report::judgementText(const SiteRow &Row) {
  const std::string &Instead = Row.Judged.Instead;
  switch (Row.Judged.Why) {
  case Grounds::None:
    return "";
  case Grounds::Replaceable:
    return Instead;
  case Grounds::UnlessRead:
    return "unless the CPU reads a result immediately after it: " + Instead;
  case Grounds::Later:
    return Instead + ", for example one step later";
  case Grounds::NoOtherForm:
    return "no cheaper form of this call is known";
  case Grounds::GpuBusy:
    return "the GPU stays busy meanwhile, so the wait costs almost nothing";
  case Grounds::SmallPartOfStep:
    return "the estimated gain is less than 1 % of the step time";
  case Grounds::SmallPartOfRun:
    return "the estimated gain is less than 1 % of the GPU's span";
  case Grounds::IncludedInPartner:
    return "part of the change of " + Instead;
  }
  return "";
}

std::string report::verdictLine(const Input &Subject, const SiteRow &Row) {
  const Verdict Decision = Row.Judged.Kind;
  if (Decision == Verdict::None)
    return "";
  if (Row.Judged.Why == Grounds::IncludedInPartner)
    return judgementText(Row);
  const report::Promise P = promise(Subject, Row);
  std::string Advice = judgementText(Row);
  if (!Advice.empty())
    Advice.insert(0, Row.Judged.Why == Grounds::UnlessRead ? ", " : ": ");
  std::string Line = doing(Subject, Row, P.Change) + " gains " + P.Text;
  if (isPart(Subject, Row))
    Line += P.NeedsOthers ? ", but only together with the other changes"
                          : ", its part of all changes together";
  if (P.Change == Decision)
    return Line + Advice;
  return Line + (isChange(Decision) ? "; the mildest change: " : "; ") +
         analysis::phrase(Decision).str() + Advice;
}

namespace {

/// What is done to some calls: "postponing a.cu:1 cudaMemcpy and ...".
struct Action {
  std::string Verb, After;
  std::vector<std::string> Names;

  std::string text() const {
    constexpr size_t MostNames = 4;
    std::vector<std::string> Shown = Names;
    if (Shown.size() > MostNames) {
      Shown.resize(MostNames - 1);
      Shown.push_back(count(Names.size() - Shown.size()) + " more");
    }
    return Verb + listed(Shown) + After;
  }
};

Action actionOn(const Input &Subject, const SetMember &Member, bool Mild) {
  const Result &R = Subject.R;
  const Candidate &C = Member.Changed;
  Action A;
  for (uint32_t Row : C.Rows) // Calls of one expression have one name.
    if (std::string Name = callAt(Subject.T, R.Sites[Row]);
        !llvm::is_contained(A.Names, Name))
      A.Names.push_back(std::move(Name));
  if (C.Transfer != trace::None)
    A.Names = {transferName(Subject, R.Transfers[C.Transfer])};
  const SiteRow *First = C.Rows.empty() ? nullptr : &R.Sites[C.Rows.front()];
  if (C.Transfer != trace::None && (Mild || C.Kind == Remedy::Pin)) {
    A.Verb = "pinning the memory of ";
    A.After = " and not waiting for the copy";
    return A;
  }
  switch (C.Kind) {
  case Remedy::KeepPool:
    A.Verb = "raising the release threshold of the memory pool (";
    A.After = ")";
    return A;
  case Remedy::Allocate:
    A.Verb = "allocating once, without ";
    A.After = always(Subject);
    return A;
  case Remedy::Pin:
  case Remedy::Wait:
    break;
  }
  const Verdict V =
      Mild && !C.Mild.empty() ? First->Judged.Kind : Verdict::Remove;
  if (V == Verdict::Remove && First->Promised.KeepsCopy) {
    A.Verb = "removing the wait of ";
    return A;
  }
  if (V == Verdict::Remove && doesMore(*First)) {
    A.Verb = "doing without ";
    A.After = always(Subject);
    return A;
  }
  // An asynchronous copy that waits is one of pageable memory.
  const bool IsAsync = llvm::StringRef(First->Call).ends_with("Async");
  if (V == Verdict::MakeAsync && !IsAsync)
    A.After = " asynchronous";
  A.Verb = V == Verdict::Postpone    ? "postponing "
           : V != Verdict::MakeAsync ? "removing "
           : IsAsync                 ? "pinning the memory of "
                                     : "making ";
  return A;
}

/// "postponing a and b, and pinning the memory of c".
std::string actions(const Input &Subject, bool Mild) {
  std::vector<Action> All;
  auto IsNamed = [&All](const std::string &Name) {
    return llvm::any_of(All, [&](const Action &A) {
      return llvm::is_contained(A.Names, Name);
    });
  };
  for (const SetMember &Member : Subject.R.WhatIfs.Changes.Members) {
    Action Next = actionOn(Subject, Member, Mild);
    // An expression may make several calls. What is done about its copy
    // includes its wait, but not the other way round.
    if (Member.Changed.Kind == Remedy::Wait)
      llvm::erase_if(Next.Names, IsNamed);
    if (Next.Names.empty())
      continue;
    const auto Same = llvm::find_if(All, [&Next](const Action &A) {
      return A.Verb == Next.Verb && A.After == Next.After;
    });
    if (Same == All.end())
      All.push_back(std::move(Next));
    else
      llvm::append_range(Same->Names, Next.Names);
  }
  std::vector<std::string> Texts;
  for (const Action &A : All)
    Texts.push_back(A.text());
  return listed(Texts);
}

/// "Postponing cudaMemcpy at train.cu:88 gains about 22 us per step (...)".
std::string changeSet(const Input &Subject) {
  const Decision &D = Subject.R.Decided;
  std::string Text = actions(Subject, D.Mild.has_value());
  Text.front() = llvm::toUpper(Text.front());
  Text += " gains " + words(Subject, D.Mild ? *D.Mild : *D.Strong, "");
  if (!D.Mild || !D.Strong)
    return Text;
  return Text + "; without " +
         (Subject.R.WhatIfs.Changes.Members.size() > 1 ? "these calls"
                                                       : "this call") +
         always(Subject) + ", " + words(Subject, *D.Strong, "");
}

/// The line of Python that all changes are in, of those whose line is known;
/// null: there is none, or they are in several.
const trace::Site *onlyLine(const Input &Subject) {
  const trace::Site *Line = nullptr;
  for (const SetMember &Member : Subject.R.WhatIfs.Changes.Members)
    for (uint32_t Row : Member.Changed.Rows) {
      const uint32_t At = Subject.R.Sites[Row].Site;
      if (At == trace::None || Subject.T.Sites[At].File.empty())
        continue;
      const trace::Site &S = Subject.T.Sites[At];
      if (Line && (Line->File != S.File || Line->Line != S.Line))
        return nullptr;
      Line = &S;
    }
  return Line;
}

/// A line does more than to wait: it computes what it reads. "": that is not
/// known, or it is next to nothing, or most of the step.
std::string wholeLine(const Input &Subject) {
  const trace::Site *Line = onlyLine(Subject);
  if (!Line || !Subject.R.Lines)
    return "";
  const HostLines &H = *Subject.R.Lines;
  const double Share = double(H.samplesAt(Subject.T, *Line)) /
                       double(std::max<uint64_t>(1, H.Samples));
  const ExpectedGain Gain = *Subject.R.Decided.gain();
  if (Share > 0.5 ||
      Share < double(Gain.Saved.High) / double(Gain.Whole) + WorthIt)
    return "";
  return fmt::format("; all of that line takes {} of the recorded step, the "
                     "most that leaving it out in most steps could gain",
                     percent(Share, 1));
}

/// Of a recording that is not replayed.
std::string change(const Input &Subject, const SiteRow &Row) {
  return (doesMore(Row) ? "Doing without " : "Removing ") +
         callAt(Subject.T, Row) + " gains " + promise(Subject, Row).Text;
}

} // namespace

std::string report::changeAdvice(const Input &Subject,
                                 const SetMember &Member) {
  const Candidate &C = Member.Changed;
  if (C.Kind == Remedy::KeepPool)
    return "once, at the start: cudaMemPoolSetAttribute() of the default pool, "
           "cudaMemPoolAttrReleaseThreshold to the bytes that it may keep";
  if (C.Kind == Remedy::Allocate)
    return "allocate before the loop, and reuse the memory; where cudaFree "
           "waited for results, wait for an event";
  const bool IsShown = llvm::any_of(C.Rows, [&](uint32_t I) {
    const SiteRow &Row = Subject.R.Sites[I];
    return Row.Waits && !Row.isOutside() && Row.Judged.Kind != Verdict::None;
  });
  if (IsShown)
    return "";
  if (C.Transfer != trace::None || C.Kind == Remedy::Pin)
    return "pinned host memory (cudaMallocHost, cudaHostRegister), and an "
           "event to wait for before the host touches it";
  return "where the host uses results after it, wait for an event instead";
}

std::string report::changeText(const Input &Subject, const SetMember &Member) {
  return actionOn(Subject, Member, Subject.R.Decided.Mild.has_value()).text();
}

/// What precedes everything else about a file that is cut off; "": it is not.
static std::string cutOffWarning(const Input &Subject) {
  if (!Subject.T.Unread.BytesDropped)
    return "";
  return std::string("Warning: the file is cut off, and the results are of the "
                     "part that was read") +
         (Subject.T.Info.Source.Producer.empty()
              ? ""
              : ", which may lack GPU work: profilers write it last") +
         ". ";
}

/// "; 2 more waits are worth a change"; "": there are none.
static std::string othersText(size_t Count, const char *Which) {
  return Count ? fmt::format("; {}{}{} worth a change", count(Count), Which,
                             Count == 1 ? "wait is" : "waits are")
               : "";
}

static std::string unknownAnswer(const Result &R) {
  switch (R.Decided.Hidden) {
  case Hidden::GpuWork:
    return "This recording has no GPU work, so the cost of waits is unknown";
  case Hidden::Waits:
    return R.Waited
               ? "No recorded wait is worth changing, but the trace lacks "
                 "other calls that wait for the GPU"
               : "Whether a wait is worth changing is unknown: the trace lacks "
                 "the calls that wait for the GPU";
  case Hidden::Rest:
  case Hidden::Nothing:
    break;
  }
  return "Whether a wait is worth changing is unknown: in that part, none is";
}

/// The condition under which nothing is worth a change; "": none.
static std::string stepsDoubt(const Input &Subject) {
  if (!Subject.R.Decided.AreStepsDoubtful)
    return "";
  return std::string(", if the steps are those that autoprof assumes (low "
                     "confidence") +
         (findStepCandidates(Subject.T).empty() ? ")"
                                                : "; --step selects others)");
}

/// "Postponing train.py:16 float(x), where the CPU sleeps until ..., gains
/// ...".
static std::string lineChange(const Input &Subject, const LineChange &C) {
  return fmt::format("Postponing {}, where the CPU sleeps until another thread "
                     "has waited for the GPU, gains {}; without it in each "
                     "step, {}",
                     lineText(Subject.T.Sites[C.Site]),
                     words(Subject, C.Mild, ""), words(Subject, C.Strong, ""));
}

static std::string answer(const Input &Subject) {
  const Decision &D = Subject.R.Decided;
  switch (D.Answer) {
  case Answer::Change:
    if (D.gain())
      return changeSet(Subject) + wholeLine(Subject) +
             (D.Lines.empty() ? "" : ". " + lineChange(Subject, D.Lines[0]));
    if (!D.Lines.empty())
      return lineChange(Subject, D.Lines[0]) +
             othersText(D.Waits.size() + D.Lines.size() - 1, " more ");
    return change(Subject, Subject.R.Sites[D.Waits.front()]) +
           othersText(D.Waits.size() - 1, " more ");
  case Answer::NotWorthIt:
    return "No wait for the GPU is worth changing" + stepsDoubt(Subject);
  case Answer::NoWaits:
    return "No call waits for the GPU";
  case Answer::Unknown:
    break;
  }
  return unknownAnswer(Subject.R);
}

std::string report::headline(const Input &Subject) {
  return cutOffWarning(Subject) + answer(Subject);
}
