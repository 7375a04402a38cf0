// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "catalogue/SemanticsJson.h"

#include "config/ParseJson.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace autoprof::catalogue;
namespace json = llvm::json;
using llvm::StringRef;

namespace {

/// Times in a calibration are at most an hour.
constexpr double MaxInteger = 3.6e12;

// Values with their own validation. llvm::json finds fromJSON by its name.

struct Text {
  std::string &Value;
};

/// Text is printed on terminals, which obey control characters: those of ASCII
/// and, in UTF-8, U+0080 to U+009F.
bool hasControls(StringRef Text) {
  for (size_t I = 0; I < Text.size(); ++I) {
    unsigned char C = Text[I];
    if (C < 0x20 || C == 0x7f)
      return true;
    // In valid UTF-8, a byte follows 0xc2.
    if (C == 0xc2 && I + 1 < Text.size() && (unsigned char)Text[I + 1] < 0xa0)
      return true;
  }
  return false;
}

bool fromJSON(const json::Value &V, Text &Out, json::Path P) {
  if (!fromJSON(V, Out.Value, P))
    return false;
  if (!hasControls(Out.Value))
    return true;
  P.report("expected text without control characters");
  return false;
}

struct OptionalText {
  std::string &Value;
};

bool fromJSON(const json::Value &V, OptionalText &Out, json::Path P) {
  Text Inner{Out.Value};
  return V.getAsNull() || fromJSON(V, Inner, P);
}

/// Integer, or a count.
struct Integer {
  std::optional<int64_t> &Value;
};

bool fromJSON(const json::Value &V, Integer &Out, json::Path P) {
  if (V.getAsNull())
    return true;
  std::optional<double> Number = V.getAsNumber();
  if (Number && *Number >= 0 && *Number <= MaxInteger &&
      (Out.Value = V.getAsInteger()))
    return true;
  P.report("expected null or an integer from 0 to 3,600,000,000,000 "
           "(nanoseconds: an hour)");
  return false;
}

/// {"own_stream": VALUE, ...}
template <typename Wrapper, typename Value> struct ByWork {
  std::array<std::optional<Value>, NumBehind> &Values;
};

template <typename Wrapper, typename Value>
bool fromJSON(const json::Value &V, ByWork<Wrapper, Value> &Out, json::Path P) {
  if (V.getAsNull())
    return true;
  const json::Object *O = V.getAsObject();
  if (!O) {
    P.report("expected an object");
    return false;
  }
  for (unsigned I = 0; I < NumBehind; ++I)
    if (const json::Value *Inner = O->get(name(PriorWork(I)))) {
      Wrapper W{Out.Values[I]};
      if (!fromJSON(*Inner, W, P.field(name(PriorWork(I)))))
        return false;
    }
  return true;
}

struct Flag {
  std::optional<bool> &Value;
};

bool fromJSON(const json::Value &V, Flag &Out, json::Path P) {
  if (V.getAsNull() || (Out.Value = V.getAsBoolean()))
    return true;
  P.report("expected true, false, or null");
  return false;
}

struct FactsOf {
  Observation &O;
};

bool readValues(const json::Value &V, StringRef FactName, Observation &O,
                json::Path P) {
  const json::Array *Names = V.getAsArray();
  if (!Names || Names->empty()) {
    P.report("expected a list of at least one value");
    return false;
  }
  std::optional<Fact> F = factNamed(FactName);
  uint32_t Values = 0;
  for (size_t I = 0; I < Names->size(); ++I) {
    std::string Name;
    Text Inner{Name};
    if (!fromJSON((*Names)[I], Inner, P.index(I)))
      return false;
    std::optional<uint32_t> Bit = F ? valueNamed(*F, Name) : std::nullopt;
    if (Bit)
      Values |= *Bit;
    else
      O.Foreign.push_back({FactName.str(), Name});
  }
  if (F && Values && Values != everyValue(*F))
    O.Known.Possible[unsigned(*F)] = Values;
  return true;
}

bool fromJSON(const json::Value &V, FactsOf &Out, json::Path P) {
  const json::Object *Named = V.getAsObject();
  if (!Named) {
    P.report("expected an object");
    return false;
  }
  for (const auto &[Name, Values] : *Named)
    if (!readValues(Values, Name, Out.O, P.field(Name)))
      return false;
  // The object's own order is a hash table's.
  llvm::sort(Out.O.Foreign);
  return true;
}

template <typename T>
bool read(json::ObjectMapper &Mapper, llvm::StringLiteral Key, T Field) {
  return Mapper.mapOptional(Key, Field);
}
} // namespace

namespace autoprof::catalogue {

bool fromJSON(const json::Value &V, Observation &O, json::Path P) {
  json::ObjectMapper Mapper(V, P);
  Text Call{O.Call};
  std::optional<bool> Slow;
  if (!Mapper || !Mapper.map("call", Call) ||
      !read(Mapper, "what", Text{O.Arguments}) ||
      !read(Mapper, "facts", FactsOf{O}) ||
      !read(Mapper, "error", OptionalText{O.Error}) ||
      !read(Mapper, "first_ns", Integer{O.FirstNs}) ||
      !read(Mapper, "idle_ns", Integer{O.IdleNs}) ||
      !read(Mapper, "behind_ns", ByWork<Integer, int64_t>{O.BehindNs}) ||
      !read(Mapper, "blocked", ByWork<Flag, bool>{O.Blocked}) ||
      !read(Mapper, "slow", Flag{Slow}))
    return false;
  O.Slow = Slow.value_or(false);
  if (!O.Call.empty())
    return true;
  P.field("call").report("expected the name of a call");
  return false;
}

bool fromJSON(const json::Value &V, SkippedLibrary &L, json::Path P) {
  json::ObjectMapper Mapper(V, P);
  Text Library{L.Library};
  return Mapper && Mapper.map("library", Library) &&
         read(Mapper, "why", Text{L.Reason});
}

/// Omitted if it is not known.
struct Number {
  int64_t &Value;
};

static bool fromJSON(const json::Value &V, Number &Out, json::Path P) {
  std::optional<int64_t> Found;
  Integer Inner{Found};
  if (!::fromJSON(V, Inner, P))
    return false;
  Out.Value = Found.value_or(0);
  return true;
}

bool fromJSON(const json::Value &V, CopyTime &C, json::Path P) {
  json::ObjectMapper Mapper(V, P);
  std::string Direction, Memory;
  if (!Mapper || !Mapper.map("direction", Direction) ||
      !Mapper.map("memory", Memory) ||
      !read(Mapper, "bytes", Number{C.Bytes}) ||
      !read(Mapper, "count", Number{C.Count}) ||
      !read(Mapper, "short_ns", Number{C.Short}) ||
      !read(Mapper, "median_ns", Number{C.Median}) ||
      !read(Mapper, "long_ns", Number{C.Long}) ||
      !read(Mapper, "host_ns", Number{C.Host}))
    return false;
  C.ToDevice = Direction == directionName(true);
  C.Pinned = Memory == memoryName(true);
  if (Direction != directionName(C.ToDevice) || Memory != memoryName(C.Pinned))
    C.Bytes = 0; // From a later version.
  return true;
}

bool fromJSON(const json::Value &V, PauseTime &T, json::Path P) {
  json::ObjectMapper Mapper(V, P);
  std::string Between;
  if (!Mapper || !Mapper.map("between", Between) ||
      !read(Mapper, "events", Number{T.Events}) ||
      !read(Mapper, "count", Number{T.Count}) ||
      !read(Mapper, "short_ns", Number{T.Short}) ||
      !read(Mapper, "median_ns", Number{T.Median}))
    return false;
  T.ChangesEngine = Between == pauseName(true);
  if (Between != pauseName(T.ChangesEngine))
    T.Count = 0; // From a later version.
  return true;
}

/// Drops entries of kinds that only a later version has, and implausible ones.
static void dropUnknown(Constants &C) {
  llvm::erase_if(C.Copies, [](const CopyTime &One) {
    return One.Bytes <= 0 || One.Short <= 0 || One.Median < One.Short ||
           One.Long < One.Median;
  });
  llvm::erase_if(C.Pauses, [](const PauseTime &One) {
    return One.Count <= 0 || One.Median < One.Short;
  });
}

bool fromJSON(const json::Value &V, Semantics &S, json::Path P) {
  json::ObjectMapper Mapper(V, P);
  Text Gpu{S.Gpu};
  std::optional<int64_t> Gpus, Queued;
  if (!Mapper || !Mapper.map("gpu", Gpu) ||
      !read(Mapper, "made", OptionalText{S.Made}) ||
      !read(Mapper, "compute_capability", OptionalText{S.ComputeCapability}) ||
      !read(Mapper, "driver", OptionalText{S.Driver}) ||
      !read(Mapper, "cuda", OptionalText{S.Cuda}) ||
      !read(Mapper, "host", OptionalText{S.Host}) ||
      !read(Mapper, "gpus", Integer{Gpus}) ||
      !read(Mapper, "queued_ns", Integer{Queued}) ||
      !read(Mapper, "queue_depth", Integer{S.QueueDepth}) ||
      !read(Mapper, "pageable_memory_access", Flag{S.PageableMemoryAccess}) ||
      !Mapper.map("observations", S.Observations) ||
      !Mapper.mapOptional("skipped", S.Skipped) ||
      !Mapper.mapOptional("copies", S.Machine.Copies) ||
      !Mapper.mapOptional("pauses", S.Machine.Pauses))
    return false;
  dropUnknown(S.Machine);
  S.Gpus = unsigned(std::min<int64_t>(Gpus.value_or(0), 1'000'000));
  S.QueuedNs = Queued.value_or(0);
  return true;
}

} // namespace autoprof::catalogue

namespace {

/// Null if `V` can be read, otherwise what is wrong.
llvm::Error checkSchema(const json::Value &V) {
  const json::Object *O = V.getAsObject();
  std::optional<StringRef> Found = O ? O->getString("schema") : std::nullopt;
  if (Found == StringRef(SemanticsSchema))
    return llvm::Error::success();
  if (Found && Found->starts_with("autoprof-semantics/"))
    return llvm::createStringError(
        "it was written by another version of autoprof (" +
        Found->take_front(40) + "; this one reads " + SemanticsSchema +
        "): run 'autoprof calibrate' again, or use that version");
  return llvm::createStringError("it is not a calibration (no \"schema\": \"" +
                                 SemanticsSchema +
                                 "\"): make one with 'autoprof calibrate'");
}

} // namespace

llvm::Expected<Semantics> autoprof::catalogue::readSemantics(StringRef Json) {
  llvm::Expected<json::Value> V = autoprof::parseJson(Json);
  if (!V)
    return llvm::createStringError("it is not valid JSON: " +
                                   llvm::toString(V.takeError()));
  if (llvm::Error E = checkSchema(*V))
    return std::move(E);
  Semantics Result;
  json::Path::Root Root("calibration");
  if (!fromJSON(*V, Result, Root))
    return Root.getError();
  return Result;
}
