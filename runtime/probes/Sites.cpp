// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/probes/Sites.h"

#include <array>
#include <charconv>
#include <cstdlib>
#include <new>

namespace autoprof::runtime {

namespace {

struct Table {
  uint64_t Mask; // Capacity - 1; the capacity is a power of two.
  std::atomic<Site *> *Slots;
  Table *Smaller; // The previous table; kept for concurrent readers.
};

} // namespace

static std::atomic<Table *> Current{nullptr};
static uint64_t Count = 0;

// Ids are already hashes; this only guards against ids that are not.
static uint64_t slotOf(uint64_t Id) { return (Id * 0x9E3779B97F4A7C15u) >> 20; }

Site *findSite(uint64_t Id) {
  Table *T = Current.load(std::memory_order_acquire);
  if (!T)
    return nullptr;
  for (uint64_t Slot = slotOf(Id);; ++Slot) {
    Site *S = T->Slots[Slot & T->Mask].load(std::memory_order_acquire);
    if (!S || S->Id == Id)
      return S;
  }
}

static void insert(Table &T, Site *S) {
  uint64_t Slot = slotOf(S->Id);
  while (T.Slots[Slot & T.Mask].load(std::memory_order_relaxed))
    ++Slot;
  T.Slots[Slot & T.Mask].store(S, std::memory_order_release);
}

// Keeps the table at most half full. Returns false if there is no memory.
static bool makeRoom() {
  Table *Old = Current.load(std::memory_order_relaxed);
  if (Old && Count * 2 <= Old->Mask)
    return true;
  uint64_t Capacity = Old ? (Old->Mask + 1) * 2 : 256;
  auto *Slots = static_cast<std::atomic<Site *> *>(
      calloc(Capacity, sizeof(std::atomic<Site *>)));
  Table *T =
      Slots ? new (std::nothrow) Table{Capacity - 1, Slots, Old} : nullptr;
  if (!T)
    return false;
  for (uint64_t Slot = 0; Old && Slot <= Old->Mask; ++Slot)
    if (Site *S = Old->Slots[Slot].load(std::memory_order_relaxed))
      insert(*T, S);
  Current.store(T, std::memory_order_release);
  return true;
}

template <typename Number>
static bool parseHex(std::string_view Text, Number &Result) {
  const char *Begin = Text.data(), *End = Begin + Text.size();
  return std::from_chars(Begin, End, Result, 16).ptr == End;
}

static std::string decode(std::string_view Text) {
  std::string Result;
  for (size_t Pos = 0; Pos < Text.size(); ++Pos) {
    if (Text[Pos] == '%' && Pos + 2 < Text.size()) {
      if (uint8_t Byte; parseHex(Text.substr(Pos + 1, 2), Byte)) {
        Result += static_cast<char>(Byte);
        Pos += 2;
        continue;
      }
    }
    Result += Text[Pos];
  }
  return Result;
}

static bool parseId(std::string_view Text, uint64_t &Id) {
  return Text.size() == 18 && Text.substr(0, 2) == "0x" &&
         parseHex(Text.substr(2), Id);
}

static std::string label(const Site &S) {
  if (S.IsRange && !S.IsLoop)
    return S.Function;
  size_t Slash = S.File.rfind('/');
  std::string Place =
      Slash == std::string::npos ? S.File : S.File.substr(Slash + 1);
  Place += ":" + std::to_string(S.Line);
  return S.IsLoop ? S.Function + " loop at " + Place : S.Callee + " " + Place;
}

// id|kind|line|column|file|function|callee
static Site *parseRow(std::string_view Row) {
  std::array<std::string_view, 7> Fields;
  size_t Field = 0;
  for (; Field < Fields.size(); ++Field) {
    size_t Bar = Row.find('|');
    Fields[Field] = Row.substr(0, Bar);
    if (Bar == std::string_view::npos)
      break;
    Row.remove_prefix(Bar + 1);
  }
  uint64_t Id;
  if (Field != Fields.size() - 1 || !parseId(Fields[0], Id) || findSite(Id))
    return nullptr;
  Site *S = new (std::nothrow) Site;
  if (!S)
    return nullptr;
  S->Id = Id;
  S->IsLoop = Fields[1] == "loop";
  S->IsRange = S->IsLoop || Fields[1] == "function";
  S->IsLaunch = Fields[1] == "launch";
  for (char C : Fields[2])
    S->Line = S->Line * 10 + static_cast<uint32_t>(C - '0');
  S->File = decode(Fields[4]);
  S->Function = decode(Fields[5]);
  S->Callee = decode(Fields[6]);
  S->Label = label(*S);
  return S;
}

unsigned addSites(std::string_view Rows) {
  unsigned Added = 0;
  while (!Rows.empty()) {
    size_t End = Rows.find(';');
    if (makeRoom())
      if (Site *S = parseRow(Rows.substr(0, End))) {
        insert(*Current.load(std::memory_order_relaxed), S);
        ++Count;
        ++Added;
      }
    if (End == std::string_view::npos)
      break;
    Rows.remove_prefix(End + 1);
  }
  return Added;
}

} // namespace autoprof::runtime
