// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/recording/Sentences.h"

#include "analysis/common/Statistics.h"
#include "analysis/decisions/Decisions.h"
#include "report/Format.h"
#include "report/GainWords.h"
#include "report/recording/CallName.h"
#include "report/recording/Sections.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

using namespace autoprof;
using namespace autoprof::report;
using namespace autoprof::analysis;

std::optional<Gain> report::stepTimeAfter(const Result &R,
                                          const WhatIfRow &Row) {
  if (!R.InSteps || !R.InSteps->Count || R.Steps.times().empty())
    return std::nullopt;
  int64_t Current = median(R.Steps.times());
  return Gain{std::max<int64_t>(0, Current - Row.Step.High),
              std::max<int64_t>(0, Current - Row.Step.Low)};
}

/// "postpone cudaMemcpy at train.cu:88".
static std::string changeName(const Input &Subject, const WhatIfRow &Row) {
  if (Row.Transfer != trace::None)
    return transferChange(Subject, Row);
  if (Row.Rows.empty())
    return "remove all waits";
  const SiteRow &First = Subject.R.Sites[Row.Rows.front()];
  if (Row.Kind == Edit::Reuse)
    return "allocate once, without " + callAt(Subject.T, First);
  std::string Calls;
  for (uint32_t I : Row.Rows)
    Calls +=
        (Calls.empty() ? "" : ", ") + callAt(Subject.T, Subject.R.Sites[I]);
  return Row.Kind == Edit::MakeAsync ? "make " + Calls + " asynchronous"
                                     : name(Row.Kind).str() + " " + Calls;
}

static Table changeTable(const Input &Subject) {
  const bool Steps = Subject.R.InSteps.has_value();
  const int64_t Count = Steps ? int64_t(Subject.R.InSteps->Count) : 1;
  const double Whole = double(Steps ? Subject.R.InSteps->Span : Subject.R.Span);
  auto Mean = [Count](const Gain &G) {
    return durations(G.Low / Count, G.High / Count);
  };
  const std::optional<int64_t> &Unrecorded = Subject.R.WhatIfs.UnrecordedWhole;
  // A terminal has room for one pair of columns.
  const bool IsWide = Unrecorded.has_value();
  std::vector<Table::Column> Columns{{"change", true}};
  if (Unrecorded) {
    Columns.push_back({Steps ? "saves per step" : "saves"});
    Columns.push_back({Steps ? "of the step" : "of the GPU's span"});
  }
  Columns.push_back({Steps ? "recorded: saves per step" : "recorded: saves",
                     false, false, IsWide});
  Columns.push_back({Steps ? "of the recorded step" : "of the recorded span",
                     false, false, IsWide});
  if (Steps)
    Columns.push_back({"recorded step then", false, false, true});
  Table T(std::move(Columns));
  for (const WhatIfRow &Row : Subject.R.WhatIfs.Answers) {
    std::vector<std::string> Cells{changeName(Subject, Row)};
    if (ExpectedGain Gain = gainOf(Subject.R, Row); !Gain.Recorded) {
      Gain.PerStep = false; // The heading has it.
      Cells.push_back(gainWords(Gain).Amount);
      Cells.push_back(percent(double(Gain.Saved.Middle), double(Gain.Whole)));
    } else if (Unrecorded) {
      Cells.insert(Cells.end(), 2, "-");
    }
    const Gain &Recorded = Row.Saved;
    Cells.push_back(Mean(Recorded));
    Cells.push_back(
        percents(double(Recorded.Low), double(Recorded.High), Whole));
    if (Steps) {
      const std::optional<Gain> Step = stepTimeAfter(Subject.R, Row);
      Cells.push_back(Step ? durations(Step->Low, Step->High) : "-");
    }
    T.addRow(std::move(Cells));
  }
  return T;
}

Section report::changeSection(const Input &Subject) {
  Section S;
  S.Heading = "Gains from changing the waits";
  S.Id = "changes";
  S.Link = "Gains";
  S.Where = Shown::InFull;
  Table T = changeTable(Subject);
  if (T.empty())
    return S;
  std::string Note = "The recording is replayed with the calls changed. ";
  if (Subject.R.WhatIfs.UnrecordedWhole)
    Note += "The first figures are for an unrecorded run: the time that "
            "recording adds to each call is subtracted. ";
  Note += "Each row is one change alone; gains of several do not add up.";
  return S.say(std::move(Note), Paragraph::Note).add(std::move(T));
}

Section report::answerSection(const Input &Subject) {
  Section S;
  const Decision &D = Subject.R.Decided;
  const WhatIfTable &Answers = Subject.R.WhatIfs;
  const std::optional<ExpectedGain> Lead = D.Mild ? D.Mild : D.Strong;
  if (!Lead || Answers.Changes.Members.size() < 2)
    return S;
  S.Heading = "What to change";
  S.Id = "answer";
  Table T({{"change", true},
           {Lead->PerStep ? "its part per step" : "its part"},
           {Lead->PerStep ? "of the step" : "of the GPU's span"}});
  for (const SetMember &Member : Answers.Changes.Members) {
    const ExpectedGain Part = Lead->scaled(Member.Share);
    T.addRow({changeText(Subject, Member), duration(Part.Saved.Middle),
              percent(double(Part.Saved.Middle), double(Part.Whole))});
    if (Member.NeedsOthers)
      T.addNote("gains next to nothing without the others");
  }
  S.add(std::move(T));
  return S;
}
