// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An NVTX call in the slots of a probe buffer (Probes.cpp): a record in place
// of a ProbeRecord, followed by its text.
#ifndef AUTOPROF_RUNTIME_PROBES_NVTXRECORD_H
#define AUTOPROF_RUNTIME_PROBES_NVTXRECORD_H

#include "runtime/probes/Probes.h"

#include <cstring>

namespace autoprof::runtime {

/// `Time` is at the offset of a probe's begin, and no clock reaches NvtxBit.
struct NvtxRecord {
  uint32_t Domain, RangeId;
  uint64_t Time; ///< Combined with NvtxBit.
  uint32_t Depth;
  uint16_t Length;
  NvtxKind Kind;
  bool AfterGap;
};
static_assert(sizeof(NvtxRecord) == sizeof(ProbeRecord), "one slot");
constexpr uint64_t NvtxBit = 1ull << 63;
/// Marks a CallRecord.
constexpr uint64_t CallBit = 1ull << 62;

inline bool isNvtx(const ProbeRecord &Record) { return Record.Begin & NvtxBit; }

/// Number of slots that `E` needs.
inline uint32_t slotsOf(const NvtxEvent &E) {
  const size_t Slot = sizeof(ProbeRecord);
  return 1 + static_cast<uint32_t>((E.Text.size() + Slot - 1) / Slot);
}

inline void writeNvtx(const NvtxEvent &E, void *Buffer) {
  const NvtxRecord Record = {E.Domain,
                             E.RangeId,
                             E.Time | NvtxBit,
                             E.Depth,
                             static_cast<uint16_t>(E.Text.size()),
                             E.Kind,
                             E.AfterGap};
  memcpy(Buffer, &Record, sizeof Record);
  memcpy(static_cast<char *>(Buffer) + sizeof Record, E.Text.data(),
         E.Text.size());
}

/// The text is not copied: it refers to `Buffer`.
inline NvtxEvent readNvtx(const void *Buffer) {
  NvtxRecord Record;
  memcpy(&Record, Buffer, sizeof Record);
  NvtxEvent E;
  E.Kind = Record.Kind;
  E.AfterGap = Record.AfterGap;
  E.Domain = Record.Domain;
  E.RangeId = Record.RangeId;
  E.Time = Record.Time & ~NvtxBit;
  E.Depth = Record.Depth;
  E.Text = {static_cast<const char *>(Buffer) + sizeof Record, Record.Length};
  return E;
}

} // namespace autoprof::runtime

#endif // AUTOPROF_RUNTIME_PROBES_NVTXRECORD_H
