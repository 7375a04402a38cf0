// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An NVTX call in the slots of a probe buffer (Probes.cpp): a record in place
// of a ProbeRecord, another for payload and range id if it has any, and then
// its text.
#ifndef AUTOPROF_RUNTIME_PROBES_NVTXRECORD_H
#define AUTOPROF_RUNTIME_PROBES_NVTXRECORD_H

#include "runtime/probes/Probes.h"

#include <cstring>

namespace autoprof::runtime {

/// `Time` is at the offset of a probe's begin, and no clock reaches NvtxBit.
struct NvtxRecord {
  uint32_t Domain, Category;
  uint64_t Time; ///< Combined with NvtxBit.
  uint16_t Length;
  NvtxKind Kind;
  uint8_t Flags; ///< PayloadType, combined with GapFlag for AfterGap.
  uint32_t Depth;
};
struct NvtxExtra {
  uint64_t Payload, RangeId, Unused;
};
static_assert(sizeof(NvtxRecord) == sizeof(ProbeRecord), "one slot");
static_assert(sizeof(NvtxExtra) == sizeof(ProbeRecord), "one slot");
constexpr uint64_t NvtxBit = 1ull << 63;
/// Marks a CallRecord.
constexpr uint64_t CallBit = 1ull << 62;
/// Marks a record whose End is the number of runs that were left out before the
/// range in the next slot (RangeThrottle.h).
constexpr uint64_t SkipBit = 1ull << 61;
constexpr uint8_t GapFlag = 0x80;

inline bool isNvtx(const ProbeRecord &Record) { return Record.Begin & NvtxBit; }

inline bool hasExtra(const NvtxEvent &E) {
  return E.PayloadType || E.Kind == NvtxKind::Start || E.Kind == NvtxKind::End;
}

/// Number of slots that `E` needs.
inline uint32_t slotsOf(const NvtxEvent &E) {
  const size_t Slot = sizeof(ProbeRecord);
  return 1 + hasExtra(E) +
         static_cast<uint32_t>((E.Text.size() + Slot - 1) / Slot);
}

inline void writeNvtx(const NvtxEvent &E, void *Buffer) {
  auto *Cur = static_cast<char *>(Buffer);
  const NvtxRecord Record = {
      E.Domain,
      E.Category,
      E.Time | NvtxBit,
      static_cast<uint16_t>(E.Text.size()),
      E.Kind,
      static_cast<uint8_t>(E.PayloadType | (E.AfterGap ? GapFlag : 0)),
      E.Depth};
  memcpy(Cur, &Record, sizeof Record);
  Cur += sizeof Record;
  if (hasExtra(E)) {
    const NvtxExtra Extra = {E.Payload, E.RangeId, 0};
    memcpy(Cur, &Extra, sizeof Extra);
    Cur += sizeof Extra;
  }
  memcpy(Cur, E.Text.data(), E.Text.size());
}

/// The text is not copied: it refers to `Buffer`.
inline NvtxEvent readNvtx(const void *Buffer) {
  const auto *Cur = static_cast<const char *>(Buffer);
  NvtxRecord Record;
  memcpy(&Record, Cur, sizeof Record);
  Cur += sizeof Record;
  NvtxEvent E;
  E.Kind = Record.Kind;
  E.PayloadType = Record.Flags & ~GapFlag;
  E.AfterGap = Record.Flags & GapFlag;
  E.Domain = Record.Domain;
  E.Category = Record.Category;
  E.Time = Record.Time & ~NvtxBit;
  E.Depth = Record.Depth;
  if (hasExtra(E)) {
    NvtxExtra Extra;
    memcpy(&Extra, Cur, sizeof Extra);
    Cur += sizeof Extra;
    E.Payload = Extra.Payload;
    E.RangeId = Extra.RangeId;
  }
  E.Text = {Cur, Record.Length};
  return E;
}

} // namespace autoprof::runtime

#endif // AUTOPROF_RUNTIME_PROBES_NVTXRECORD_H
