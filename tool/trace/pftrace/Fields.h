// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fields of a short message, for the packets of which a trace has millions.
// Reading is mostly this loop, in which protozero's reader, which is not
// inlined and checks each step separately, takes twice as long. Rare messages
// are left to protozero; damage throws the same exceptions.
#pragma once

#include "trace/pftrace/Protobuf.h"

#include "llvm/Support/Compiler.h"
#include "llvm/Support/Endian.h"

#include <cstdint>

namespace autoprof::trace {

class Fields {
  const char *Cur, *End;
  uint32_t Tag = 0;

  uint64_t longVarint() {
    uint64_t Value = 0;
    for (unsigned Shift = 0; Shift < 64; Shift += 7) {
      if (Cur == End)
        throw protozero::end_of_buffer_exception();
      const uint64_t Byte = uint8_t(*Cur++);
      Value |= (Byte & 0x7f) << Shift;
      if (!(Byte & 0x80))
        return Value;
    }
    throw protozero::varint_too_long_exception();
  }
  void skip(uint64_t Bytes) {
    if (Bytes > uint64_t(End - Cur))
      throw protozero::end_of_buffer_exception();
    Cur += Bytes;
  }
  void expect(protozero::pbf_wire_type Type) const {
    if (wireType() != Type)
      throw protozero::unknown_pbf_wire_type_exception();
  }

public:
  explicit Fields(protozero::data_view Bytes)
      : Cur(Bytes.data()), End(Bytes.data() + Bytes.size()) {}

  /// Goes to the next field, whose value must then be taken or skipped.
  LLVM_ATTRIBUTE_ALWAYS_INLINE bool next() {
    if (Cur == End)
      return false;
    Tag = uint32_t(varint());
    if (Tag < 8)
      throw protozero::invalid_tag_exception();
    return true;
  }
  uint32_t tag() const { return Tag >> 3; }
  protozero::pbf_wire_type wireType() const {
    return protozero::pbf_wire_type(Tag & 7);
  }

  /// The next bytes as a number, whatever field they are of.
  LLVM_ATTRIBUTE_ALWAYS_INLINE uint64_t varint() {
    if (Cur != End && !(*Cur & 0x80))
      return uint64_t(*Cur++);
    return longVarint();
  }

  LLVM_ATTRIBUTE_ALWAYS_INLINE uint64_t number() {
    expect(protozero::pbf_wire_type::varint);
    return varint();
  }
  uint64_t fixed64() {
    expect(protozero::pbf_wire_type::fixed64);
    skip(8);
    return llvm::support::endian::read64le(Cur - 8);
  }
  LLVM_ATTRIBUTE_ALWAYS_INLINE protozero::data_view bytes() {
    expect(protozero::pbf_wire_type::length_delimited);
    const uint64_t Size = varint();
    skip(Size);
    return {Cur - Size, size_t(Size)};
  }
  void skip() {
    switch (wireType()) {
    case protozero::pbf_wire_type::varint:
      varint();
      return;
    case protozero::pbf_wire_type::fixed64:
      return skip(8);
    case protozero::pbf_wire_type::length_delimited:
      bytes();
      return;
    case protozero::pbf_wire_type::fixed32:
      return skip(4);
    default:
      throw protozero::unknown_pbf_wire_type_exception();
    }
  }
};

} // namespace autoprof::trace
