// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the slots of a probe buffer (Probes.cpp) hold beside probes: an NVTX
// call or a host stack is a header in place of a ProbeRecord, followed by its
// text.
#pragma once

#include "runtime/probes/Probes.h"

#include <cstring>

namespace autoprof::runtime {

/// Combined with a record's time, which is at the offset of a probe's begin; no
/// clock reaches them. CallBit marks a CallRecord.
constexpr uint64_t NvtxBit = 1ull << 63, CallBit = 1ull << 62,
                   StackBit = 1ull << 60;

struct NvtxHeader {
  uint32_t Domain, RangeId;
  uint64_t Time;
  uint32_t Depth;
  uint16_t Length;
  NvtxKind Kind;
  bool AfterGap;
};

struct StackHeader {
  uint32_t Correlation;
  uint16_t Length;
  bool IsPython;
  uint64_t Time;
  uint64_t Unused;
};

/// Number of slots that a record with this text needs.
inline uint32_t slotsFor(std::string_view Text) {
  const size_t Slot = sizeof(ProbeRecord);
  return 1 + static_cast<uint32_t>((Text.size() + Slot - 1) / Slot);
}

template <typename Header>
void writeSlots(const Header &H, std::string_view Text, void *Buffer) {
  static_assert(sizeof(Header) == sizeof(ProbeRecord), "one slot");
  memcpy(Buffer, &H, sizeof H);
  if (!Text.empty()) // Its data may be null then.
    memcpy(static_cast<char *>(Buffer) + sizeof H, Text.data(), Text.size());
}

/// The text is not copied: it refers to `Buffer`.
template <typename Header>
std::string_view readSlots(Header &H, const void *Buffer) {
  memcpy(&H, Buffer, sizeof H);
  return {static_cast<const char *>(Buffer) + sizeof H, H.Length};
}

inline void writeNvtx(const NvtxEvent &E, void *Buffer) {
  writeSlots(NvtxHeader{E.Domain, E.RangeId, E.Time | NvtxBit, E.Depth,
                        static_cast<uint16_t>(E.Text.size()), E.Kind,
                        E.AfterGap},
             E.Text, Buffer);
}

inline NvtxEvent readNvtx(const void *Buffer) {
  NvtxHeader H;
  const std::string_view Text = readSlots(H, Buffer);
  return {H.Kind, H.AfterGap,        H.Domain, H.RangeId,
          Text,   H.Time & ~NvtxBit, H.Depth};
}

inline void writeStack(const StackRecord &S, void *Buffer) {
  writeSlots(StackHeader{S.Correlation, static_cast<uint16_t>(S.Data.size()),
                         S.IsPython, S.Time | StackBit, 0},
             S.Data, Buffer);
}

inline StackRecord readStack(const void *Buffer) {
  StackHeader H;
  const std::string_view Data = readSlots(H, Buffer);
  return {H.Time & ~StackBit, H.Correlation, H.IsPython, Data};
}

} // namespace autoprof::runtime
