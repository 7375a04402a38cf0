// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// protozero for bytes of unknown origin. protozero treats a field of the wrong
// wire type (a text instead of a number) as a mistake of its caller: it asserts
// in debug builds, and continues with a meaningless number in others. In a
// damaged file it is damage, and reported like any other. Include this file and
// not protozero's own reader.
#pragma once

#include <protozero/exception.hpp>

#ifdef protozero_assert
#error "include trace/Protobuf.h before anything of protozero"
#endif
#define protozero_assert(Condition)                                            \
  ((Condition) ? void() : throw ::protozero::unknown_pbf_wire_type_exception())
#include <protozero/pbf_reader.hpp>
