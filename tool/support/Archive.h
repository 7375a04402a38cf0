// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plain data as bytes, for a process that sends its result to another one, and
// for caches. Each structure names its fields once, for both directions:
//
//     template <typename V> static void visit(V &Do, Place &P) {
//       Do(P.File, P.Line, P.Column);
//     }
//
// in the structure's own namespace, where argument-dependent lookup finds it.
// Numbers are LEB128; strings are written once and then referred to by number.
#pragma once

#include "llvm/ADT/StringMap.h"

#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace autoprof::support {

/// Writes values one after the other into Bytes.
class ArchiveWriter {
  llvm::StringMap<uint64_t> Known;

public:
  std::string Bytes;

  template <typename... Fields> void operator()(Fields &...F) {
    (field(F), ...);
  }

private:
  void number(uint64_t N) {
    for (; N >= 0x80; N >>= 7)
      Bytes += char(N | 0x80);
    Bytes += char(N);
  }
  void field(std::string &S) {
    auto [It, New] = Known.try_emplace(S, Known.size());
    number(It->second);
    if (!New)
      return;
    number(S.size());
    Bytes += S;
  }
  template <typename T> void field(std::vector<T> &All) {
    number(All.size());
    for (T &X : All)
      field(X);
  }
  void field(std::optional<int64_t> &N) {
    number(N.has_value());
    if (N)
      number(uint64_t(*N));
  }
  template <typename T> void field(T &X) {
    if constexpr (std::is_integral_v<T> || std::is_enum_v<T>)
      number(uint64_t(X));
    else
      visit(*this, X);
  }
};

/// Reads what an ArchiveWriter of the same values wrote.
class ArchiveReader {
  llvm::StringRef Bytes;
  size_t Pos = 0;
  std::vector<std::string> Known;

public:
  bool Damaged = false; ///< The bytes are not what a writer wrote.

  explicit ArchiveReader(llvm::StringRef Bytes) : Bytes(Bytes) {}
  bool atEnd() const { return Pos == Bytes.size(); }

  template <typename... Fields> void operator()(Fields &...F) {
    (field(F), ...);
  }

private:
  uint64_t number() {
    uint64_t N = 0;
    for (unsigned Shift = 0; Shift < 64; Shift += 7) {
      if (Pos == Bytes.size())
        break;
      const unsigned char Byte = Bytes[Pos++];
      N |= uint64_t(Byte & 0x7f) << Shift;
      if (Byte < 0x80)
        return N;
    }
    Damaged = true;
    return 0;
  }
  /// No list is longer than the bytes that are left.
  uint64_t length() {
    uint64_t N = number();
    Damaged |= N > Bytes.size() - Pos;
    return Damaged ? 0 : N;
  }
  void field(std::string &S) {
    uint64_t Index = number();
    if (Index > Known.size())
      Damaged = true;
    if (Damaged)
      return;
    if (Index == Known.size()) {
      uint64_t Length = length();
      Known.push_back(Bytes.substr(Pos, Length).str());
      Pos += Length;
    }
    S = Known[Index];
  }
  template <typename T> void field(std::vector<T> &All) {
    All.resize(length());
    for (T &X : All)
      if (!Damaged)
        field(X);
  }
  void field(std::optional<int64_t> &N) {
    if (number())
      N = int64_t(number());
  }
  template <typename T> void field(T &X) {
    if constexpr (std::is_integral_v<T> || std::is_enum_v<T>)
      X = T(number());
    else
      visit(*this, X);
  }
};

} // namespace autoprof::support
