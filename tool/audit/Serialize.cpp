// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The model as bytes (support/Archive.h). The first string is a version: change
// it whenever the structures change.
#include "audit/Model.h"

#include "support/Archive.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"

namespace autoprof::audit {

static constexpr const char *Version = "autoprof-facts/30";

static void visit(support::ArchiveWriter &Archive, FileName &F) {
  std::string Text = F;
  Archive(Text);
}
static void visit(support::ArchiveReader &Archive, FileName &F) {
  std::string Text;
  Archive(Text);
  F = FileName(Text);
}
template <typename V> static void visit(V &Archive, Place &P) {
  Archive(P.File, P.Line, P.Column, P.Offset);
}
template <typename V> static void visit(V &Archive, Value &X) {
  Archive(X.Mask, X.Unknown, X.Slots, X.Location);
}
template <typename V> static void visit(V &Archive, Term &T) {
  Archive(T.Class, T.Number, T.Name, T.Parts);
}
template <typename V> static void visit(V &Archive, Scope &S) {
  Archive(S.Parent, S.Class, S.Ends, S.Location, S.Decided, S.Text, S.When,
          S.Left, S.End);
}
template <typename V> static void visit(V &Archive, Arg &A) {
  Archive(A.Text, A.Val, A.Cell, A.Number, A.MayWrite, A.Of);
}
template <typename V> static void visit(V &Archive, KnownFact &F) {
  Archive(F.Subject, F.Val);
}
template <typename V> static void visit(V &Archive, Site &S) {
  Archive(S.Id, S.Row, S.Callee, S.Kernel, S.Location, S.IsStatement, S.Scope,
          S.Args, S.Facts, S.Stream, S.StreamVal, S.StreamOf, S.Hidden);
}
template <typename V> static void visit(V &Archive, Call::Argument &A) {
  Archive(A.Number, A.Val, A.Cell, A.Handle, A.Of, A.Function);
}
template <typename V> static void visit(V &Archive, Call &C) {
  Archive(C.Callee, C.Name, C.Location, C.Scope, C.Virtual, C.On, C.Object,
          C.Uncertain, C.EndsObject, C.UsesStream, C.Through, C.ThroughSlot,
          C.Arguments);
}
template <typename V> static void visit(V &Archive, Use &U) {
  Archive(U.Site, U.Slot, U.Class, U.TargetSlot, U.SinkName, U.Location,
          U.Scope, U.From, U.Into);
}
template <typename V> static void visit(V &Archive, Event &E) {
  Archive(E.Class, E.Index, E.Location, E.Scope, E.ReadOnly);
}
template <typename V> static void visit(V &Archive, Block &B) {
  Archive(B.Events, B.Next, B.GivesUp);
}
template <typename V> static void visit(V &Archive, Cell &C) {
  Archive(C.Name, C.Location, C.Local, C.Rebound, C.Param, C.Slot);
}
template <typename V> static void visit(V &Archive, Touch &T) {
  Archive(T.Memory);
}
template <typename V> static void visit(V &Archive, StoredFunction &F) {
  Archive(F.Type, F.Usr);
}
template <typename V> static void visit(V &Archive, Flow &F) {
  Archive(F.Slot, F.Val);
}
template <typename V> static void visit(V &Archive, Assignment &A) {
  Archive(A.Slot, A.Value, A.Class, A.Sometimes, A.IsFlag, A.Scope);
}
template <typename V> static void visit(V &Archive, Function &F) {
  Archive(F.Usr, F.Name, F.Location, F.Unread, F.Overrides, F.Class, F.Scopes,
          F.Sites, F.Calls, F.Uses, F.Cells, F.Touches, F.Result, F.ResultOf,
          F.Assigns, F.Blocks, F.Flows);
}
template <typename V> static void visit(V &Archive, Class &C) {
  Archive(C.Usr, C.Bases, C.Abstract);
}
template <typename V> static void visit(V &Archive, TranslationUnit &T) {
  Archive(T.MainFile, T.Root, T.Flows, T.Initial, T.Elsewhere, T.Stored,
          T.Classes, T.PerThreadStream, T.Hip);
}

std::string encode(const TranslationUnit &TU) {
  support::ArchiveWriter Out;
  std::string Tag = Version;
  // The reader shares the visitors, so they take mutable references.
  Out(Tag, const_cast<TranslationUnit &>(TU));
  // Each function has bytes of its own: equal ones are equal functions.
  std::vector<std::string> Functions;
  for (const std::shared_ptr<const Function> &F : TU.Functions) {
    support::ArchiveWriter One;
    One(const_cast<Function &>(*F));
    Functions.push_back(std::move(One.Bytes));
  }
  Out(Functions);
  return std::move(Out.Bytes);
}

static std::shared_ptr<const Function> decodeFunction(llvm::StringRef Bytes) {
  support::ArchiveReader Reader(Bytes);
  auto F = std::make_shared<Function>();
  Reader(*F);
  return Reader.Damaged || !Reader.atEnd() ? nullptr : F;
}

std::optional<TranslationUnit> decode(const std::string &Bytes,
                                      SharedFunctions &Known) {
  support::ArchiveReader Reader(Bytes);
  std::string Tag;
  Reader(Tag);
  if (Reader.Damaged || Tag != Version)
    return std::nullopt;
  TranslationUnit TU;
  std::vector<std::string> Functions;
  Reader(TU, Functions);
  if (Reader.Damaged || !Reader.atEnd())
    return std::nullopt;
  for (const std::string &F : Functions) {
    const llvm::XXH128_hash_t Hash =
        llvm::xxh3_128bits(llvm::arrayRefFromStringRef(F));
    std::shared_ptr<const Function> &Model = Known[{Hash.low64, Hash.high64}];
    if (!Model)
      Model = decodeFunction(F);
    if (!Model)
      return std::nullopt;
    TU.Functions.push_back(Model);
  }
  return TU;
}

} // namespace autoprof::audit
