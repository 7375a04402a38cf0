// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/recording/DiffIdle.h"

#include "analysis/common/Statistics.h"
#include "report/Format.h"
#include "report/JsonFields.h"
#include "report/recording/BusyCpu.h"
#include "report/recording/IdleSentences.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <map>

using namespace autoprof;
using namespace autoprof::report;
using namespace autoprof::analysis;
using llvm::isDigit;
namespace json = llvm::json;

namespace {

using Runs = std::vector<RunSummary>;

bool ofSteps(const Difference &D) {
  auto HasSteps = [](const RunSummary &S) { return S.R.InSteps.has_value(); };
  return llvm::all_of(D.Base, HasSteps) && llvm::all_of(D.New, HasSteps);
}

bool haveGpuWork(const Difference &D) {
  auto Known = [](const RunSummary &S) { return S.R.WaitsKnown; };
  return llvm::all_of(D.Base, Known) && llvm::all_of(D.New, Known);
}

/// ns, of one side: per step, or of the run; and its share, in millionths.
struct Idle {
  int64_t Time = 0, Share = 0;
};

Idle idleOf(const Runs &Side, bool Steps, Cause C) {
  std::vector<int64_t> Times, Shares;
  for (const RunSummary &S : Side) {
    const Result &R = S.R;
    const int64_t Total = (Steps ? R.InSteps->Gaps : R.Gaps)[unsigned(C)].Total,
                  Whole = Steps ? R.InSteps->Span : R.Span;
    Times.push_back(
        Steps && R.InSteps->Count ? Total / int64_t(R.InSteps->Count) : Total);
    Shares.push_back(Whole > 0 ? int64_t(1e6 * double(Total) / double(Whole))
                               : 0);
  }
  return {median(std::move(Times)), median(std::move(Shares))};
}

struct CauseChange {
  Cause Kind;
  Idle Base, New;
};

/// By the larger side, descending.
std::vector<CauseChange> causes(const Difference &D) {
  std::vector<CauseChange> Result;
  if (!haveGpuWork(D))
    return Result;
  for (unsigned I = 0; I < NumCauses; ++I) {
    const CauseChange C{Cause(I), idleOf(D.Base, ofSteps(D), Cause(I)),
                        idleOf(D.New, ofSteps(D), Cause(I))};
    if (C.Base.Time || C.New.Time)
      Result.push_back(C);
  }
  llvm::stable_sort(Result, [](const CauseChange &A, const CauseChange &B) {
    return std::max(A.Base.Time, A.New.Time) >
           std::max(B.Base.Time, B.New.Time);
  });
  return Result;
}

/// What one side's CPU did; ns per step, or of the run.
struct CpuSide {
  std::string Name;
  int64_t Idle = 0;
};

struct CpuChange {
  std::string Name; ///< As in the new recording, where it is there.
  int64_t Base = 0, New = 0;
};

std::vector<CpuSide> cpuOf(const Input &Subject, bool Steps) {
  std::map<std::string, int64_t> Sums;
  const Result &R = Subject.R;
  for (const BusyRow &Row : R.Busy)
    if (const int64_t Ns = (Steps ? Row.Steps : Row.Run).Idle)
      Sums[(Row.Call == trace::None ? "from " : "") +
           busyText(Subject.T, R, Row)] += Ns;
  const int64_t Parts =
      Steps ? std::max<int64_t>(1, int64_t(R.InSteps->Count)) : 1;
  std::vector<CpuSide> Result;
  for (const auto &[Name, Ns] : Sums)
    Result.push_back({Name, Ns / Parts});
  return Result;
}

/// "train.cu cudaMemcpy" for "train.cu:88 cudaMemcpy": an edit moves lines.
std::string withoutLines(llvm::StringRef Text) {
  std::string Result;
  while (!Text.empty()) {
    if (Text.front() == ':' && Text.size() > 1 && isDigit(Text[1]))
      Text = Text.drop_front().ltrim("0123456789");
    else {
      Result += Text.front();
      Text = Text.drop_front();
    }
  }
  return Result;
}

/// Moves rows of `Base` into `Rows`, whose key is unique on both sides.
template <typename Function>
void pairBy(std::vector<CpuSide> &Base, std::vector<CpuChange> &Rows,
            std::vector<bool> &IsPaired, Function KeyOf) {
  std::map<std::string, std::vector<size_t>> Left;
  for (size_t I = 0; I < Rows.size(); ++I)
    if (!IsPaired[I])
      Left[KeyOf(Rows[I].Name)].push_back(I);
  std::map<std::string, size_t> Count;
  for (const CpuSide &One : Base)
    ++Count[KeyOf(One.Name)];
  llvm::erase_if(Base, [&](const CpuSide &One) {
    const std::string Key = KeyOf(One.Name);
    auto It = Left.find(Key);
    if (It == Left.end() || It->second.size() > 1 || Count[Key] > 1)
      return false;
    Rows[It->second.front()].Base = One.Idle;
    IsPaired[It->second.front()] = true;
    return true;
  });
}

/// By the larger side, descending.
std::vector<CpuChange> cpuChanges(const DiffInput &About) {
  const bool Steps = ofSteps(About.D) && About.Base.R.InSteps.has_value() &&
                     About.New.R.InSteps.has_value();
  std::vector<CpuChange> Rows;
  for (CpuSide &One : cpuOf(About.New, Steps))
    Rows.push_back({std::move(One.Name), 0, One.Idle});
  std::vector<CpuSide> Base = cpuOf(About.Base, Steps);
  std::vector<bool> IsPaired(Rows.size());
  pairBy(Base, Rows, IsPaired, [](llvm::StringRef Name) { return Name.str(); });
  pairBy(Base, Rows, IsPaired, withoutLines);
  for (CpuSide &One : Base)
    Rows.push_back({std::move(One.Name), One.Idle, 0});
  llvm::stable_sort(Rows, [](const CpuChange &A, const CpuChange &B) {
    return std::max(A.Base, A.New) > std::max(B.Base, B.New);
  });
  return Rows;
}

std::vector<TextTable::Column> columns(const Difference &D, const char *First) {
  return ofSteps(D) ? std::vector<TextTable::Column>{{First, true, true},
                                                     {"idle/step, base"},
                                                     {"new"}}
                    : std::vector<TextTable::Column>{
                          {First, true, true}, {"idle, base"}, {"new"}};
}

} // namespace

std::string report::causeChangeHeading(const Difference &D) {
  return ofSteps(D) ? "Why the GPU was idle in the steps (means per step)"
                    : "Why the GPU was idle (whole run)";
}

TextTable report::causeChangeTable(const Difference &D) {
  std::vector<TextTable::Column> Columns = columns(D, "cause");
  Columns.insert(Columns.end(), {{ofSteps(D) ? "of the step, base"
                                             : "of the GPU's span, base"},
                                 {"new"}});
  TextTable Table(std::move(Columns));
  for (const CauseChange &C : causes(D))
    Table.addRow({phrase(C.Kind).str(), duration(C.Base.Time),
                  duration(C.New.Time), percent(double(C.Base.Share), 1e6),
                  percent(double(C.New.Share), 1e6)});
  return Table;
}

std::string report::cpuChangeHeading(const Difference &D) {
  std::string Text = "Where the CPU was while the GPU lacked work";
  if (ofSteps(D))
    Text += " (GPU idle, means per step";
  else
    Text += " (GPU idle, whole run";
  return Text + (D.Base.size() > 1 || D.New.size() > 1
                     ? "; first run of each side)"
                     : ")");
}

TextTable report::cpuChangeTable(const DiffInput &About, bool All) {
  constexpr size_t MaxRows = 6;
  TextTable Table(columns(About.D, "from call to call"));
  size_t Rows = 0;
  for (const CpuChange &C : cpuChanges(About))
    if (All || Rows++ < MaxRows)
      Table.addRow({C.Name, duration(C.Base), duration(C.New)});
  return Table;
}

void report::idleChangeJson(json::OStream &J, const DiffInput &About) {
  const Difference &D = About.D;
  if (!haveGpuWork(D))
    return J.attribute("idle", nullptr);
  J.attributeObject("idle", [&] {
    J.attribute("per_step", ofSteps(D));
    J.attributeArray("causes", [&] {
      for (const CauseChange &C : causes(D))
        J.object([&] {
          J.attribute("cause", analysis::name(C.Kind));
          J.attribute("base_ns", C.Base.Time);
          J.attribute("new_ns", C.New.Time);
          J.attribute("base_share", double(C.Base.Share) / 1e6);
          J.attribute("new_share", double(C.New.Share) / 1e6);
        });
    });
    J.attributeArray("cpu_busy", [&] {
      for (const CpuChange &C : cpuChanges(About))
        J.object([&] {
          J.attribute("name", json::fixUTF8(C.Name));
          J.attribute("base_ns", C.Base);
          J.attribute("new_ns", C.New);
        });
    });
  });
}
