// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/import/Names.h"
#include "support/LLVMVersion.h"

#include "llvm/ADT/StringExtras.h"

using namespace autoprof::trace;
using llvm::StringRef;

StringRef autoprof::trace::apiName(StringRef Name) {
  if (!Name.starts_with("cu"))
    return Name;
  auto [Stem, Version] = Name.rsplit("_v");
  // Of the driver's, cuMemAlloc_v2 is the name.
  bool IsVersion = Version.size() >= 4 && llvm::all_of(Version, llvm::isDigit);
  return IsVersion ? Stem : Name;
}

static MemoryKind memoryKind(StringRef Name) {
  return autoprof::StringSwitch<MemoryKind>(Name.trim())
      .Case("Pageable", MemoryKind::Pageable)
      .Case("Pinned", MemoryKind::Pinned)
      .Cases({"Device", "Device Static", "Array"}, MemoryKind::Device)
      .Cases({"Managed", "Managed Static"}, MemoryKind::Managed)
      .Default(MemoryKind::Unknown);
}

Stage autoprof::trace::transferStage(StringRef Name) {
  Stage S;
  auto [Kind, Memory] = Name.split('(');
  S.Dir = autoprof::StringSwitch<Direction>(Kind.trim())
              .Case("Memcpy HtoD", Direction::HtoD)
              .Case("Memcpy DtoH", Direction::DtoH)
              .Case("Memcpy DtoD", Direction::DtoD)
              .Case("Memcpy HtoH", Direction::HtoH)
              .Case("Memcpy PtoP", Direction::PtoP)
              .Default(Direction::Unknown);
  Memory.consume_back(")");
  auto [From, To] = Memory.split("->");
  if (To.empty())
    std::swap(From, To); // Of a memset.
  S.Source = memoryKind(From);
  S.Destination = memoryKind(To);
  return S;
}

static std::string memoryName(MemoryKind M) {
  return llvm::toUpper(word(M).front()) + word(M).drop_front().str();
}

std::string autoprof::trace::transferName(const Stage &S) {
  if (S.Kind == OpKind::Set)
    return "Memset (" + memoryName(S.Destination) + ")";
  if (S.Dir == Direction::Unknown)
    return "";
  return ("Memcpy " + word(S.Dir) + " (" + memoryName(S.Source) + " -> " +
          memoryName(S.Destination) + ")")
      .str();
}

OverheadKind autoprof::trace::overheadKind(StringRef Name) {
  if (Name.contains_insensitive("command buffer full"))
    return OverheadKind::QueueFull;
  if (Name.contains_insensitive("loading"))
    return OverheadKind::ModuleLoad;
  for (StringRef Word : {"instrumentation", "buffer", "resource", "cupti"})
    if (Name.contains_insensitive(Word))
      return OverheadKind::Profiler;
  return OverheadKind::Other;
}

std::optional<MarkedOperator> autoprof::trace::markedOperator(StringRef Range) {
  // As torch.autograd.profiler.emit_nvtx writes them.
  constexpr llvm::StringLiteral BeforeShapes = ", sizes = ",
                                BehindShapes = ", input_op_ids";
  for (StringRef Mark : {", seq = ", ", op_id = "})
    if (size_t Pos = Range.find(Mark); Pos != StringRef::npos) {
      StringRef Shapes = Range.split(BeforeShapes).second;
      return MarkedOperator{Range.take_front(Pos),
                            Shapes.split(BehindShapes).first};
    }
  return std::nullopt;
}

std::string autoprof::trace::counted(uint64_t Count, StringRef Thing) {
  if (!Count)
    return ("no " + Thing).str();
  std::string Digits = std::to_string(Count);
  for (size_t Pos = Digits.size(); Pos > 3;)
    Digits.insert(Pos -= 3, ",");
  return (Digits + " " + Thing + (Count == 1 ? "" : "s")).str();
}

StringRef autoprof::trace::noSyncRecords(bool SeveralStreams) {
  if (!SeveralStreams)
    return "It has no synchronization records, so waits are inferred from the "
           "times of calls and GPU operations";
  return "It has no synchronization records: with several streams, the stream "
         "or event that a call waited for is inferred from the times, and "
         "waits of less than 5 us are missed";
}

StringRef autoprof::trace::noStreamFlags() {
  return "It does not record which streams synchronize with the default "
         "stream; 'autoprof run' does.";
}
