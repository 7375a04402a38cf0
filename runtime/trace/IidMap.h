// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Interning ids of one Perfetto sequence: 64-bit key -> 1, 2, 3, ... in order
// of first use. Flat and open-addressed, because it is used twice per event.
#pragma once

#include <cstdint>
#include <vector>

namespace autoprof::runtime {

/// Mixes `Value` into `Hash`; the order of the values matters.
inline uint64_t mix(uint64_t Hash, uint64_t Value) {
  Hash = (Hash * 0x9E3779B97F4A7C15u ^ Value) * 0xFF51AFD7ED558CCDu;
  return Hash ^ (Hash >> 32);
}

class IidMap {
  struct Entry {
    uint64_t Key;
    uint32_t Iid; // 0: free.
  };
  std::vector<Entry> Entries = std::vector<Entry>(4);
  uint32_t Used = 0;

  Entry &slot(uint64_t Key) {
    size_t Mask = Entries.size() - 1;
    size_t Slot = mix(0, Key) & Mask;
    while (Entries[Slot].Iid && Entries[Slot].Key != Key)
      Slot = (Slot + 1) & Mask;
    return Entries[Slot];
  }

  void grow() {
    std::vector<Entry> Old(Entries.size() * 2);
    Old.swap(Entries);
    for (const Entry &E : Old)
      if (E.Iid)
        slot(E.Key) = E;
  }

public:
  struct Result {
    uint32_t Iid;
    bool IsNew;
  };

  /// Returns the id of `Key`, assigning one if it has none.
  Result get(uint64_t Key) {
    Entry *E = &slot(Key);
    if (E->Iid)
      return {E->Iid, false};
    if ((Used + 1) * 2 > Entries.size()) {
      grow();
      E = &slot(Key);
    }
    *E = {Key, ++Used};
    return {Used, true};
  }

  uint32_t size() const { return Used; }
};

} // namespace autoprof::runtime
