// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The knowledge about one point of a function.
// Variables, fields and what they point to are cells. A cell is a variable (or
// `this`, or an object that has no name), perhaps a field of it, and a depth:
//   &p   depth -1    p   depth 0    *p, p[i]   depth 1
// For each cell, a Value states what kind of memory it points to, or what kind
// of stream or handle it is. A cell to which this function has not stored has
// the value of its slot (Model.h), so that other functions determine it. In
// addition, the state has the data that a cell holds: that of a site ("S:3"),
// or of a slot.
#pragma once

#include "audit/Model.h"
#include "audit/extract/Names.h"
#include "audit/extract/Persistent.h"
#include "audit/extract/Syntax.h"

#include "clang/AST/ASTContext.h"
#include <functional>
#include <tuple>

namespace autoprof::audit {

struct CellKey {
  const clang::VarDecl *Base = nullptr; ///< Null: `this`, or an unnamed object.
  const clang::FieldDecl *Field = nullptr;
  int Depth = 0;

  bool operator<(const CellKey &O) const {
    return std::tie(Base, Field, Depth) < std::tie(O.Base, O.Field, O.Depth);
  }
  bool operator==(const CellKey &O) const {
    return std::tie(Base, Field, Depth) == std::tie(O.Base, O.Field, O.Depth);
  }
  CellKey atDepth(int NewDepth) const { return {Base, Field, NewDepth}; }
};

/// "S:3": a site; a slot; or a slot of a called function, with the call
/// (withCall()).
using Sources = PersistentSet;

/// A source that enters the function from one of its calls. `Call`: see
/// Use::From.
std::string withCall(llvm::StringRef Slot, unsigned Call);
/// The slot and the call of such a source; 0 if it has none.
std::pair<llvm::StringRef, unsigned> splitCall(llvm::StringRef Source);

// LLVM looks it up by this name. NOLINTNEXTLINE(readability-identifier-naming)
inline llvm::hash_code hash_value(const CellKey &C) {
  return llvm::hash_combine(C.Base, C.Field, C.Depth);
}

class State {
public:
  bool Reached = false;

  /// Null if the function has not stored to the cell.
  const Value *value(const CellKey &C) const {
    return (C.Field ? FieldValues : Values).find(C);
  }
  void setValue(const CellKey &C, Value V) {
    (C.Field ? FieldValues : Values).set(C, std::move(V));
  }
  void eraseValue(const CellKey &C) {
    (C.Field ? FieldValues : Values).erase(C);
  }
  /// The data of a cell of depth 0; null if it is that of its slot.
  const Sources *data(const CellKey &C) const {
    return (C.Field ? FieldData : Data).find(C);
  }
  void setData(const CellKey &C, Sources D) {
    (C.Field ? FieldData : Data).set(C, std::move(D));
  }
  void eraseData(const CellKey &C) { (C.Field ? FieldData : Data).erase(C); }
  /// The data of all fields of a variable.
  Sources dataOfFields(const clang::VarDecl *V) const;
  /// Forgets what fields hold, except for the data of those to keep.
  void forgetFields(llvm::function_ref<bool(const CellKey &)> Keep);

  /// Makes it the state that may be either. `Initial`: see
  /// Evaluator::initial(). Returns whether it has changed.
  bool join(const State &O, llvm::function_ref<Value(const CellKey &)> Initial);

private:
  PersistentMap<CellKey, Value> Values, FieldValues;
  PersistentMap<CellKey, Sources> Data, FieldData;
};

/// Evaluates expressions of one function.
class Evaluator {
public:
  Evaluator(clang::ASTContext &Context, Names &Names,
            const clang::FunctionDecl *F,
            std::function<Place(clang::SourceLocation)> PlaceOf)
      : Context(Context), TheNames(Names), F(F), PlaceOf(std::move(PlaceOf)) {}

  /// The cell that an expression names or points to: `p` and `p + 1` give p at
  /// depth 0.
  std::optional<CellKey> cellOf(const clang::Expr *E) const;

  /// The value of a pointer, stream or handle.
  Value valueOf(const clang::Expr *E, const State &S) const;
  Value valueOf(const CellKey &C, const State &S) const;

  /// The data in the value of an expression. `SiteOf` returns the number of a
  /// call that is a site, or -1.
  Sources dataOf(const clang::Expr *E, const State &S) const;
  std::function<int(const clang::Expr *)> SiteOf;

  /// The value of `&Object`: the memory that an access to it touches.
  Value addressOf(const clang::Expr *Object, const State &S) const;

  /// The value of a cell to which this function has not stored.
  Value initial(const CellKey &C) const;
  /// The slot of a cell that is visible to other functions, or "".
  std::string slot(const CellKey &C) const;

  const clang::FunctionDecl *function() const { return F; }

  /// See Use::From.
  unsigned callNumber(const clang::Expr *Call) const {
    return PlaceOf(Call->getBeginLoc()).Offset + 1;
  }

  /// Whether it is a pointer, stream, handle, or a container or owner of
  /// memory.
  static bool isTracked(clang::QualType T);

private:
  Value valueOfCall(const clang::CallExpr *Call, const State &S) const;
  Value valueOfConstruction(const clang::CXXConstructExpr *E,
                            const State &S) const;
  Value madeAt(clang::SourceLocation Loc, uint32_t Mask) const;
  Value storageOf(const clang::VarDecl *V) const;
  Value ofType(clang::QualType T, clang::SourceLocation Loc) const;
  void addData(const clang::Stmt *S, const State &Known, Sources &Out) const;

  clang::ASTContext &Context;
  Names &TheNames;
  const clang::FunctionDecl *F;
  std::function<Place(clang::SourceLocation)> PlaceOf;
};

} // namespace autoprof::audit
