// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "catalogue/SemanticsJson.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace autoprof::catalogue;
namespace json = llvm::json;
using llvm::StringRef;

namespace {

template <typename T>
void attribute(json::OStream &J, StringRef Key, const std::optional<T> &V) {
  if (V)
    J.attribute(Key, *V);
  else
    J.attribute(Key, nullptr);
}

void attribute(json::OStream &J, StringRef Key, const std::string &V) {
  if (V.empty())
    J.attribute(Key, nullptr);
  else
    J.attribute(Key, json::fixUTF8(V));
}

template <typename T>
void byWork(json::OStream &J, StringRef Key,
            const std::array<std::optional<T>, NumBehind> &Values) {
  if (llvm::none_of(Values, [](const auto &V) { return V.has_value(); })) {
    J.attribute(Key, nullptr);
    return;
  }
  J.attributeObject(Key, [&] {
    for (unsigned I = 0; I < NumBehind; ++I)
      attribute(J, name(PriorWork(I)), Values[I]);
  });
}

/// A fact with its values, including those unknown to this version.
void fact(json::OStream &J, StringRef FactName, const Observation &O) {
  std::vector<StringRef> Known;
  if (std::optional<Fact> F = factNamed(FactName))
    Known = valueNames(O.Known, *F);
  J.attributeArray(FactName, [&] {
    for (StringRef Value : Known)
      J.value(Value);
    for (const auto &[Name, Value] : O.Foreign)
      if (Name == FactName)
        J.value(json::fixUTF8(Value));
  });
}

void facts(json::OStream &J, const Observation &O) {
  std::vector<std::string> Names;
  for (unsigned I = 0; I < NumFacts; ++I)
    if (O.Known.knows(Fact(I)))
      Names.push_back(name(Fact(I)).str());
  for (const auto &[Name, Value] : O.Foreign)
    if (!llvm::is_contained(Names, Name))
      Names.push_back(Name);
  J.attributeObject("facts", [&] {
    for (const std::string &Name : Names)
      fact(J, Name, O);
  });
}

/// One line per measurement: files are compared and searched by line.
void onOneLine(json::OStream &J,
               llvm::function_ref<void(json::OStream &)> Write) {
  J.rawValue([&](llvm::raw_ostream &Out) {
    json::OStream Line(Out);
    Write(Line);
  });
}

void observation(json::OStream &J, const Observation &O, int64_t QueuedNs) {
  std::optional<Verdict> Says = verdict(O, QueuedNs);
  J.object([&] {
    attribute(J, "call", O.Call);
    J.attribute("what", json::fixUTF8(O.Arguments));
    facts(J, O);
    attribute(J, "error", O.Error);
    attribute(J, "first_ns", O.FirstNs);
    attribute(J, "idle_ns", O.IdleNs);
    byWork(J, "behind_ns", O.BehindNs);
    byWork(J, "blocked", O.Blocked);
    J.attribute("slow", O.Slow);
    attribute(J, "waits", Says ? name(Says->Wait).str() : "");
    attribute(J, "waits_for", Says ? name(Says->Target).str() : "");
  });
}

/// One line each, like observations.
void constants(json::OStream &J, const Constants &C) {
  auto List = [&J](StringRef Key, const auto &Values, const auto &Write) {
    J.attributeArray(Key, [&] {
      for (const auto &V : Values)
        onOneLine(J, [&](json::OStream &Line) {
          Line.object([&] { Write(Line, V); });
        });
    });
  };
  auto Kind = [](json::OStream &Line, bool ToDevice, bool Pinned) {
    Line.attribute("direction", directionName(ToDevice));
    Line.attribute("memory", memoryName(Pinned));
  };
  List("copies", C.Copies, [&](json::OStream &Line, const CopyTime &One) {
    Kind(Line, One.ToDevice, One.Pinned);
    Line.attribute("bytes", One.Bytes);
    Line.attribute("count", One.Count);
    Line.attribute("short_ns", One.Short);
    Line.attribute("median_ns", One.Median);
    Line.attribute("long_ns", One.Long);
    Line.attribute("host_ns", One.Host);
  });
  List("copy_rates", copyRates(C), [&](json::OStream &Line, const CopyRate &R) {
    Kind(Line, R.ToDevice, R.Pinned);
    Line.attribute("bytes_per_second", R.BytesPerSecond);
    Line.attribute("fixed_ns", R.Fixed);
  });
  List("pauses", C.Pauses, [&](json::OStream &Line, const PauseTime &One) {
    Line.attribute("between", pauseName(One.ChangesEngine));
    Line.attribute("events", One.Events);
    Line.attribute("count", One.Count);
    Line.attribute("short_ns", One.Short);
    Line.attribute("median_ns", One.Median);
  });
}

} // namespace

void autoprof::catalogue::writeSemantics(const Semantics &S,
                                         llvm::raw_ostream &Out) {
  json::OStream J(Out, 2);
  J.object([&] {
    J.attribute("schema", SemanticsSchema);
    attribute(J, "made", S.Made);
    J.attribute("gpu", json::fixUTF8(S.Gpu));
    attribute(J, "compute_capability", S.ComputeCapability);
    attribute(J, "driver", S.Driver);
    attribute(J, "cuda", S.Cuda);
    attribute(J, "host", S.Host);
    J.attribute("gpus", S.Gpus);
    J.attribute("queued_ns", S.QueuedNs);
    attribute(J, "queue_depth", S.QueueDepth);
    attribute(J, "pageable_memory_access", S.PageableMemoryAccess);
    J.attributeArray("observations", [&] {
      for (const Observation &O : S.Observations)
        onOneLine(
            J, [&](json::OStream &Line) { observation(Line, O, S.QueuedNs); });
    });
    J.attributeArray("skipped", [&] {
      for (const SkippedLibrary &L : S.Skipped)
        J.object([&] {
          J.attribute("library", json::fixUTF8(L.Library));
          J.attribute("why", json::fixUTF8(L.Reason));
        });
    });
    constants(J, S.Machine);
  });
  Out << '\n';
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
