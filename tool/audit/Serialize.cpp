// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The model as bytes (support/Archive.h). The first string is a version: change
// it with the structures.
#include "audit/Model.h"

#include "support/Archive.h"

namespace autoprof::audit {

static constexpr const char *Version = "autoprof-facts/6";

template <typename V> static void visit(V &Do, Place &P) {
  Do(P.File, P.Line, P.Column, P.Offset);
}
template <typename V> static void visit(V &Do, Range &R) {
  Do(R.Begin, R.Length);
}
template <typename V> static void visit(V &Do, Value &X) {
  Do(X.Mask, X.Unknown, X.From, X.At, X.By);
}
template <typename V> static void visit(V &Do, Scope &S) {
  Do(S.Parent, S.What, S.At, S.Decided, S.Text, S.Trips, S.Polls,
     S.OverDevices, S.Scales, S.End, S.Until, S.Asks, S.AsksIfTrue);
}
template <typename V> static void visit(V &Do, Arg &A) {
  Do(A.Text, A.Where, A.Is, A.Cell, A.Constant, A.Moves, A.Function);
}
template <typename V> static void visit(V &Do, KnownFact &F) {
  Do(F.About, F.Is);
}
template <typename V> static void visit(V &Do, Site &S) {
  Do(S.Id, S.Row, S.Callee, S.Kernel, S.At, S.Whole, S.Removal, S.Scope, S.Args,
     S.Facts, S.Stream, S.StreamIs, S.StreamSeen, S.Macro, S.Hidden,
     S.SwitchedOnBy, S.Written);
}
template <typename V> static void visit(V &Do, Call &C) {
  Do(C.Callee, C.Name, C.At, C.Scope, C.Virtual, C.Perhaps, C.EndsObject,
     C.UsesStream);
}
template <typename V> static void visit(V &Do, Use &U) {
  Do(U.Site, U.Slot, U.What, U.Into, U.By, U.At, U.Scope);
}
template <typename V> static void visit(V &Do, Event &E) {
  Do(E.What, E.Index, E.At);
}
template <typename V> static void visit(V &Do, Block &B) {
  Do(B.Events, B.Next, B.GivesUp);
}
template <typename V> static void visit(V &Do, Cell &C) {
  Do(C.Name, C.At, C.Local, C.Rebound);
}
template <typename V> static void visit(V &Do, DevicePrint &P) {
  Do(P.Kernel, P.Name, P.At);
}
template <typename V> static void visit(V &Do, Flow &F) { Do(F.Slot, F.Is); }
template <typename V> static void visit(V &Do, Function &F) {
  Do(F.Usr, F.Name, F.At, F.Internal, F.Virtual, F.Unread, F.Overrides,
     F.Params, F.Scopes, F.Sites, F.Calls, F.Uses, F.Cells, F.Blocks);
}
template <typename V> static void visit(V &Do, TranslationUnit &T) {
  Do(T.MainFile, T.Root, T.Functions, T.Flows, T.Elsewhere, T.Prints,
     T.PerThreadStream);
}

std::string encode(const TranslationUnit &TU) {
  support::ArchiveWriter Out;
  std::string Tag = Version;
  Out(Tag);
  // The visitors are shared with the reader, so they take what they may change.
  Out(const_cast<TranslationUnit &>(TU));
  return std::move(Out.Bytes);
}

std::optional<TranslationUnit> decode(const std::string &Bytes) {
  support::ArchiveReader In(Bytes);
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

} // namespace autoprof::audit
