// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A host stack in the slots of a probe buffer (Probes.cpp): a header in place
// of a ProbeRecord, followed by the stack's bytes.
#ifndef AUTOPROF_RUNTIME_PROBES_STACKRECORD_H
#define AUTOPROF_RUNTIME_PROBES_STACKRECORD_H

#include "runtime/probes/Probes.h"

#include <cstring>

namespace autoprof::runtime {

/// `Time` is at the offset of a probe's begin, and no clock reaches StackBit.
struct StackHeader {
  uint32_t Correlation;
  uint16_t Size;
  bool IsPython;
  uint64_t Time; ///< Combined with StackBit.
  uint64_t Unused;
};
static_assert(sizeof(StackHeader) == sizeof(ProbeRecord), "one slot");
constexpr uint64_t StackBit = 1ull << 60;

inline bool isStack(const ProbeRecord &Record) {
  return Record.Begin & StackBit;
}

/// Number of slots that `S` needs.
inline uint32_t slotsOf(const StackRecord &S) {
  const size_t Slot = sizeof(ProbeRecord);
  return 1 + static_cast<uint32_t>((S.Data.size() + Slot - 1) / Slot);
}

inline void writeStack(const StackRecord &S, void *Buffer) {
  const StackHeader Header = {S.Correlation,
                              static_cast<uint16_t>(S.Data.size()), S.IsPython,
                              S.Time | StackBit, 0};
  memcpy(Buffer, &Header, sizeof Header);
  memcpy(static_cast<char *>(Buffer) + sizeof Header, S.Data.data(),
         S.Data.size());
}

/// The data is not copied: it refers to `Buffer`.
inline StackRecord readStack(const void *Buffer) {
  StackHeader Header;
  memcpy(&Header, Buffer, sizeof Header);
  StackRecord S;
  S.Time = Header.Time & ~StackBit;
  S.Correlation = Header.Correlation;
  S.IsPython = Header.IsPython;
  S.Data = {static_cast<const char *>(Buffer) + sizeof Header, Header.Size};
  return S;
}

} // namespace autoprof::runtime

#endif // AUTOPROF_RUNTIME_PROBES_STACKRECORD_H
