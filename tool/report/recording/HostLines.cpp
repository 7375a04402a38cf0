// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lines that the CPU was in while the GPU lacked work.
#include "report/Format.h"
#include "report/Html.h"
#include "report/JsonFields.h"
#include "report/recording/JsonParts.h"
#include "report/recording/Sections.h"
#include "report/recording/Sentences.h"
#include "trace/timeline/PythonCode.h"

#include <fmt/format.h>

#include <algorithm>

using namespace autoprof;
using namespace autoprof::report;
using namespace autoprof::analysis;

/// Lines with less of the time are left out.
constexpr double Least = 0.02;

Outline report::mainLines(const Input &Subject) {
  const std::optional<HostLines> &H = Subject.R.Lines;
  return H ? outline(Subject.T, *H, Least) : Outline();
}

std::string report::lineText(const trace::Site &S) {
  if (!S.Expression.empty())
    return place(S) + " " + S.Expression;
  if (!S.Line) // The place has the function.
    return place(S);
  // The place in a framework has the function.
  return trace::ownerOf(S.File) == trace::CodeOwner::Framework
             ? place(S)
             : place(S) + " " + S.Function;
}

/// A function without lines that calls CUDA itself says less than the calls.
static bool isTelling(const Input &Subject, uint32_t Line) {
  const trace::Site &S = Subject.T.Sites[Subject.R.Lines->Tree[Line].Site];
  return S.Line || llvm::none_of(Subject.T.Sites, [&](const trace::Site &Call) {
           return Call.Kind != trace::FrameKind && Call.Function == S.Function;
         });
}

bool report::areLinesTelling(const Input &Subject) {
  const std::optional<HostLines> &H = Subject.R.Lines;
  return H && 20 * H->Idle >= H->Samples &&
         llvm::any_of(mainLines(Subject).Lines,
                      [&](uint32_t Line) { return isTelling(Subject, Line); });
}

static bool isUsers(const Input &Subject, uint32_t Line) {
  return trace::ownerOf(
             Subject.T.Sites[Subject.R.Lines->Tree[Line].Site].File) ==
         trace::CodeOwner::User;
}

/// Of the user's lines that a framework calls, the one with most of the time,
/// if it has a tenth of all; nullopt: there is none.
static std::optional<size_t> calledBack(const Input &Subject,
                                        const Outline &O) {
  const HostLines &H = *Subject.R.Lines;
  auto Samples = [&](size_t I) { return H.Tree[O.Lines[I]].Samples; };
  std::optional<size_t> Most;
  std::optional<uint32_t> Framework; // Depth of the line that we are inside of.
  for (size_t I = 0; I < O.Lines.size(); ++I) {
    if (Framework && O.Depths[I] <= *Framework)
      Framework.reset();
    if (!isUsers(Subject, O.Lines[I]))
      Framework = std::min(Framework.value_or(O.Depths[I]), O.Depths[I]);
    else if (Framework && 10 * Samples(I) >= H.Idle &&
             (!Most || Samples(I) > Samples(*Most)))
      Most = I;
  }
  return Most;
}

const HostLine *report::mainLine(const Input &Subject) {
  const std::optional<HostLines> &H = Subject.R.Lines;
  const Outline Shown = mainLines(Subject);
  std::optional<size_t> Most;
  size_t I = 0;
  for (uint32_t Depth = 0;; ++Depth) {
    std::optional<size_t> Largest; // Of the lines directly inside of Most.
    for (; I < Shown.Lines.size() && Shown.Depths[I] >= Depth; ++I)
      if (Shown.Depths[I] == Depth &&
          (!Largest || H->Tree[Shown.Lines[I]].Samples >
                           H->Tree[Shown.Lines[*Largest]].Samples))
        Largest = I;
    if (!Largest || 4 * H->Tree[Shown.Lines[*Largest]].Samples < H->Idle)
      break;
    Most = Largest;
    I = *Largest + 1;
  }
  if (!Most)
    return nullptr;
  if (!isUsers(Subject, Shown.Lines[*Most]))
    Most = calledBack(Subject, Shown).value_or(*Most);
  const uint32_t Line = Shown.Lines[*Most];
  // Where the thread slept is in no line, and may be most of what is lacking.
  const auto &S = Subject.R.InSteps;
  if (H->OnlyRunning && S &&
      4 * double(H->Tree[Line].Samples) / double(H->Samples) * double(S->Span) <
          double(S->Gaps[unsigned(Cause::HostBusy)].Total +
                 S->Gaps[unsigned(Cause::LaunchBound)].Total))
    return nullptr;
  return isTelling(Subject, Line) ? &H->Tree[Line] : nullptr;
}

/// What the thread did in the steps, whether the GPU had work or not.
static std::string threadText(const Input &Subject) {
  const HostLines &H = *Subject.R.Lines;
  const auto &S = Subject.R.InSteps;
  const int64_t Time =
      S ? S->Gpu.End - S->Gpu.Start : Subject.T.end() - Subject.T.begin();
  const int64_t Delayed = H.Delayed.value_or(0);
  auto Share = [&](int64_t Ns) {
    return percent(double(std::clamp<int64_t>(Ns, 0, Time)), double(Time));
  };
  return fmt::format("The thread ran {} of the time{}, and slept {}{}. {} "
                     "samples; a share of 50 % is exact to {:.1f} points, a "
                     "small one is more exact.",
                     Share(H.Ran),
                     H.Delayed ? ", was kept from running " + Share(Delayed)
                               : "",
                     Share(Time - H.Ran - Delayed),
                     H.OnlyRunning ? ", where is not known" : "",
                     count(H.Samples), 100 * H.error(H.Samples / 2));
}

/// A box for each line, as wide as its share of the samples, below the line
/// that led to it. Boxes that nobody could see or point at are left out.
static std::string flameGraph(const Input &Subject) {
  constexpr int Height = 18;
  constexpr double Narrowest = 0.002;
  const HostLines &H = *Subject.R.Lines;
  std::vector<int> Depth(H.Tree.size());
  std::vector<uint64_t> Used(H.Tree.size()); // By the children so far.
  uint64_t UsedByRoots = 0;
  std::string Boxes;
  int Deepest = 0;
  std::vector<uint64_t> From(H.Tree.size());
  for (size_t I = 0; I < H.Tree.size(); ++I) {
    const HostLine &L = H.Tree[I];
    const bool IsRoot = L.Parent == trace::None;
    uint64_t &Before = IsRoot ? UsedByRoots : Used[L.Parent];
    From[I] = (IsRoot ? 0 : From[L.Parent]) + Before;
    Depth[I] = IsRoot ? 0 : Depth[L.Parent] + 1;
    Before += L.Samples;
    const double Share = double(L.Samples) / double(H.Samples);
    if (Share < Narrowest)
      continue;
    Deepest = std::max(Deepest, Depth[I]);
    const trace::Site &S = Subject.T.Sites[L.Site];
    const std::string Text = escapeHtml(lineText(S));
    Boxes += fmt::format(
        "<svg x=\"{:.3f}%\" y=\"{}\" width=\"{:.3f}%\" height=\"{}\">"
        "<title>{} ({}): {} of the time{}</title><rect class=\"{}\" "
        "width=\"100%\" height=\"{}\" rx=\"2\"/><text x=\"4\" "
        "y=\"12\">{}</text></svg>\n",
        100 * double(From[I]) / double(H.Samples), Depth[I] * Height,
        100 * Share, Height - 1, Text, escapeHtml(S.Function),
        percent(double(L.Samples), double(H.Samples)),
        2 * L.Asleep > L.Samples ? ", mostly asleep" : "",
        2 * L.Asleep > L.Samples ? "asleep" : "awake", Height - 2, Text);
  }
  return fmt::format("<svg class=\"flame\" height=\"{}\" role=\"img\" "
                     "aria-label=\"Lines that the CPU was in\">\n{}</svg>\n"
                     "<p class=\"what\">The width of the page is all of the "
                     "time; a line is below the one that led to it. Paler: "
                     "mostly asleep.</p>\n",
                     (Deepest + 1) * Height, Boxes);
}

Section report::hostLineSection(const Input &Subject) {
  Section S;
  S.Heading = "Lines that the CPU was in while the GPU lacked work";
  S.Id = "cpu-lines";
  const Outline Shown = mainLines(Subject);
  if (Shown.Lines.empty())
    return S;
  const HostLines &H = *Subject.R.Lines;
  const bool Steps = Subject.R.InSteps.has_value();
  S.Where = areLinesTelling(Subject) ? Shown::Everywhere : Shown::InFull;
  Table T({{"line, and what it leads to", true, /*CutEnd=*/true},
           {"function", true, /*CutEnd=*/true, /*IsWide=*/true},
           {"asleep"},
           {Steps ? "GPU idle/step" : "GPU idle"},
           {Steps ? "of the step" : "of the time"}});
  T.Limit = 12;
  for (size_t I = 0; I < Shown.Lines.size(); ++I) {
    const HostLine &L = H.Tree[Shown.Lines[I]];
    const trace::Site &Site = Subject.T.Sites[L.Site];
    std::string Indent;
    for (uint32_t D = 0; D < Shown.Depths[I]; ++D)
      Indent += "> ";
    const double Share = double(L.Samples) / double(H.Samples);
    T.addRow(
        {Indent + lineText(Site), Site.Function,
         H.OnlyRunning ? "-" : percent(double(L.Asleep), double(L.Samples)),
         each(Subject, int64_t(Share * double(idleBasis(Subject.R)))),
         percent(double(L.Samples), double(H.Samples))});
  }
  return S.add(std::move(T))
      .say(threadText(Subject), Paragraph::Note)
      .add(Picture{[&Subject] { return flameGraph(Subject); }}, Shown::OnPages);
}

void report::stackLineFields(Fields &F, const trace::Site &S) {
  F.text("file", "as Python has it", S.File);
  F.field("line", "line, counted from 1", S.Line);
  F.text("function", "the function that contains it", S.Function);
  F.text("expression", "its text; null: not known", S.Expression);
}

void report::hostLineFields(Fields &F, const Input &Subject) {
  F.object(
      "cpu_lines",
      "samples of the thread that launches, in the steps that count or, "
      "without steps, in the run; null: there are none (`autoprof run "
      "--stacks` takes them)",
      Subject.R.Lines, [&](const HostLines &H) {
        F.field("samples", "all of them; each stands for the same time",
                H.Samples);
        F.field("only_running",
                "whether none is taken while the thread sleeps; then it slept, "
                "somewhere, in those of `samples` that are in no line",
                H.OnlyRunning);
        F.field("idle_samples", "while a GPU lacked work because of the CPU",
                H.Idle);
        F.field("cpu_ns", "time that the thread ran", H.Ran);
        F.field("delayed_ns",
                "time that it was ready and did not run; null: not known",
                H.Delayed);
        F.list("lines",
               "the tree of calls: a line comes before those that it leads to",
               H.Tree, [&](const HostLine &L) {
                 stackLineFields(F, Subject.T.Sites[L.Site]);
                 F.field("parent", "number of the line around it; null: none",
                         onlyIf(L.Parent != trace::None, L.Parent));
                 F.field("samples", "in it and in what it called", L.All);
                 F.field("idle_samples", "of these, while a GPU lacked work",
                         L.Samples);
                 F.field("asleep_samples",
                         "of those, in which the thread slept and no other one "
                         "launched kernels meanwhile; null: `only_running`",
                         onlyIf(!H.OnlyRunning, L.Asleep));
               });
      });
}
