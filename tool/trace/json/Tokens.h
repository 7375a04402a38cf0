// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pieces of a JSON document in their order, from a stream of any length.
//
// Traces are written by many programs, and by some as text. Whatever has the
// structure of JSON is read: also a lone surrogate (which becomes U+FFFD), the
// words that Python, C and C++ print for values without digits (NaN, -inf),
// numbers of any size, and a comma before the end of a list.
#pragma once

#include "trace/input/ByteSource.h"

#include "llvm/ADT/SmallVector.h"

#include <string>
#include <vector>

namespace autoprof::trace {

class JsonTokens {
public:
  enum Kind : uint8_t {
    Object, ///< The beginning of one.
    List,
    Close,
    Key,
    Value,   ///< A string or a number.
    Word,    ///< null, true, false, NaN, Infinity, and their other spellings.
    Done,    ///< The document has ended.
    Problem, ///< It cannot be read on; see problem().
  };

  explicit JsonTokens(const ByteReader &Read);
  Kind next();
  /// Of a key or a value, without quotes and escapes; valid until next().
  llvm::StringRef text() const { return Text; }
  /// One clause that says where.
  const std::string &problem() const { return Failure; }
  /// Bytes up to here.
  uint64_t position() const { return Before + size_t(Next - Buffer.data()); }
  /// Reads what is left; the size of the whole.
  uint64_t drain();

private:
  const ByteReader &Read;
  std::vector<char> Buffer;
  const char *Next, *End;
  uint64_t Before = 0;              ///< Bytes in front of the buffer.
  llvm::SmallVector<char, 16> Open; ///< The characters that close containers.
  enum : uint8_t { AtValue, AtKey, AfterValue } State = AtValue;
  bool MayClose = false; ///< Instead of a value or a key.
  llvm::StringRef Text;
  std::string Scratch; ///< Texts that are not as they are in the buffer.
  std::string Failure;

  bool refill();
  int peek();
  int peekPastSpace();
  Kind fail(const char *Reason);
  Kind open(char C);
  Kind close();
  Kind value(int C);
  void startText();
  template <typename Pred> void takeWhile(Pred Belongs);
  bool string();
  void unescape();
  bool scalar(Kind &Result);
};

} // namespace autoprof::trace
