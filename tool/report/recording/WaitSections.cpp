// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sites: which of them wait in the steps, outside of them, or never; with
// the lines of the source around them.
#include "report/Format.h"
#include "report/SourceLines.h"
#include "report/document/Table.h"
#include "report/recording/CallName.h"
#include "report/recording/Sections.h"
#include "report/recording/Sentences.h"
#include "trace/timeline/Timeline.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <fmt/format.h>

#include <algorithm>

using namespace autoprof;
using namespace autoprof::report;
using namespace autoprof::analysis;

namespace {

/// Finds sources and extracts lines. Not thread-safe.
class Excerpts {
public:
  /// Files are looked for in the current folder, the trace's, and those above
  /// them: sites name them relative to their project's root.
  explicit Excerpts(llvm::StringRef TracePath);

  /// A few lines, the site's own marked; none when there is no such file, or
  /// its line no longer has the site's call.
  Excerpt around(const trace::Site &S, llvm::StringRef Call);

private:
  std::string find(llvm::StringRef File) const;
  std::vector<std::string> Folders;
  SourceLines Source{/*FromTrace=*/true};
};

/// Lines before and after the site's.
constexpr unsigned Around = 3;

Excerpts::Excerpts(llvm::StringRef TracePath) {
  llvm::SmallString<256> WorkingFolder, OfTrace(TracePath);
  llvm::sys::fs::current_path(WorkingFolder);
  llvm::sys::fs::make_absolute(OfTrace);
  for (llvm::StringRef Path :
       {llvm::StringRef(WorkingFolder), llvm::sys::path::parent_path(OfTrace)})
    for (; !Path.empty(); Path = llvm::sys::path::parent_path(Path))
      if (!llvm::is_contained(Folders, Path))
        Folders.push_back(Path.str());
}

std::string Excerpts::find(llvm::StringRef File) const {
  if (llvm::sys::path::is_absolute(File))
    return File.str();
  for (const std::string &Folder : Folders) {
    llvm::SmallString<256> Path(Folder);
    llvm::sys::path::append(Path, File);
    if (llvm::sys::fs::is_regular_file(Path))
      return Path.str().str();
  }
  return "";
}

Excerpt Excerpts::around(const trace::Site &S, llvm::StringRef Call) {
  Excerpt Result;
  const std::string Path = S.File.empty() ? "" : find(S.File);
  if (Path.empty() || !S.Line)
    return Result;
  llvm::ArrayRef<llvm::StringRef> Lines = Source.lines(Path);
  // If the place is from a recorded stack, the line is the caller's, which may
  // call a wrapper.
  if (S.Line > Lines.size() ||
      (S.Frames.empty() && !Lines[S.Line - 1].contains(trace::plainName(Call))))
    return Result;
  Result.File = S.File;
  Result.First = S.Line > Around ? S.Line - Around : 1;
  for (llvm::StringRef Line :
       Lines.slice(Result.First - 1)
           .take_front(S.Line + Around + 1 - Result.First))
    Result.Lines.push_back(Line.str());
  Result.Marked = S.Line;
  Result.Why = "waits for the GPU";
  // A stack's columns are used only if its expression was found in the file.
  if (S.Frames.empty() || !S.Expression.empty()) {
    Result.Column = S.Column;
    Result.Length = S.EndLine == S.Line ? S.EndColumn - S.Column + 1 : 0;
  }
  return Result;
}

/// The name of the row's call; of operators that have the same name, with the
/// range or module that called them: "Tensor.item in Loss.forward".
std::string callLabel(const Input &Subject, const SiteRow &Row) {
  const llvm::StringRef Name = callName(Row),
                        Outer = llvm::StringRef(Row.Call).split(" > ").first;
  // The operators of one call differ in their names only.
  if (Name == Row.Call || Outer == Row.Call || Outer.starts_with("aten::"))
    return Name.str();
  const bool IsShared =
      llvm::any_of(Subject.R.Sites, [&](const SiteRow &Other) {
        return Other.Kind == Row.Kind && Other.Call != Row.Call &&
               callName(Other) == Name;
      });
  return IsShared ? (Name + " in " + Outer).str() : Name.str();
}

/// Two paths of operators may have one name.
std::string siteName(const Input &Subject, const SiteRow &Row) {
  const std::string Label = callLabel(Subject, Row);
  const bool IsShared =
      Label != Row.Call &&
      llvm::any_of(Subject.R.Sites, [&](const SiteRow &Other) {
        return Other.Call != Row.Call && callName(Other) == callName(Row) &&
               callLabel(Subject, Other) == Label &&
               place(Subject.T, Other.Site) == place(Subject.T, Row.Site);
      });
  return placeAndCall(Subject.T, Row.Site, IsShared ? Row.Call : Label);
}

/// Recorded without GPU work, but with the calls that may wait for it.
bool isLight(const Input &Subject) {
  return Subject.T.Info.Mode == "light" && Subject.T.Info.CuptiState == "ok";
}

const char *heading(const Input &Subject) {
  if (!Subject.R.WaitsKnown)
    return isLight(Subject) ? "Calls that may wait, and sites, by time in them"
                            : "Sites, by time in them";
  return Subject.R.InSteps ? "Sites, by exposed stall in the steps"
                           : "Sites, by exposed stall";
}

/// What the columns mean.
std::string key(const Input &Subject) {
  std::string Key = "wait: CPU time spent waiting for the GPU in this call; "
                    "exposed: GPU idle time from there to the next work that "
                    "is launched, at most as long as the call, so it may be "
                    "longer than the wait. ";
  const auto &S = Subject.R.InSteps;
  if (!S)
    return Key + "The columns are sums over the run; median, p95, depth, and "
                 "lead are those of single waits.";
  Key += fmt::format("The columns are means of {} steps, which take {} on "
                     "average; median, p95, depth, and lead are those of "
                     "single waits in the whole run",
                     count(S->Count), perStep(Subject, S->Span));
  if (const std::optional<int64_t> &Whole = Subject.R.WhatIfs.UnrecordedWhole)
    Key += fmt::format("; gains are for unrecorded runs (mean step: {})",
                       perStep(Subject, std::min(*Whole, S->Span)));
  return Key + ".";
}

/// What the recording cannot tell about advice, for the end of the table of
/// sites or of the one of those `Outside` the steps; "" where it has no advice
/// that is worth following. Only one of the two has it.
std::string caveat(const Input &Subject, bool Outside) {
  for (const SiteRow &Row : Subject.R.Sites)
    if (isChange(Row.Judged.Kind)) // Those in the steps come first.
      return Row.isOutside() == Outside ? "Caveat: " + adviceDoubt(Row).str()
                                        : "";
  return "";
}

const char *noWaits(const Input &Subject) {
  if (Subject.R.InSteps && !blockedShare(*Subject.R.InSteps).empty())
    return "No call waited for GPU work in the steps; a full queue blocked "
           "launches (see the summary).";
  if (!Subject.R.Decided.Lines.empty())
    return "No call waited for the GPU in the steps; the CPU slept in a line "
           "above until another thread had.";
  if (Subject.R.Decided.gain())
    return "No call waited for the GPU; what to change takes time on the CPU.";
  return Subject.R.InSteps ? "No call waited for the GPU in the steps."
                           : "No call waited for the GPU.";
}

Table waitTable(const Input &Subject) {
  const bool Steps = Subject.R.InSteps.has_value();
  Table T(Steps ? std::vector<Table::Column>{{"site", true},
                                             {"kind", true},
                                             {"waits/step"},
                                             {"wait/step"},
                                             {"exposed/step"},
                                             {"of the step"}}
                : std::vector<Table::Column>{{"site", true},
                                             {"kind", true},
                                             {"calls"},
                                             {"wait"},
                                             {"exposed"}});
  T.IsCards = true;
  Excerpts Source(Subject.Path);
  for (const SiteRow &Row : Subject.R.Sites) {
    if (Row.isOutside() || !Row.Waits)
      continue;
    std::vector<std::string> Cells{siteName(Subject, Row), Row.Kind};
    if (Steps) {
      const SiteSteps Inside = Row.Steps.value_or(SiteSteps());
      Cells.insert(
          Cells.end(),
          {timesPerStep(Subject, Inside.Waits), perStep(Subject, Inside.Wait),
           perStep(Subject, Inside.Exposed),
           percent(double(Inside.Exposed), double(Subject.R.InSteps->Span))});
    } else {
      Cells.insert(Cells.end(), {count(Row.Count), duration(Row.Wait),
                                 duration(Row.Exposed)});
    }
    Table::Row &Added = T.addRow(std::move(Cells));
    Added.Badge = analysis::phrase(Row.Judged.Kind).str();
    Added.Class = isChange(Row.Judged.Kind) ? "warning" : "";
    if (Row.Site != trace::None)
      Added.Source = Source.around(Subject.T.Sites[Row.Site], Row.Call);
    T.addNote(verdictLine(Subject, Row));
    for (const TriedChange &C : Subject.triedAt(Row))
      T.addNote(triedText(C));
    T.addNote(fmt::format(
        "wait median {}, p95 {}; when it began: depth {:.0f}, lead {}",
        duration(Row.WaitMedian), duration(Row.WaitP95), *Row.DepthMedian,
        duration(Row.LeadMedian)));
  }
  return T;
}

/// Where waits are unknown: by host time in them.
Table probedTable(const Input &Subject) {
  Table T({{"site", true}, {"kind", true}, {"count"}, {"time in it"}});
  for (const SiteRow &Row : Subject.R.Sites)
    T.addRow({siteName(Subject, Row), Row.Kind, count(Row.Count),
              duration(Row.HostTime)});
  return T;
}

} // namespace

Section report::answerSection(const Input &Subject) {
  Section S;
  const Decision &D = Subject.R.Decided;
  const WhatIfTable &Answers = Subject.R.WhatIfs;
  const std::optional<ExpectedGain> Lead = D.Mild ? D.Mild : D.Strong;
  const std::vector<SetMember> &Members = Answers.Changes.Members;
  // A single change has a row among the waits, or not.
  if (!Lead || Members.empty() ||
      (Members.size() == 1 && changeAdvice(Subject, Members[0]).empty()))
    return S;
  S.Heading = "What to change";
  S.Id = "answer";
  Table T({{"change", true},
           {Lead->PerStep ? "its part per step" : "its part"},
           {Lead->PerStep ? "of the step" : "of the GPU's span"}});
  for (const SetMember &Member : Members) {
    const ExpectedGain Part = Lead->scaled(Member.Share);
    T.addRow({changeText(Subject, Member), duration(Part.Saved.Middle),
              percent(double(Part.Saved.Middle), double(Part.Whole))});
    if (Member.NeedsOthers)
      T.addNote("gains next to nothing without the others");
    if (std::string Advice = changeAdvice(Subject, Member); !Advice.empty())
      T.addNote(std::move(Advice));
  }
  S.add(std::move(T));
  return S;
}

Section report::waitSection(const Input &Subject) {
  Section S;
  S.Heading = heading(Subject);
  S.Id = "sites";
  S.Link = "Waits";
  if (!Subject.R.WaitsKnown) {
    Table T = probedTable(Subject);
    if (T.empty())
      S.say("No site was recorded.");
    return S.add(std::move(T));
  }
  Table T = waitTable(Subject);
  if (T.empty())
    return S.say(noWaits(Subject));
  S.add(std::move(T)).say(key(Subject), Paragraph::Note);
  return S.say(caveat(Subject, /*Outside=*/false));
}

Section report::outsideSection(const Input &Subject) {
  Table T(
      {{"site", true}, {"kind", true}, {"count"}, {"wait"}, {"exposed stall"}});
  T.Limit = 5;
  for (const SiteRow &Row : Subject.R.Sites) {
    if (!Row.isOutside())
      continue;
    T.addRow({siteName(Subject, Row), Row.Kind, count(Row.Count),
              duration(Row.Wait), duration(Row.Exposed)});
    if (isChange(Row.Judged.Kind))
      T.addNote(verdictLine(Subject, Row));
  }
  Section S;
  S.Heading = "Waits outside the measured steps (sums over the run)";
  return S.add(std::move(T)).say(caveat(Subject, /*Outside=*/true));
}

Section report::allSitesSection(const Input &Subject) {
  Section S;
  S.Heading = "All sites: sums over the run";
  S.Id = "tables";
  S.Link = "All sites";
  if (!Subject.R.WaitsKnown)
    return S;
  Table T({{"site", true},
           {"function", true, false, /*IsWide=*/true},
           {"kind", true},
           {"count"},
           {"in it"},
           {"waiting"},
           {"exposed stall"}});
  T.Limit = 0;
  T.Others = "in all, also those that never waited";
  S.Where = Shown::InFull;
  for (const SiteRow &Row : Subject.R.Sites) {
    if (!Row.Waits)
      S.Where = Shown::Everywhere;
    T.addRow({siteName(Subject, Row),
              Row.Site == trace::None ? "" : Subject.T.Sites[Row.Site].Function,
              Row.Kind, count(Row.Count), duration(Row.HostTime),
              duration(Row.Wait), duration(Row.Exposed)});
  }
  return S.add(std::move(T));
}
