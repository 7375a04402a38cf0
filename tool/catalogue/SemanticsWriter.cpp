// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "catalogue/SemanticsJson.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace autoprof::catalogue;
namespace json = llvm::json;
using autoprof::fields::Fields;
using llvm::StringRef;

namespace {

/// The facts of the arguments with their values, including those unknown to
/// this version.
std::map<std::string, std::vector<std::string>>
namedFacts(const Observation &O) {
  std::map<std::string, std::vector<std::string>> Result;
  for (unsigned I = 0; I < NumFacts; ++I)
    if (O.Known.knows(Fact(I)))
      for (StringRef Value : valueNames(O.Known, Fact(I)))
        Result[name(Fact(I)).str()].push_back(Value.str());
  for (const auto &[Name, Value] : O.Foreign)
    Result[Name].push_back(Value);
  return Result;
}

template <typename T> using ByWork = std::array<std::optional<T>, NumBehind>;

/// Null where nothing is known.
template <typename T> const ByWork<T> *known(const ByWork<T> &Values) {
  const bool Any =
      llvm::any_of(Values, [](const auto &V) { return V.has_value(); });
  return Any ? &Values : nullptr;
}

void observationFields(Fields &F, const Observation &O, int64_t QueuedNs) {
  const std::optional<Verdict> Says = verdict(O, QueuedNs);
  F.field("call", "as in the catalogue", O.Call);
  F.field("what", "the arguments in words", O.Arguments);
  F.field(
      "facts",
      "the arguments as the catalogue names them, `{\"direction\": [\"DtoH\"], "
      "\"destination\": [\"Pageable\"]}`; names and values are those of "
      "`rows[].conditions` of [autoprof-call/1](schemas/autoprof-call-1.md)",
      namedFacts(O));
  F.text("error", "why it was not measured; null if it was", O.Error);
  F.field("first_ns", "the first call of the process", O.FirstNs);
  F.field("idle_ns", "with an idle GPU, best of several", O.IdleNs);
  F.object("behind_ns", "after work was queued, best of several",
           known(O.BehindNs), [&](const ByWork<int64_t> &Ns) {
             F.field("own_stream", "on the call's stream, a non-blocking one",
                     Ns[unsigned(PriorWork::OwnStream)]);
             F.field("other_nonblocking", "on another non-blocking stream",
                     Ns[unsigned(PriorWork::OtherNonBlocking)]);
             F.field("other_blocking", "on another blocking stream",
                     Ns[unsigned(PriorWork::OtherBlocking)]);
             F.field("legacy_stream", "on the legacy default stream",
                     Ns[unsigned(PriorWork::Legacy)]);
           });
  F.object(
      "blocked", "true: the call did not return before the kernel gave up",
      known(O.Blocked), [&](const ByWork<bool> &Is) {
        F.field("own_stream", "with the kernel on the call's stream",
                Is[unsigned(PriorWork::OwnStream)]);
        F.field("other_nonblocking",
                "with the kernel on another non-blocking stream",
                Is[unsigned(PriorWork::OtherNonBlocking)]);
        F.field("other_blocking", "with the kernel on another blocking stream",
                Is[unsigned(PriorWork::OtherBlocking)]);
        F.field("legacy_stream", "with the kernel on the legacy default stream",
                Is[unsigned(PriorWork::Legacy)]);
      });
  F.field("slow", "it did not wait, and took more than 200 us", O.Slow);
  F.choice("waits",
           "what follows; null where too little was measured; not read",
           Says ? name(Says->Wait) : "", {"yes", "no", "slow", ""});
  F.choice("waits_for", "what follows; not read",
           Says ? name(Says->Target) : "", {"stream", "device", "nothing", ""});
}

void copyKindFields(Fields &F, bool ToDevice, bool Pinned) {
  F.choice("direction", "to the GPU, or to the host", directionName(ToDevice),
           {"HtoD", "DtoH"});
  F.choice("memory", "the host's", memoryName(Pinned), {"pageable", "pinned"});
}

void constantsFields(Fields &F, const Constants &C) {
  F.lines("copies",
          "how long copies between GPU and host take, recorded as programs "
          "are; absent in files of older versions, as the next two",
          C.Copies, [&](const CopyTime &One) {
            copyKindFields(F, One.ToDevice, One.Pinned);
            F.field("bytes", "of each copy", One.Bytes);
            F.field("count", "copies that were measured", One.Count);
            F.field("short_ns", "time on the GPU: a tenth of them are shorter",
                    One.Short);
            F.field("median_ns", "time on the GPU, median", One.Median);
            F.field("long_ns", "time on the GPU: a tenth of them are longer",
                    One.Long);
            F.field("host_ns", "time in the synchronous call, median",
                    One.Host);
          });
  F.lines("copy_rates", "what follows from them; not read", copyRates(C),
          [&](const CopyRate &R) {
            copyKindFields(F, R.ToDevice, R.Pinned);
            F.field("bytes_per_second", "between the two largest sizes",
                    R.BytesPerSecond);
            F.field("fixed_ns", "what the smallest takes besides", R.Fixed);
          });
  F.lines(
      "pauses",
      "how long a stream pauses between two operations that are both queued",
      C.Pauses, [&](const PauseTime &One) {
        F.choice("between", "operations of one kind, or a kernel and a copy",
                 pauseName(One.ChangesEngine), {"kernels", "kernel_and_copy"});
        F.field("events", "recorded between their launches; 2: or more",
                One.Events);
        F.field("count", "pauses that were measured", One.Count);
        F.field("short_ns", "a tenth of them are shorter", One.Short);
        F.field("median_ns", "median", One.Median);
      });
}

} // namespace

void autoprof::catalogue::semanticsFields(Fields &F, const Semantics &S) {
  F.format(SemanticsSchema,
           "What `autoprof calibrate` writes: one observation per line. Times "
           "are those of the calling host thread.");
  F.text("made", "when, UTC, ISO 8601", S.Made);
  F.field("gpu", "name of the GPU", S.Gpu);
  F.text("compute_capability", "`9.0`", S.ComputeCapability);
  F.text("driver", "version of the driver", S.Driver);
  F.text("cuda", "version of CUDA that was used", S.Cuda);
  F.text("host", "name of the machine", S.Host);
  F.field("gpus", "GPUs that could be used", S.Gpus);
  F.field("queued_ns", "how long the kernel queued before a call spins at most",
          S.QueuedNs);
  F.field("queue_depth",
          "launches that a stream takes before one waits for a free slot",
          S.QueueDepth);
  F.field("pageable_memory_access",
          "whether the GPU reads pageable memory by itself",
          S.PageableMemoryAccess);
  F.lines("observations", "one call with one kind of arguments", S.Observations,
          [&](const Observation &O) { observationFields(F, O, S.QueuedNs); });
  F.list("skipped", "libraries that were left out", S.Skipped,
         [&](const SkippedLibrary &L) {
           F.field("library", "as in the catalogue", L.Library);
           F.field("why", "the reason", L.Reason);
         });
  constantsFields(F, S.Machine);
}

void autoprof::catalogue::writeSemantics(const Semantics &S,
                                         llvm::raw_ostream &Out) {
  fields::writeFields(Out, [&](Fields &F) { semanticsFields(F, S); });
}

std::string autoprof::catalogue::constantsOf(const Semantics &S) {
  Semantics Kept = S;
  Kept.Observations.clear();
  Kept.Skipped.clear();
  std::string Lines;
  llvm::raw_string_ostream Out(Lines);
  writeSemantics(Kept, Out);
  return llvm::formatv("{0}", llvm::cantFail(json::parse(Lines)));
}
