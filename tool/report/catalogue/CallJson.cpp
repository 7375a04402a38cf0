// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/catalogue/Calls.h"
#include "report/catalogue/Formats.h"

using namespace autoprof;
using namespace autoprof::report;
using namespace autoprof::catalogue;
using fields::Fields;
using llvm::StringRef;

namespace {

void measuredFields(Fields &F, const Seen &S, const Semantics *Calibration) {
  static const Observation NoObservation;
  static const Semantics NoMachine;
  const Observation &O = S.O ? *S.O : NoObservation;
  const Semantics &On = S.Calibrations ? *S.Calibrations : NoMachine;
  auto Behind = [&](PriorWork Work) { return O.BehindNs[unsigned(Work)]; };
  F.field("call", "the call", O.Call);
  F.text("what", "with which arguments, in words; null: no particular ones",
         O.Arguments);
  F.field("here",
          "true: from the file of `--semantics`; false: ships with autoprof",
          S.Calibrations == Calibration);
  F.text("gpu", "name of the GPU", On.Gpu);
  F.text("driver", "version of the driver", On.Driver);
  F.text("cuda", "version of the toolkit", On.Cuda);
  F.text("error", "why it could not be measured; null if it was", O.Error);
  F.field("queued_ns", "GPU work queued before the call", On.QueuedNs);
  F.field("first_ns", "host time in the first call of the process", O.FirstNs);
  F.field("idle_ns", "host time in the call when the GPU was idle", O.IdleNs);
  F.field("own_stream_ns",
          "host time in the call after that work was queued on the call's "
          "stream, a non-blocking one",
          Behind(PriorWork::OwnStream));
  F.field("other_nonblocking_ns",
          "the same with the work on another non-blocking stream",
          Behind(PriorWork::OtherNonBlocking));
  F.field("other_blocking_ns",
          "the same with the work on another blocking stream",
          Behind(PriorWork::OtherBlocking));
  F.field("legacy_stream_ns",
          "the same with the work on the legacy default stream",
          Behind(PriorWork::Legacy));
  F.field("waited",
          "the host waited for that work, on one of the streams; null: unknown",
          S.Says ? std::optional(mayWait(S.Says->Wait)) : std::nullopt);
  F.choice("waited_for", "what it waited for",
           S.Says ? name(S.Says->Target) : "",
           {"stream", "device", "nothing", ""});
}

void conditionFields(Fields &F, const catalogue::Facts &Condition) {
  // What a row of a call may depend on.
  auto Values = [&](StringRef Key, StringRef About, Fact Of) {
    catalogue::Facts All;
    All.Possible[unsigned(Of)] = everyValue(Of);
    F.mayLack(Condition.knows(Of), [&] {
      F.choices(Key, About, valueNames(Condition, Of),
                Of == Fact::Flag ? std::vector<StringRef>()
                                 : valueNames(All, Of));
    });
  };
  Values("direction", "of a copy", Fact::Direction);
  Values("destination", "memory written, set or freed", Fact::Destination);
  Values("source", "memory read", Fact::Source);
  Values("stream", "stream of the call", Fact::Stream);
  Values("size",
         "`UpTo4MiB`: more than 1 and less than 4 MiB; `UpTo64MiB`: 4 MiB or "
         "more, less than 64 MiB",
         Fact::Size);
  Values("pointer_mode", "of a cuBLAS or cuSPARSE handle", Fact::PointerMode);
  Values("flag",
         "what else decides: `SyncPolicy`, `NonBlockingCall`, ... "
         "(`tool/catalogue/Facts.h`)",
         Fact::Flag);
}

/// A row, and the general one of its call.
struct CallRow {
  const Row *Of = &rows().front(), *General = Of;
};

void rowFields(Fields &F, const CallRow &Call, const Semantics *Calibration,
               const ObservationIndex &Measured) {
  const Row &R = *Call.Of, &General = *Call.General;
  // What the user's calibration answers where the row holds.
  const Answer Here = ask(General, R.Condition, Calibration);
  F.field("name",
          "a name that ends with `*` covers all names with that beginning that "
          "have no row of their own",
          R.Name);
  F.field("library", "`cudart`, `cuda`, `cublas`, ...", R.Library);
  F.choice("class", "class of the call", General.Class, CallClass::Other);
  F.text("when", "the condition in words; null without one",
         describe(R.Condition));
  F.object("conditions",
           "the same for programs: for each fact the values under which the "
           "row holds; other facts do not matter",
           [&] { conditionFields(F, R.Condition); });
  F.text(
      "decided_by",
      "where the facts are, `fact=parameter, ...`; null when nothing decides",
      General.DecidedBy);
  F.choice("waits",
           "whether the host waits for the GPU; `slow`: it does not, but takes "
           "long on the CPU",
           R.Wait, Waits::Slow);
  F.choice("waits_for", "what it waits for", R.Target, WaitsFor::Device);
  F.text("why", "one clause; never null with `maybe`", R.Reason);
  F.text(
      "replacement",
      "the cheapest form that does not wait; null when none is needed or known",
      R.Wait == Waits::No ? StringRef() : StringRef(General.Replacement));
  F.field("source", "`documented: ...`, `measured: ...` or `assumed: ...`",
          R.Source);
  F.object("here",
           "with `--semantics`: what the user's calibration answers where the "
           "row holds; null when it does not cover that",
           Here.Measured ? &Here : nullptr, [&](const Answer &A) {
             F.choice("waits",
                      "whether the host waits for the GPU; `slow`: it does "
                      "not, but takes long on the CPU",
                      A.Wait, Waits::Slow);
             F.choice("waits_for", "what it waits for", A.Target,
                      WaitsFor::Device);
             F.field("source", "`measured here: ...`", A.Source);
           });
  F.list("measured", "measurements whose arguments fit this row",
         Measured.under(R),
         [&](const Seen &S) { measuredFields(F, S, Calibration); });
}

struct Differing {
  StringRef Name, Documented, Measured;
};

} // namespace

void report::callFields(Fields &F, StringRef Asked, const Row *Only,
                        const Semantics *Calibration) {
  const ObservationIndex Measured{calibrations(Calibration)};
  std::vector<CallRow> Rows;
  std::vector<Seen> All;
  std::vector<Differing> Differ;
  for (const Row &General : rows()) {
    if (!General.General || (Only && &General != Only))
      continue;
    Rows.push_back({&General, &General});
    for (const Row &R : conditional(General))
      Rows.push_back({&R, &General});
    for (const Seen &S : Measured.of(General))
      All.push_back(S);
  }
  for (const Disagreement &D : disagreements())
    if (!Only || D.Name == Only->Name)
      Differ.push_back({D.Name, D.Documented, D.Measured});
  F.format(
      "autoprof-call/1",
      "`--format=json` of `autoprof explain`: the rows of one call, or of all. "
      "The first row of a call has no condition, and holds when nothing is "
      "known about its arguments; of the others the first that fits holds.");
  F.text("call", "as asked for; null with `--all`", Asked);
  F.list(
      "rows", "the rows of one call follow each other", Rows,
      [&](const CallRow &Call) { rowFields(F, Call, Calibration, Measured); });
  F.list("measured",
         "all measurements of the call, or of all calls: the user's first, "
         "then those that ship",
         All, [&](const Seen &S) { measuredFields(F, S, Calibration); });
  F.list("disagreements", "where documentation and measurement differ", Differ,
         [&](const Differing &D) {
           F.field("call", "the call", D.Name);
           F.field("documented", "what the documentation states", D.Documented);
           F.field("measured", "what was measured", D.Measured);
         });
}

void report::writeCallJson(llvm::raw_ostream &Out, const CallInput &Call,
                           const TextStyle &) {
  fields::writeFields(Out, [&](Fields &F) {
    callFields(F, Call.Asked, &Call.General, Call.Calibration);
  });
}

void report::writeCatalogueJson(llvm::raw_ostream &Out,
                                const CatalogueInput &About,
                                const TextStyle &) {
  fields::writeFields(
      Out, [&](Fields &F) { callFields(F, "", nullptr, About.Calibration); });
}
