// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "catalogue/Facts.h"

using namespace autoprof::catalogue;
using namespace autoprof::catalogue::values;
using llvm::StringRef;

namespace {

struct Value {
  StringRef Name, Phrase;
};

constexpr Value Directions[] = {{"HtoD", "host to device"},
                                {"DtoH", "device to host"},
                                {"DtoD", "device to device"},
                                {"HtoH", "host to host"},
                                {"PtoP", "between two devices"}};
constexpr Value Memories[] = {{"Pageable", "pageable"},
                              {"Pinned", "pinned"},
                              {"Device", "device"},
                              {"Managed", "managed"},
                              {"Pool", "stream-ordered (pool)"},
                              {"Null", "a null pointer"}};
constexpr Value Streams[] = {{"Legacy", "the legacy default stream"},
                             {"PerThread", "the per-thread default stream"},
                             {"Blocking", "a blocking stream"},
                             {"NonBlocking", "a non-blocking stream"}};
constexpr Value Sizes[] = {{"UpTo1MiB", "up to 1 MiB"},
                           {"UpTo4MiB", "between 1 and 4 MiB"},
                           {"UpTo64MiB", "from 4 to less than 64 MiB"},
                           {"From64MiB", "64 MiB or more"}};
constexpr Value PointerModes[] = {{"HostMode", "host (the default)"},
                                  {"DeviceMode", "device"}};
constexpr Value Flags[] = {
    {"StackLimit", "the limit is the stack size"},
    {"OtherLimit", "a limit other than the stack size"},
    {"SyncPolicy", "an execution policy that waits (the default)"},
    {"NoSyncPolicy", "the policy par_nosync"},
    {"HostPolicy", "the policy thrust::host, or host iterators"},
    {"BlockingCall", "in blocking form (the default)"},
    {"NonBlockingCall", "in non-blocking form"},
    {"ToValue", "the result is a value on the host"},
    {"ToMemory", "the result stays in GPU memory"},
    {"DeviceGenerator", "a generator on the device"},
    {"HostGenerator", "a generator on the host"},
    {"WithStream", "with a stream or an instance"},
    {"WithoutStream", "without a stream or an instance"},
    {"Reads", "the element is read"},
    {"Writes", "the element is written"},
    {"TakesAddress", "only its address is taken"},
    {"Filled", "with elements"},
    {"Empty", "empty or moved"},
    {"MaskIndex", "indexed by a mask"},
    {"NumberIndex", "indexed by numbers"},
    {"SizeFromData", "the size of the result depends on the data"},
    {"SizeGiven", "the size of the result is given"},
    {"FromDevice", "from a device_vector"},
    {"FromHost", "from the host"}};

llvm::ArrayRef<Value> valuesOf(Fact F) {
  switch (F) {
  case Fact::Direction:
    return Directions;
  case Fact::Destination:
  case Fact::Source:
    return Memories;
  case Fact::Stream:
    return Streams;
  case Fact::Size:
    return Sizes;
  case Fact::PointerMode:
    return PointerModes;
  case Fact::Flag:
    return Flags;
  }
  return {};
}

/// Adjacent ranges as one: "4 MiB or more"; "": they are not adjacent, or only
/// one.
std::string mergedSizes(uint32_t Possible) {
  constexpr size_t Count = std::size(Sizes);
  constexpr StringRef From[Count] = {"", "more than 1 MiB", "4 MiB or more",
                                     "64 MiB or more"},
                      To[Count] = {"up to 1 MiB", "less than 4 MiB",
                                   "less than 64 MiB", ""};
  size_t First = 0, Last = Count - 1;
  while (First < Count && !(Possible & (1u << First)))
    ++First;
  while (Last > First && !(Possible & (1u << Last)))
    --Last;
  for (size_t I = First; I <= Last && First < Count; ++I)
    if (!(Possible & (1u << I)))
      return "";
  if (First >= Last)
    return "";
  const char *Between = First && Last + 1 < Count ? ", " : "";
  return From[First].str() + Between + To[Last].str();
}

std::string alternatives(const Facts &Possible, Fact F) {
  if (F == Fact::Size)
    if (std::string Merged = mergedSizes(Possible[F]); !Merged.empty())
      return Merged;
  llvm::ArrayRef<Value> All = valuesOf(F);
  std::string Result;
  for (unsigned I = 0; I < All.size(); ++I)
    if (Possible[F] & (1u << I))
      Result += (Result.empty() ? "" : " or ") + All[I].Phrase.str();
  return Result;
}

/// "into pageable memory", "a null pointer".
std::string memory(const Facts &Possible, Fact F, const char *Preposition) {
  std::string Values = alternatives(Possible, F);
  if (Possible[F] == Null)
    return Values;
  if (!Possible.knows(Fact::Direction))
    Preposition = "in ";
  return Preposition + Values + " memory";
}

std::string phrase(const Facts &Possible, Fact F) {
  switch (F) {
  case Fact::Destination:
    return memory(Possible, F, "into ");
  case Fact::Source:
    return memory(Possible, F, "from ");
  case Fact::Stream:
    return "on " + alternatives(Possible, F);
  case Fact::PointerMode:
    return "pointer mode " + alternatives(Possible, F);
  case Fact::Direction:
  case Fact::Size:
  case Fact::Flag:
    break;
  }
  return alternatives(Possible, F);
}

} // namespace

Facts autoprof::catalogue::settled(Facts F) {
  constexpr Memory OnHost = Pageable | Pinned;
  constexpr Memory OnDevice = Device | Pool;
  constexpr Memory Elsewhere = Managed | Null;
  auto KeepOnly = [&](Fact Subject, uint32_t Values) {
    return F.knows(Subject) && !(F[Subject] & ~Values);
  };
  auto Keep = [&F](Fact Subject, uint32_t Values) {
    F = F & fact(Subject, Values);
  };
  // "Device to device" implies that an unknown pointer is device memory: most
  // are, and managed memory is recognized where its allocation is visible.
  for (Fact Side : {Fact::Source, Fact::Destination})
    if (KeepOnly(Fact::Direction, DtoD) && !F.knows(Side))
      Keep(Side, OnDevice | Null);
  if (KeepOnly(Fact::Source, OnHost))
    Keep(Fact::Direction, HtoD | HtoH);
  if (KeepOnly(Fact::Source, OnDevice))
    Keep(Fact::Direction, DtoH | DtoD | PtoP);
  if (KeepOnly(Fact::Destination, OnHost))
    Keep(Fact::Direction, DtoH | HtoH);
  if (KeepOnly(Fact::Destination, OnDevice))
    Keep(Fact::Direction, HtoD | DtoD | PtoP);
  if (KeepOnly(Fact::Direction, HtoD | HtoH))
    Keep(Fact::Source, OnHost | Elsewhere);
  if (KeepOnly(Fact::Direction, DtoH | DtoD | PtoP))
    Keep(Fact::Source, OnDevice | Elsewhere);
  if (KeepOnly(Fact::Direction, DtoH | HtoH))
    Keep(Fact::Destination, OnHost | Elsewhere);
  if (KeepOnly(Fact::Direction, HtoD | DtoD | PtoP))
    Keep(Fact::Destination, OnDevice | Elsewhere);
  return F;
}

StringRef autoprof::catalogue::name(Fact F) {
  constexpr llvm::StringLiteral Names[NumFacts] = {
      "direction", "destination",  "source", "stream",
      "size",      "pointer_mode", "flag"};
  return Names[unsigned(F)];
}

std::vector<StringRef> autoprof::catalogue::valueNames(const Facts &Possible,
                                                       Fact F) {
  std::vector<StringRef> Result;
  llvm::ArrayRef<Value> All = valuesOf(F);
  for (unsigned I = 0; Possible.knows(F) && I < All.size(); ++I)
    if (Possible[F] & (1u << I))
      Result.push_back(All[I].Name);
  return Result;
}

std::optional<Fact> autoprof::catalogue::factNamed(StringRef Name) {
  for (unsigned I = 0; I < NumFacts; ++I)
    if (Name == name(Fact(I)))
      return Fact(I);
  return std::nullopt;
}

std::optional<uint32_t> autoprof::catalogue::valueNamed(Fact F,
                                                        StringRef Name) {
  llvm::ArrayRef<Value> All = valuesOf(F);
  for (unsigned I = 0; I < All.size(); ++I)
    if (Name == All[I].Name)
      return 1u << I;
  return std::nullopt;
}

uint32_t autoprof::catalogue::everyValue(Fact F) {
  return (1u << valuesOf(F).size()) - 1;
}

std::string autoprof::catalogue::describe(const Facts &F) {
  std::string Result;
  for (unsigned I = 0; I < NumFacts; ++I)
    if (F.knows(Fact(I)))
      Result += (Result.empty() ? "" : ", ") + phrase(F, Fact(I));
  return Result;
}
