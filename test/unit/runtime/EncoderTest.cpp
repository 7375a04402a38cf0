// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/trace/Encoder.h"

#include <gtest/gtest.h>
#include <protozero/pbf_reader.hpp>
#include <string>

using autoprof::runtime::Encoder;
using autoprof::runtime::Message;

static std::string bytes(const Encoder &E) {
  return {reinterpret_cast<const char *>(E.data()), E.size()};
}

TEST(Encoder, WritesNestedMessagesOfEveryLength) {
  for (size_t Length :
       {0, 1, 100, 124, 125, 126, 127, 128, 16380, 16390, 300000}) {
    Encoder E;
    {
      Message Outer(E, 1);
      {
        Message Inner(E, 3000);
        E.string(2, std::string(Length, 'x'));
      }
      E.varint(7, UINT64_MAX);
    }
    std::string Data = bytes(E);
    protozero::pbf_reader File(Data);
    ASSERT_TRUE(File.next(1));
    protozero::pbf_reader Outer = File.get_message();
    ASSERT_TRUE(Outer.next(3000));
    protozero::pbf_reader Inner = Outer.get_message();
    ASSERT_TRUE(Inner.next(2));
    EXPECT_EQ(Inner.get_view().size(), Length);
    ASSERT_TRUE(Outer.next(7));
    EXPECT_EQ(Outer.get_uint64(), UINT64_MAX);
    EXPECT_FALSE(Outer.next());
    EXPECT_FALSE(File.next());
  }
}

TEST(Encoder, ReplacesBytesThatAreNotUtf8) {
  const struct {
    const char *In, *Out;
  } Cases[] = {{"caf\xC3\xA9", "caf\xC3\xA9"},
               {"\xE2\x82\xAC\xF0\x9F\x98\x80", "\xE2\x82\xAC\xF0\x9F\x98\x80"},
               {"caf\xE9", "caf?"},
               {"\xC0\xAF", "??"},
               {"\xED\xA0\x80", "???"},
               {"\xF4\x90\x80\x80", "????"},
               {"cut \xE2\x82", "cut ??"}};
  for (const auto &C : Cases) {
    Encoder E;
    E.string(1, C.In);
    std::string Data = bytes(E);
    protozero::pbf_reader Reader(Data);
    ASSERT_TRUE(Reader.next(1));
    EXPECT_EQ(Reader.get_string(), C.Out);
  }
}

TEST(Encoder, TruncateForgetsTheRest) {
  Encoder E;
  E.varint(1, 5);
  size_t Before = E.size();
  E.string(2, "gone");
  E.truncate(Before);
  EXPECT_EQ(bytes(E), std::string("\x08\x05"));
}
