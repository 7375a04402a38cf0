// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The model as bytes. Each structure names its fields once, in visit(); the
// Writer and the Reader are both visitors. Numbers are LEB128, strings are
// written once and then referred to by number. The first string is a version:
// change it with the structures.
#include "audit/Model.h"

#include "llvm/ADT/StringMap.h"

#include <type_traits>

using namespace autoprof::audit;

namespace {

constexpr const char *Version = "autoprof-facts/4";

template <typename V> void visit(V &Do, Place &P) {
  Do(P.File, P.Line, P.Column, P.Offset);
}
template <typename V> void visit(V &Do, Range &R) { Do(R.Begin, R.Length); }
template <typename V> void visit(V &Do, Value &X) {
  Do(X.Mask, X.Unknown, X.From, X.At, X.By);
}
template <typename V> void visit(V &Do, Scope &S) {
  Do(S.Parent, S.What, S.At, S.Decided, S.Text, S.Trips, S.Polls,
     S.OverDevices);
}
template <typename V> void visit(V &Do, Arg &A) {
  Do(A.Text, A.Where, A.Is, A.Cell, A.Constant, A.Moves, A.Function);
}
template <typename V> void visit(V &Do, KnownFact &F) { Do(F.About, F.Is); }
template <typename V> void visit(V &Do, Site &S) {
  Do(S.Id, S.Row, S.Callee, S.Kernel, S.At, S.Whole, S.Removal, S.Scope, S.Args,
     S.Facts, S.Stream, S.StreamIs, S.StreamSeen, S.Macro, S.Hidden,
     S.SwitchedOnBy, S.Written);
}
template <typename V> void visit(V &Do, Call &C) {
  Do(C.Callee, C.Name, C.At, C.Scope, C.Virtual, C.Perhaps, C.UsesStream);
}
template <typename V> void visit(V &Do, Use &U) {
  Do(U.Site, U.Slot, U.What, U.Into, U.By, U.At, U.Scope);
}
template <typename V> void visit(V &Do, Event &E) { Do(E.What, E.Index, E.At); }
template <typename V> void visit(V &Do, Block &B) {
  Do(B.Events, B.Next, B.GivesUp);
}
template <typename V> void visit(V &Do, Cell &C) {
  Do(C.Name, C.At, C.Local, C.Rebound);
}
template <typename V> void visit(V &Do, DevicePrint &P) {
  Do(P.Kernel, P.Name, P.At);
}
template <typename V> void visit(V &Do, Flow &F) { Do(F.Slot, F.Is); }
template <typename V> void visit(V &Do, Function &F) {
  Do(F.Usr, F.Name, F.At, F.Internal, F.Virtual, F.Unread, F.Overrides,
     F.Params, F.Scopes, F.Sites, F.Calls, F.Uses, F.Cells, F.Blocks);
}
template <typename V> void visit(V &Do, TranslationUnit &T) {
  Do(T.MainFile, T.Root, T.Functions, T.Flows, T.Elsewhere, T.Prints,
     T.PerThreadStream);
}

class Writer {
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

class Reader {
  const std::string &Bytes;
  size_t At = 0;
  std::vector<std::string> Known;

public:
  bool Damaged = false;

  explicit Reader(const std::string &Bytes) : Bytes(Bytes) {}
  bool atEnd() const { return At == Bytes.size(); }

  template <typename... Fields> void operator()(Fields &...F) {
    (field(F), ...);
  }

private:
  uint64_t number() {
    uint64_t N = 0;
    for (unsigned Shift = 0; Shift < 64; Shift += 7) {
      if (At == Bytes.size())
        break;
      const unsigned char Byte = Bytes[At++];
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
    Damaged |= N > Bytes.size() - At;
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
      Known.push_back(Bytes.substr(At, Length));
      At += Length;
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

} // namespace

std::string autoprof::audit::encode(const TranslationUnit &TU) {
  Writer Out;
  std::string Tag = Version;
  Out(Tag);
  // The visitors are shared with the Reader, so they take what they may change.
  Out(const_cast<TranslationUnit &>(TU));
  return std::move(Out.Bytes);
}

std::optional<TranslationUnit>
autoprof::audit::decode(const std::string &Bytes) {
  Reader In(Bytes);
  std::string Tag;
  In(Tag);
  if (In.Damaged || Tag != Version)
    return std::nullopt;
  TranslationUnit TU;
  In(TU);
  if (In.Damaged || !In.atEnd())
    return std::nullopt;
  return TU;
}
