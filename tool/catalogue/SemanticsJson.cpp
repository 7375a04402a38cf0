// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "catalogue/SemanticsJson.h"

#include "config/ParseJson.h"

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
using NamedFacts = std::map<std::string, std::vector<std::string>>;

NamedFacts namedFacts(const Observation &O) {
  NamedFacts Result;
  for (unsigned I = 0; I < NumFacts; ++I)
    if (O.Known.knows(Fact(I)))
      for (StringRef Value : valueNames(O.Known, Fact(I)))
        Result[name(Fact(I)).str()].push_back(Value.str());
  for (const auto &[Name, Value] : O.Foreign)
    Result[Name].push_back(Value);
  return Result;
}

/// The inverse.
void setFacts(const NamedFacts &Named, Observation &O) {
  for (const auto &[Name, Values] : Named) {
    const std::optional<Fact> F = factNamed(Name);
    uint32_t Bits = 0;
    for (const std::string &Value : Values)
      if (const auto Bit = F ? valueNamed(*F, Value) : std::nullopt)
        Bits |= *Bit;
      else
        O.Foreign.push_back({Name, Value});
    if (Bits && Bits != everyValue(*F))
      O.Known.Possible[unsigned(*F)] = Bits;
  }
}

template <typename T> using ByWork = std::array<std::optional<T>, NumBehind>;

/// A value for each PriorWork, with what each means; null where nothing is
/// known.
template <typename T>
void byWorkFields(Fields &F, StringRef Key, StringRef About, ByWork<T> &Values,
                  const std::array<StringRef, NumBehind> &Meanings) {
  std::optional<ByWork<T>> Known;
  if (llvm::any_of(Values, [](const auto &V) { return V.has_value(); }))
    Known = Values;
  F.object(Key, About, Known, [&](ByWork<T> &Of) {
    for (unsigned I = 0; I < NumBehind; ++I)
      F.field(name(PriorWork(I)), Meanings[I], Of[I]);
  });
  Values = Known.value_or(ByWork<T>());
}

void observationFields(Fields &F, Observation &O, int64_t QueuedNs) {
  F.field("call", "as in the catalogue", O.Call);
  if (F.reads() && O.Call.empty())
    F.complain("call", "is not the name of a call");
  F.field("what", "the arguments in words", O.Arguments);
  NamedFacts Named = namedFacts(O);
  F.field(
      "facts",
      "the arguments as the catalogue names them, `{\"direction\": [\"DtoH\"], "
      "\"destination\": [\"Pageable\"]}`; names and values are those of "
      "`rows[].conditions` of [autoprof-call/1](schemas/autoprof-call-1.md)",
      Named);
  if (F.reads())
    setFacts(Named, O);
  F.text("error", "why it was not measured; null if it was", O.Error);
  F.field("first_ns", "the first call of the process", O.FirstNs);
  F.field("idle_ns", "with an idle GPU, best of several", O.IdleNs);
  byWorkFields(F, "behind_ns", "after work was queued, best of several",
               O.BehindNs,
               {"on the call's stream, a non-blocking one",
                "on another non-blocking stream", "on another blocking stream",
                "on the legacy default stream"});
  byWorkFields(F, "blocked",
               "true: the call did not return before the kernel gave up",
               O.Blocked,
               {"with the kernel on the call's stream",
                "with the kernel on another non-blocking stream",
                "with the kernel on another blocking stream",
                "with the kernel on the legacy default stream"});
  F.field("slow", "it did not wait, and took more than 200 us", O.Slow);
  const std::optional<Verdict> Says = verdict(O, QueuedNs);
  F.choice("waits",
           "what follows; null where too little was measured; not read",
           Says ? name(Says->Wait) : "", {"yes", "no", "slow", ""});
  F.choice("waits_for", "what follows; not read",
           Says ? name(Says->Target) : "", {"stream", "device", "nothing", ""});
}

template <typename Copy> void copyKindFields(Fields &F, Copy &C) {
  F.either("direction", "to the GPU, or to the host", C.ToDevice, "HtoD",
           "DtoH");
  F.either("memory", "the host's", C.Pinned, "pinned", "pageable");
}

void constantsFields(Fields &F, Constants &C) {
  F.lines("copies",
          "how long copies between GPU and host take, recorded as programs "
          "are; absent in files of older versions, as the next two",
          C.Copies, [&](CopyTime &One) {
            copyKindFields(F, One);
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
            copyKindFields(F, R);
            F.field("bytes_per_second", "between the two largest sizes",
                    R.BytesPerSecond);
            F.field("fixed_ns", "what the smallest takes besides", R.Fixed);
          });
  F.lines(
      "pauses",
      "how long a stream pauses between two operations that are both queued",
      C.Pauses, [&](PauseTime &One) {
        F.either("between", "operations of one kind, or a kernel and a copy",
                 One.ChangesEngine, "kernel_and_copy", "kernels");
        F.field("events", "recorded between their launches; 2: or more",
                One.Events);
        F.field("count", "pauses that were measured", One.Count);
        F.field("short_ns", "a tenth of them are shorter", One.Short);
        F.field("median_ns", "median", One.Median);
      });
  if (!F.reads())
    return;
  llvm::erase_if(C.Copies, [](const CopyTime &One) {
    return One.Bytes <= 0 || One.Short <= 0 || One.Median < One.Short ||
           One.Long < One.Median;
  });
  llvm::erase_if(C.Pauses, [](const PauseTime &One) {
    return One.Count <= 0 || One.Median < One.Short;
  });
}

/// Text is printed on terminals, which obey control characters: those of ASCII
/// and, in UTF-8, U+0080 to U+009F.
bool hasControls(StringRef Text) {
  for (size_t I = 0; I < Text.size(); ++I) {
    const auto C = (unsigned char)Text[I];
    if (C < 0x20 || C == 0x7f)
      return true;
    // In valid UTF-8, a byte follows 0xc2.
    if (C == 0xc2 && I + 1 < Text.size() && (unsigned char)Text[I + 1] < 0xa0)
      return true;
  }
  return false;
}

bool hasControls(const json::Value &V) {
  if (const std::optional<StringRef> Text = V.getAsString())
    return hasControls(*Text);
  if (const json::Array *All = V.getAsArray())
    return llvm::any_of(
        *All, [](const json::Value &One) { return hasControls(One); });
  const json::Object *O = V.getAsObject();
  return O && llvm::any_of(*O, [](const auto &Entry) {
           return hasControls(StringRef(Entry.first)) ||
                  hasControls(Entry.second);
         });
}

/// Null if `V` can be read, otherwise what is wrong.
llvm::Error checkSchema(const json::Value &V) {
  const json::Object *O = V.getAsObject();
  std::optional<StringRef> Found = O ? O->getString("schema") : std::nullopt;
  if (Found && Found != StringRef(SemanticsSchema) &&
      Found->starts_with("autoprof-semantics/"))
    return llvm::createStringError(
        "it was written by another version of autoprof (" +
        Found->take_front(40) + "; this one reads " + SemanticsSchema +
        "): run 'autoprof calibrate' again, or use that version");
  if (Found != StringRef(SemanticsSchema))
    return llvm::createStringError(
        "it is not a calibration (no \"schema\": \"" + SemanticsSchema +
        "\"): make one with 'autoprof calibrate'");
  if (hasControls(V))
    return llvm::createStringError("it has text with control characters");
  return llvm::Error::success();
}

} // namespace

void autoprof::catalogue::semanticsFields(Fields &F, Semantics &S) {
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
          [&](Observation &O) { observationFields(F, O, S.QueuedNs); });
  F.list("skipped", "libraries that were left out", S.Skipped,
         [&](SkippedLibrary &L) {
           F.field("library", "as in the catalogue", L.Library);
           F.field("why", "the reason", L.Reason);
         });
  F.mayLack(/*Have=*/true, [&] { constantsFields(F, S.Machine); });
}

llvm::Expected<Semantics> autoprof::catalogue::readSemantics(StringRef Json) {
  llvm::Expected<json::Value> V = autoprof::parseJson(Json);
  if (!V)
    return llvm::createStringError("it is not valid JSON: " +
                                   llvm::toString(V.takeError()));
  if (llvm::Error E = checkSchema(*V))
    return std::move(E);
  Semantics Result;
  Fields F(*V->getAsObject());
  semanticsFields(F, Result);
  if (!F.wrong().empty())
    return llvm::createStringError(F.wrong());
  return Result;
}

void autoprof::catalogue::writeSemantics(Semantics S, llvm::raw_ostream &Out) {
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
