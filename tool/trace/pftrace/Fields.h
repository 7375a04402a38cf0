// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fields of a message of protobuf, in bytes of unknown origin: damage
// throws. Reading is mostly this loop, of which a trace has millions of runs.
#ifndef AUTOPROF_TRACE_PFTRACE_FIELDS_H
#define AUTOPROF_TRACE_PFTRACE_FIELDS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Compiler.h"
#include "llvm/Support/Endian.h"

#include <cstdint>

namespace autoprof::trace {

/// What is thrown where bytes are not a message.
struct Damage {};

class Fields {
public:
  enum WireType : uint32_t { Varint, Fixed64, Bytes, Fixed32 = 5 };

private:
  const char *Cur, *End;
  uint32_t Tag = 0;

  uint64_t longVarint() {
    uint64_t Value = 0;
    for (unsigned Shift = 0; Shift < 64; Shift += 7) {
      if (Cur == End)
        throw Damage();
      const uint64_t Byte = uint8_t(*Cur++);
      Value |= (Byte & 0x7f) << Shift;
      if (!(Byte & 0x80))
        return Value;
    }
    throw Damage();
  }
  void skip(uint64_t Size) {
    if (Size > uint64_t(End - Cur))
      throw Damage();
    Cur += Size;
  }
  void expect(WireType Type) const {
    if (wireType() != Type)
      throw Damage();
  }

public:
  explicit Fields(llvm::StringRef Message)
      : Cur(Message.begin()), End(Message.end()) {}

  /// Goes to the next field, whose value must then be taken or skipped.
  LLVM_ATTRIBUTE_ALWAYS_INLINE bool next() {
    if (Cur == End)
      return false;
    Tag = uint32_t(varint());
    if (Tag < 8)
      throw Damage();
    return true;
  }
  uint32_t tag() const { return Tag >> 3; }
  WireType wireType() const { return WireType(Tag & 7); }
  /// How many bytes are left.
  size_t size() const { return size_t(End - Cur); }

  /// The next bytes as a number, whatever field they are of.
  LLVM_ATTRIBUTE_ALWAYS_INLINE uint64_t varint() {
    if (Cur != End && !(*Cur & 0x80))
      return uint64_t(*Cur++);
    return longVarint();
  }

  LLVM_ATTRIBUTE_ALWAYS_INLINE uint64_t number() {
    expect(Varint);
    return varint();
  }
  uint64_t fixed64() {
    expect(Fixed64);
    skip(8);
    return llvm::support::endian::read64le(Cur - 8);
  }
  LLVM_ATTRIBUTE_ALWAYS_INLINE llvm::StringRef bytes() {
    expect(Bytes);
    const uint64_t Size = varint();
    skip(Size);
    return llvm::StringRef(Cur - Size, size_t(Size));
  }
  void skip() {
    switch (wireType()) {
    case Varint:
      varint();
      return;
    case Fixed64:
      return skip(8);
    case Bytes:
      bytes();
      return;
    case Fixed32:
      return skip(4);
    default:
      throw Damage();
    }
  }
};

} // namespace autoprof::trace

#endif // AUTOPROF_TRACE_PFTRACE_FIELDS_H
