// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/Format.h"
#include "report/JsonFields.h"
#include "report/recording/CallName.h"
#include "report/recording/JsonParts.h"
#include "report/recording/Sections.h"
#include "report/recording/Sentences.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <fmt/format.h>

using namespace autoprof;
using namespace autoprof::report;
using namespace autoprof::analysis;
using llvm::StringRef;
using trace::MemoryKind;

namespace {

StringRef nameOfCall(const Input &Subject, const TransferRow &Row) {
  return Row.Site != trace::None && Subject.T.Sites[Row.Site].isOperator()
             ? operatorName(Row.Call)
             : StringRef(Row.Call);
}

/// What sums are divided by.
int64_t parts(const Input &Subject) {
  return Subject.R.InSteps
             ? std::max<int64_t>(1, int64_t(Subject.R.InSteps->Count))
             : 1;
}

int64_t wholeSpan(const Input &Subject) {
  return Subject.R.InSteps ? Subject.R.InSteps->Span : Subject.R.Span;
}

std::string mean(const Input &Subject, int64_t Sum) {
  return duration(Sum / parts(Subject));
}

/// "to the GPU, pageable".
std::string kindOf(const TransferRow &Row) {
  return std::string(Row.Dir == trace::Direction::HtoD ? "to the GPU"
                                                       : "to the host") +
         (Row.Memory == MemoryKind::Unknown
              ? ""
              : ", " + analysis::name(Row.Memory).str());
}

uint64_t meanBytes(const TransferRow &Row) {
  const TransferSums &S = Row.sums();
  return S.Count ? S.Bytes / S.Count : 0;
}

StringRef sourceText(ConstantSource S) {
  constexpr llvm::StringLiteral Texts[] = {
      "as in this recording", "as measured by 'autoprof calibrate'",
      "a built-in figure: an H200 at best, a slower bus at worst; 'autoprof "
      "calibrate' measures a machine"};
  return Texts[unsigned(S)];
}

bool isPinning(Edit Kind) {
  return Kind == Edit::Pin || Kind == Edit::PinAsync;
}

/// "from pinned memory 410 to 450 us (35 to 39 %)".
std::string answerText(const Input &Subject, const WhatIfRow &Row) {
  const TransferRow &Transfer = Subject.R.Transfers[Row.Transfer];
  const bool Up = Transfer.Dir == trace::Direction::HtoD;
  std::string Change;
  if (Row.Kind == Edit::RemoveTransfer)
    Change = "without the copy";
  else
    Change = std::string(Up ? "from" : "to") + " pinned memory" +
             (Row.Kind == Edit::PinAsync ? " and without waiting" : "");
  const ExpectedGain Gain = gainOf(Subject.R, Row);
  const int64_t Low = std::max<int64_t>(0, Gain.Saved.Low);
  return fmt::format(
      "{} {} ({})", Change, durations(Low, Gain.Saved.High),
      percents(double(Low), double(Gain.Saved.High), double(Gain.Whole)));
}

std::vector<const WhatIfRow *> answersOf(const Input &Subject, uint32_t Index) {
  std::vector<const WhatIfRow *> Result;
  for (const WhatIfRow &Row : Subject.R.WhatIfs.Answers)
    if (Row.Transfer == Index)
      Result.push_back(&Row);
  return Result;
}

/// "saves per step: from pinned memory ..., without the copy ...; ..."; "":
/// nothing was asked.
std::string savings(const Input &Subject, uint32_t Index) {
  std::vector<std::string> Parts;
  bool Pins = false;
  for (const WhatIfRow *Row : answersOf(Subject, Index)) {
    Parts.push_back(answerText(Subject, *Row));
    Pins |= isPinning(Row->Kind);
  }
  if (Parts.empty())
    return "";
  const TransferRow &Transfer = Subject.R.Transfers[Index];
  std::string Text = "saves";
  if (const auto &Steps = Subject.R.InSteps)
    Text += Transfer.sums().Count < Steps->Count ? " per step, on average"
                                                 : " per step";
  Text += ": " + llvm::join(Parts, ", ");
  if (!Pins || Transfer.Memory != MemoryKind::Pageable || !Transfer.Pinned)
    return Text;
  return Text +
         fmt::format("; a pinned copy of {} takes {} ({}); the time to {} "
                     "pinned memory is not included",
                     bytes(meanBytes(Transfer)),
                     durations(Transfer.Pinned->Short, Transfer.Pinned->Long),
                     sourceText(Transfer.Pinned->From).str(),
                     Transfer.Dir == trace::Direction::HtoD ? "fill" : "read");
}

} // namespace

/// Without the caller, which several may share.
static std::string ownName(const Input &Subject, const TransferRow &Row) {
  return nameAt(Subject.T, Row.Site, nameOfCall(Subject, Row));
}

/// The outermost operator around the call, unless another row of the same name
/// has it, too: then all of them.
static StringRef callerOf(const Input &Subject, const TransferRow &Row) {
  const auto Outermost = [](const TransferRow &R) {
    return StringRef(R.Call).split(" > ").first;
  };
  const std::string Name = ownName(Subject, Row), Kind = kindOf(Row);
  bool HasTwins = false;
  for (const TransferRow &Other : Subject.R.Transfers) {
    if (&Other == &Row || kindOf(Other) != Kind ||
        ownName(Subject, Other) != Name)
      continue;
    HasTwins = true;
    if (Outermost(Other) == Outermost(Row))
      return Row.Call;
  }
  return HasTwins ? Outermost(Row) : StringRef();
}

std::string report::transferName(const Input &Subject, const TransferRow &Row) {
  const StringRef Caller = callerOf(Subject, Row);
  return ownName(Subject, Row) + (Caller.empty() ? "" : " in " + Caller.str());
}

namespace {

/// Rows that would look the same in the table: those of one operator that is
/// called by others, for example by each layer of a model.
struct SameTransfers {
  std::string Site, Kind;
  std::vector<uint32_t> Rows; ///< Into Result::Transfers.
  TransferRow Sum;            ///< The first, with the sums of all.
};

void addSums(TransferSums &Sum, const TransferSums &One) {
  Sum.Count += One.Count;
  Sum.Bytes += One.Bytes;
  Sum.Host += One.Host;
  Sum.Waiting += One.Waiting;
  Sum.Gpu += One.Gpu;
}

/// Those that copy anything: first those that are worth a change.
std::vector<SameTransfers> transferGroups(const Input &Subject) {
  std::vector<SameTransfers> Result;
  for (const auto &[I, Row] : llvm::enumerate(Subject.R.Transfers)) {
    std::string Site =
        placeAndCall(Subject.T, Row.Site, nameOfCall(Subject, Row));
    std::string Kind = kindOf(Row);
    auto Same = llvm::find_if(Result, [&](const SameTransfers &G) {
      return G.Site == Site && G.Kind == Kind;
    });
    if (Same == Result.end()) {
      Result.push_back({std::move(Site), std::move(Kind), {uint32_t(I)}, Row});
      continue;
    }
    if (!Row.sums().Count)
      continue;
    Same->Rows.push_back(uint32_t(I));
    addSums(Same->Sum.Run, Row.Run);
    if (Row.Steps)
      addSums(*Same->Sum.Steps, *Row.Steps);
  }
  llvm::erase_if(Result,
                 [&](const SameTransfers &G) { return !G.Sum.sums().Count; });
  auto IsWorth = [&](const SameTransfers &G) {
    return isWorthAsking(G.Sum, wholeSpan(Subject));
  };
  llvm::stable_sort(Result,
                    [&](const SameTransfers &A, const SameTransfers &B) {
                      const TransferSums &X = A.Sum.sums(), &Y = B.Sum.sums();
                      return std::pair(IsWorth(A), X.Host + X.Gpu) >
                             std::pair(IsWorth(B), Y.Host + Y.Gpu);
                    });
  return Result;
}

/// What the row is of and what a change saves: of several, a change of the one
/// with an answer whose copies take longest.
std::string noteOn(const Input &Subject, const SameTransfers &Group) {
  if (Group.Rows.size() == 1)
    return savings(Subject, Group.Rows[0]);
  std::string Sum =
      fmt::format("the sum of {} callers", count(Group.Rows.size()));
  for (uint32_t I : Group.Rows)
    if (std::string Text = savings(Subject, I); !Text.empty())
      return fmt::format("{}; changing only the call in {} {}", Sum,
                         callerOf(Subject, Subject.R.Transfers[I]).str(), Text);
  return Sum;
}

} // namespace

Section report::transferSection(const Input &Subject) {
  const bool Steps = Subject.R.InSteps.has_value();
  Table T({{"site", true},
           {"copies", true},
           {Steps ? "bytes/step" : "bytes"},
           {Steps ? "host/step" : "host"},
           {Steps ? "waiting/step" : "waiting"},
           {Steps ? "GPU/step" : "GPU"}});
  T.Limit = 0;
  for (const SameTransfers &Group : transferGroups(Subject)) {
    const TransferSums &S = Group.Sum.sums();
    T.addRow({Group.Site, Group.Kind, bytes(S.Bytes / uint64_t(parts(Subject))),
              mean(Subject, S.Host), mean(Subject, S.Waiting),
              mean(Subject, S.Gpu)});
    T.addNote(noteOn(Subject, Group));
    if (isWorthAsking(Group.Sum, wholeSpan(Subject)))
      T.Limit = T.size();
  }
  Section Result;
  Result.Heading = Steps ? "Transfers in the steps, by host and GPU time"
                         : "Transfers, by host and GPU time";
  Result.Where = T.Limit ? Shown::Everywhere : Shown::InFull;
  return Result.add(std::move(T));
}

namespace {

void sumFields(Fields &F, const TransferSums &S) {
  F.field("count", "copies", S.Count);
  F.field("bytes", "in all", S.Bytes);
  F.field("host_ns", "host time in the calls", S.Host);
  F.field("wait_ns",
          "of it waiting for earlier work; the rest is the copy itself: the "
          "driver's copying of pageable memory, and waiting for the transfer",
          S.Waiting);
  F.field("gpu_ns", "time of the copies on the GPU", S.Gpu);
}

void rowFields(Fields &F, const Input &Subject, const TransferRow &Row) {
  callFields(F, siteAt(Subject.T, Row.Site), Row.Call);
  F.choice("direction", "to the GPU, or to the host", name(Row.Dir),
           {"HtoD", "DtoH"});
  F.choice("memory", "the host's; null: not known, or managed",
           Row.Memory == MemoryKind::Pageable ||
                   Row.Memory == MemoryKind::Pinned
               ? name(Row.Memory)
               : "",
           {"pageable", "pinned", ""});
  F.field("blocks", "whether the host goes on only when the copy is done",
          Row.Blocks);
  sumFields(F, Row.Run);
  F.object("steps", "the same of the steps that count; null without steps",
           Row.Steps, [&](const TransferSums &S) { sumFields(F, S); });
  F.object(
      "pinned",
      "what a copy of the mean size would take on the GPU from or to pinned "
      "memory; null unless the memory is pageable and was asked about",
      Row.Pinned, [&](const PinnedCopies::Estimate &E) {
        F.field("low_ns", "at least", E.Short);
        F.field("high_ns", "at most", E.Long);
        F.choice("source",
                 "measured in this recording, by `autoprof calibrate` on its "
                 "machine, or built in (an H200)",
                 E.From, ConstantSource::BuiltIn);
      });
}

} // namespace

void report::transferFields(Fields &F, const Input &Subject) {
  F.list("transfers",
         "copies between host and GPU that calls of their own make, by site, "
         "direction and kind of memory; what changing them saves is in "
         "`what_if[]`. Empty where waits are not known",
         Subject.R.Transfers,
         [&](const TransferRow &Row) { rowFields(F, Subject, Row); });
  F.object("replay_constants",
           "where the pauses that the replay adds come from; null where "
           "nothing was replayed",
           Subject.R.Constants, [&](const ReplayConstants &C) {
             F.choice("pause_between_kernels",
                      "measured in this recording, by `autoprof calibrate` on "
                      "its machine, or built in (an H200)",
                      C.Pauses[false], ConstantSource::BuiltIn);
             F.choice("pause_between_kernel_and_copy",
                      "measured in this recording, by `autoprof calibrate` on "
                      "its machine, or built in (an H200)",
                      C.Pauses[true], ConstantSource::BuiltIn);
             F.field("collectives",
                     "kernels of NCCL in the run, which wait for other ranks; "
                     "0 in a run of one rank",
                     C.Collectives);
           });
}
