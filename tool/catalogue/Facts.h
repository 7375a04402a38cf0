// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What may be known about the arguments of one call. A fact is the set of
// values that are still possible; if nothing is known, all of them are. The
// condition of a catalogue row is also such a set: it surely holds if it covers
// the facts, and may hold if it intersects them.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace autoprof::catalogue {

/// What a fact is about.
enum class Fact {
  Direction,
  Destination, ///< Kind of memory written, set or freed.
  Source,      ///< Kind of memory read; of a tensor's method: the tensor's.
  Stream,
  Size, ///< Of a copy, in bytes.
  PointerMode,
  Flag
};
constexpr unsigned NumFacts = 7;

/// The values, one bit each: `Pageable | Pinned`. Plain names, for the .def
/// files.
namespace values {
enum Direction : uint32_t {
  HtoD = 1,
  DtoH = 2,
  DtoD = 4, ///< Within one device.
  HtoH = 8,
  PtoP = 16 ///< From one device to another.
};
enum Memory : uint32_t {
  Pageable = 1, ///< malloc, new, the stack, std::vector, a CPU tensor.
  Pinned = 2,   ///< cudaMallocHost, cudaHostAlloc, cudaHostRegister.
  Device = 4,   ///< cudaMalloc and arrays.
  Managed = 8,  ///< cudaMallocManaged, __managed__.
  Pool = 16,    ///< cudaMallocAsync and the like.
  Null = 32     ///< The null pointer.
};
enum Stream : uint32_t {
  Legacy = 1, ///< Stream 0, except with per-thread default streams.
  PerThread = 2,
  Blocking = 4,   ///< cudaStreamCreate.
  NonBlocking = 8 ///< cudaStreamNonBlocking.
};
/// The bounds are the sizes at which pageable copies change their behavior.
enum Size : uint32_t {
  UpTo1MiB = 1,
  UpTo4MiB = 2,  ///< More than 1, less than 4 MiB.
  UpTo64MiB = 4, ///< 4 MiB and more, less than 64 MiB.
  From64MiB = 8
};
enum PointerMode : uint32_t { HostMode = 1, DeviceMode = 2 };
enum Flag : uint32_t {
  StackLimit = 1u << 0, ///< The limit set is the stack's size.
  OtherLimit = 1u << 1,
  SyncPolicy = 1u << 2, ///< Thrust: no policy, thrust::device, par, par.on.
  NoSyncPolicy = 1u << 3,
  HostPolicy = 1u << 4,   ///< thrust::host, or iterators of the host.
  BlockingCall = 1u << 5, ///< non_blocking = false; NCCL: config.blocking = 1.
  NonBlockingCall = 1u << 6,
  ToValue = 1u << 7, ///< The result is a value on the host.
  ToMemory = 1u << 8,
  DeviceGenerator = 1u << 9, ///< cuRAND.
  HostGenerator = 1u << 10,
  WithStream = 1u << 11, ///< The overload with a stream or an instance.
  WithoutStream = 1u << 12,
  Reads = 1u << 13, ///< Use of an element of a device vector.
  Writes = 1u << 14,
  TakesAddress = 1u << 15,
  Filled = 1u << 16, ///< A device vector with elements.
  Empty = 1u << 17,  ///< Empty or moved.
  MaskIndex = 1u << 18,
  NumberIndex = 1u << 19,
  SizeFromData = 1u << 20, ///< The result's size depends on the data.
  SizeGiven = 1u << 21,
  FromDevice = 1u << 22, ///< A vector of the host, assigned from the device.
  FromHost = 1u << 23
};

template <typename E>
constexpr std::enable_if_t<std::is_enum_v<E>, E> operator|(E A, E B) {
  return E(uint32_t(A) | uint32_t(B));
}
} // namespace values

struct Facts {
  std::array<uint32_t, NumFacts> Possible = {~0u, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u};

  constexpr uint32_t operator[](Fact F) const { return Possible[unsigned(F)]; }
  constexpr bool knows(Fact F) const { return (*this)[F] != ~0u; }
  constexpr bool any() const {
    for (uint32_t P : Possible)
      if (P != ~0u)
        return true;
    return false;
  }
  /// Whether some fact has no possible value.
  constexpr bool impossible() const {
    for (uint32_t P : Possible)
      if (!P)
        return true;
    return false;
  }
  /// Whether everything that fits `Other` also fits this.
  constexpr bool covers(const Facts &Other) const {
    for (unsigned I = 0; I < NumFacts; ++I)
      if (Other.Possible[I] & ~Possible[I])
        return false;
    return true;
  }
};

/// Both hold.
constexpr Facts operator&(Facts A, const Facts &B) {
  for (unsigned I = 0; I < NumFacts; ++I)
    A.Possible[I] &= B.Possible[I];
  return A;
}

constexpr Facts fact(Fact F, uint32_t Values) {
  Facts Result;
  Result.Possible[unsigned(F)] = Values;
  return Result;
}
constexpr Facts direction(values::Direction D) {
  return fact(Fact::Direction, D);
}
constexpr Facts destination(values::Memory M) {
  return fact(Fact::Destination, M);
}
constexpr Facts source(values::Memory M) { return fact(Fact::Source, M); }
constexpr Facts stream(values::Stream S) { return fact(Fact::Stream, S); }
constexpr Facts size(values::Size S) { return fact(Fact::Size, S); }
constexpr Facts pointerMode(values::PointerMode M) {
  return fact(Fact::PointerMode, M);
}
constexpr Facts flag(values::Flag F) { return fact(Fact::Flag, F); }

constexpr values::Size sizeOf(uint64_t Bytes) {
  return Bytes <= (1u << 20)   ? values::UpTo1MiB
         : Bytes < (4u << 20)  ? values::UpTo4MiB
         : Bytes < (64u << 20) ? values::UpTo64MiB
                               : values::From64MiB;
}

/// Derives facts from each other: known kinds of memory imply a direction, and
/// a direction excludes some kinds. Memory copied within the device counts as
/// managed only if that is known.
Facts settled(Facts F);

/// "direction", "destination", "source", "stream", "size", "pointer_mode",
/// "flag".
llvm::StringRef name(Fact F);
/// The names of the possible values of one fact, as in the .def files; empty if
/// every value is possible.
std::vector<llvm::StringRef> valueNames(const Facts &Possible, Fact F);
/// The fact, or the bit of a value, of this name.
std::optional<Fact> factNamed(llvm::StringRef Name);
std::optional<uint32_t> valueNamed(Fact F, llvm::StringRef Name);
/// All values of a fact, one bit each.
uint32_t everyValue(Fact F);
/// "device to host, into pageable memory"; "" if nothing is known.
std::string describe(const Facts &F);

} // namespace autoprof::catalogue
