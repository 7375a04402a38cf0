// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/recording/DiffIdle.h"

#include "analysis/common/Statistics.h"
#include "report/Format.h"
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

bool report::ofSteps(const Difference &D) {
  auto HasSteps = [](const RunSummary &S) { return S.R.InSteps.has_value(); };
  return llvm::all_of(D.Base, HasSteps) && llvm::all_of(D.New, HasSteps);
}

bool report::haveGpuWork(const Difference &D) {
  auto Known = [](const RunSummary &S) { return S.R.WaitsKnown; };
  return llvm::all_of(D.Base, Known) && llvm::all_of(D.New, Known);
}

namespace {

using Runs = std::vector<RunSummary>;

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

/// What one side's CPU did between two calls, or in one; ns per step, or of the
/// run.
struct CpuSide {
  std::string Name;
  int64_t Idle = 0;
  bool IsPaired = false;
};

std::vector<CpuSide> cpuOf(const Input &Subject, bool Steps) {
  std::map<std::string, CpuSide> Rows;
  const Result &R = Subject.R;
  for (const BusyRow &Row : R.Busy)
    if (const int64_t Ns = (Steps ? Row.Steps : Row.Run).Idle) {
      std::string Name = (Row.Call == trace::None ? "from " : "") +
                         busyText(Subject.T, R, Row);
      CpuSide &Side = Rows[Name];
      Side.Name = std::move(Name);
      Side.Idle += Ns;
    }
  const int64_t Parts =
      Steps ? std::max<int64_t>(1, int64_t(R.InSteps->Count)) : 1;
  std::vector<CpuSide> Result;
  for (auto &[Name, Side] : Rows) {
    Side.Idle /= Parts;
    Result.push_back(std::move(Side));
  }
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

/// Pairs the rows whose key is unique among the unpaired ones of both sides.
template <typename Function>
void pairBy(std::vector<CpuSide> &Base, std::vector<CpuSide> &New,
            std::vector<CpuChange> &Rows, Function KeyOf) {
  std::map<std::string,
           std::pair<std::vector<CpuSide *>, std::vector<CpuSide *>>>
      ByKey;
  for (CpuSide &One : Base)
    if (!One.IsPaired)
      ByKey[KeyOf(One.Name)].first.push_back(&One);
  for (CpuSide &One : New)
    if (!One.IsPaired)
      ByKey[KeyOf(One.Name)].second.push_back(&One);
  for (auto &[Key, Sides] : ByKey)
    if (Sides.first.size() == 1 && Sides.second.size() == 1) {
      CpuSide &B = *Sides.first.front(), &N = *Sides.second.front();
      B.IsPaired = N.IsPaired = true;
      Rows.push_back({N.Name, B.Idle, N.Idle});
    }
}

} // namespace

std::vector<CauseChange> report::causeChanges(const Difference &D) {
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

std::vector<CpuChange> report::cpuChanges(const DiffInput &About) {
  const bool Steps = ofSteps(About.D) && About.Base.R.InSteps.has_value() &&
                     About.New.R.InSteps.has_value();
  std::vector<CpuSide> Base = cpuOf(About.Base, Steps),
                       New = cpuOf(About.New, Steps);
  std::vector<CpuChange> Rows;
  pairBy(Base, New, Rows, [](llvm::StringRef Name) { return Name.str(); });
  pairBy(Base, New, Rows, withoutLines);
  for (const CpuSide &One : New)
    if (!One.IsPaired)
      Rows.push_back({One.Name, 0, One.Idle});
  for (const CpuSide &One : Base)
    if (!One.IsPaired)
      Rows.push_back({One.Name, One.Idle, 0});
  llvm::stable_sort(Rows, [](const CpuChange &A, const CpuChange &B) {
    return std::max(A.Base, A.New) > std::max(B.Base, B.New);
  });
  return Rows;
}

Section report::causeChangeSection(const Difference &D) {
  const bool Steps = ofSteps(D);
  Section S;
  S.Heading = Steps ? "Why the GPU was idle in the steps (means per step)"
                    : "Why the GPU was idle (whole run)";
  Table T({{"cause", true},
           {Steps ? "idle/step, base" : "idle, base"},
           {"new"},
           {Steps ? "of the step, base" : "of the GPU's span, base"},
           {"new"}});
  for (const CauseChange &C : causeChanges(D))
    T.addRow({phrase(C.Kind).str(), duration(C.Base.Time), duration(C.New.Time),
              percent(double(C.Base.Share), 1e6),
              percent(double(C.New.Share), 1e6)});
  return S.add(std::move(T));
}

Section report::cpuChangeSection(const DiffInput &About) {
  const Difference &D = About.D;
  const bool Steps = ofSteps(D);
  Section S;
  S.Heading =
      std::string("Where the CPU was while the GPU lacked work (GPU "
                  "idle, ") +
      (Steps ? "means per step" : "whole run") +
      (D.Base.size() > 1 || D.New.size() > 1 ? "; first run of each side)"
                                             : ")");
  Table T({{"from call to call", true},
           {Steps ? "idle/step, base" : "idle, base"},
           {"new"}});
  T.Limit = 6;
  for (const CpuChange &C : cpuChanges(About))
    T.addRow({C.Name, duration(C.Base), duration(C.New)});
  return S.add(std::move(T));
}
