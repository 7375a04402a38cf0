// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/recording/Sentences.h"

#include "analysis/common/KernelName.h"
#include "report/Format.h"
#include "report/recording/CallName.h"
#include "report/recording/Sections.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

using namespace autoprof;
using namespace autoprof::report;
using namespace autoprof::analysis;
using trace::None;
using trace::Timeline;

namespace {

/// Names of kernels are cut to this length in sentences. Tables shorten them so
/// that different names differ.
constexpr size_t LongestKernel = 40, Whole = SIZE_MAX;

/// "loop at train.cu:12", "forward (train.cu:40)", "step".
std::string rangeText(const trace::Site &S) {
  if (S.Kind == "loop")
    return "loop at " + place(S);
  return S.Function + (S.File.empty() ? "" : " (" + place(S) + ")");
}

/// Without the wrapper that autograd puts around each operator; of a long path,
/// only the ends: "aten::to > ... > aten::copy_".
std::string shortOperator(llvm::StringRef Path) {
  constexpr llvm::StringLiteral Between = " > ";
  if (Path.starts_with("autograd::engine::evaluate_function: "))
    if (auto [Engine, Rest] = Path.split(Between); !Rest.empty())
      Path = Rest;
  auto [First, Rest] = Path.split(Between);
  if (!Rest.contains(Between))
    return Path.str();
  return (First + " > ... > " + Rest.rsplit(Between).second).str();
}

/// As in the table of waits, if it is in there.
std::string operatorText(const Timeline &T, const Result &R, uint32_t Site) {
  const llvm::StringRef Path = T.Sites[Site].Callee;
  for (const SiteRow &Row : R.Sites)
    if (Row.Site == Site && Row.Waits)
      return callName(Row).str();
  return shortOperator(Path);
}

} // namespace

std::vector<const BusyRow *> report::byIdle(const Result &R) {
  std::vector<const BusyRow *> Rows;
  for (const BusyRow &Row : R.Busy)
    Rows.push_back(&Row);
  llvm::stable_sort(Rows, [](const BusyRow *A, const BusyRow *B) {
    return A->Idle > B->Idle;
  });
  return Rows;
}

std::string report::rangeNameOf(const trace::Site &S) {
  return S.Kind == "loop" ? S.Kind : S.Function;
}

/// "loops.py:75 cudaStreamSynchronize", "step: launch of gemm_128".
static std::string placeText(const Timeline &T, const Result &R,
                             const CallPlace &P, size_t Longest = Whole) {
  if (!P.isKnown())
    return "the thread's start";
  if (P.isOwn()) {
    const trace::Site &S = T.Sites[P.Site];
    const std::string Name =
        S.isOperator() ? operatorText(T, R, P.Site) : S.Callee;
    return S.File.empty() && !Name.empty() ? Name : placeAndCall(S, Name);
  }
  const llvm::StringRef Name = T.Strings[P.Name];
  return (P.Site == None ? "" : rangeText(T.Sites[P.Site]) + ": ") +
         (P.IsKernel ? LaunchOf.str() + shortName(Name, Longest) : Name.str());
}

std::string report::busySentence(const Timeline &T, const Result &R,
                                 const BusyRow &Row) {
  const std::string Before = placeText(T, R, Row.Before, LongestKernel);
  if (Row.Call != None)
    return "in " + Before;
  return Before + " to " + placeText(T, R, Row.After, LongestKernel);
}

/// `InRows`: ns. The causes of idle time last until the GPU starts; the rows,
/// until the CPU has launched. Of several GPUs, the rows are sums.
static std::string restText(const Input &Subject, int64_t InRows) {
  const Result &R = Subject.R;
  if (Subject.T.Devices.size() > 1)
    return "";
  const std::vector<CauseTotal> &Gaps = R.InSteps ? R.InSteps->Gaps : R.Gaps;
  const int64_t All = Gaps[unsigned(Cause::HostBusy)].Total +
                      Gaps[unsigned(Cause::LaunchBound)].Total;
  if (20 * (All - InRows) < All)
    return "";
  return fmt::format("A further {}{} of this idle time passed between launches "
                     "and the start of their work on the GPU.",
                     each(Subject, All - InRows), R.InSteps ? " per step" : "");
}

Section report::busyCpuSection(const Input &Subject) {
  const Result &R = Subject.R;
  const bool Steps = R.InSteps.has_value();
  Section Result;
  Result.Heading = "Where the CPU was while the GPU lacked work";
  Table T({{"from call to call", true},
           {Steps ? "times/step" : "times"},
           {Steps ? "CPU/step" : "CPU"},
           {Steps ? "GPU idle/step" : "GPU idle"},
           {Steps ? "of the step" : "of the GPU's span"}});
  T.Limit = 6;
  const std::vector<const BusyRow *> Rows = byIdle(R);
  int64_t Idle = 0;
  for (const BusyRow *Row : Rows)
    Idle += Row->Idle;
  Result.Where = 20 * Idle < idleBasis(R) || areLinesTelling(Subject)
                     ? Shown::InFull
                     : Shown::Everywhere;
  constexpr size_t LongestEnd = 90;
  std::vector<std::string> Ends;
  for (const BusyRow *Row : Rows)
    Ends.push_back("to " + placeText(Subject.T, R, Row->After, Whole));
  Ends = shortenAll(Ends, LongestEnd);
  for (size_t I = 0; I < Rows.size(); ++I) {
    const BusyRow *Row = Rows[I];
    T.addRow({(Row->Call != None ? "in " : "") +
                  placeText(Subject.T, R, Row->Before),
              Steps ? timesPerStep(Subject, Row->Count) : count(Row->Count),
              each(Subject, Row->Cpu), each(Subject, Row->Idle),
              percent(double(Row->Idle), double(idleBasis(R)))});
    if (Row->Call == None)
      T.addNote(Ends[I]);
  }
  if (T.empty())
    return Result;
  return Result.add(std::move(T)).say(restText(Subject, Idle));
}

const BusyRow *report::mainBusyRow(const Input &Subject) {
  const auto &S = Subject.R.InSteps;
  if (!S || S->Limit != Regime::CpuBound)
    return nullptr;
  const std::vector<const BusyRow *> Rows = byIdle(Subject.R);
  const int64_t Idle = S->Gaps[unsigned(Cause::HostBusy)].Total;
  return !Rows.empty() && 4 * Rows[0]->Idle >= Idle ? Rows[0] : nullptr;
}
