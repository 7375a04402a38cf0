// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Records the calls that destroying an object makes.
#include "audit/extract/Recorder.h"

#include "audit/extract/Syntax.h"
#include "source/ast/Functions.h"

#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace autoprof::audit {

void Recorder::destroy(QualType T, const std::string &Name, const Value &Holds,
                       const ValueDecl *Object, const End &At) {
  const auto Given = Unit.Found.Deleters.find(Object);
  record(destructionOf(T, Name, Holds,
                       Given == Unit.Found.Deleters.end() ? Callables()
                                                          : Given->second,
                       Unit.TheNames),
         At);
}

/// A part that others may own as well is not a certain wait, so it is no site.
void Recorder::record(const std::vector<Destruction> &Parts, const End &At) {
  for (const Destruction &Part : Parts) {
    const bool Uncertain = At.Uncertain || (Part.Shared && !At.IsOwner);
    if (Part.Row) {
      if (!Uncertain)
        hiddenSite(*Part.Row, At.Loc, At.Scope, Part.Name, Part.Holds);
      continue;
    }
    const std::string Key = Unit.TheNames.usr(Part.Callee) + "~" + Part.Name +
                            std::to_string(At.Loc.getRawEncoding());
    auto [It, New] = Hidden.try_emplace(Key, Out.Calls.size());
    const bool Deleter = !llvm::isa<CXXDestructorDecl>(Part.Callee);
    if (New) {
      audit::Call C;
      C.Callee = Unit.TheNames.usr(Part.Callee);
      C.Name =
          (Deleter ? "the deleter " : "") + source::displayName(Part.Callee);
      C.Location = Unit.PlaceOf(At.Loc);
      C.Scope = At.Scope;
      C.Virtual = Part.Virtual;
      C.Uncertain = Uncertain;
      C.EndsObject = true;
      Out.Calls.push_back(std::move(C));
    }
    if (Deleter)
      flow(Unit.TheNames.param(Part.Callee, 0), Part.Holds);
    CurrentScope = At.Scope;
    event(Event::CallMade, It->second, At.Loc);
  }
}

/// Whether the initializer makes the object itself, instead of copying a shared
/// owner of it.
static bool makesObject(const Expr *Init) {
  Init = Init ? Init->IgnoreUnlessSpelledInSource() : nullptr;
  if (const auto *Construct = llvm::dyn_cast_or_null<CXXConstructExpr>(Init))
    return Construct->getNumArgs() &&
           !Construct->getConstructor()->isCopyOrMoveConstructor();
  const auto *Call = llvm::dyn_cast_or_null<CallExpr>(Init);
  const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
  return Callee && Callee->getIdentifier() &&
         Callee->getName().starts_with("make_shared");
}

void Recorder::destroyed(const VarDecl *V, const State &S) {
  if (Returned.contains(V))
    return;
  auto It = BodyScopes.DeclaredIn.find(V);
  // A reference prolongs the lifetime of a temporary.
  destroy(V->getType().getNonReferenceType(), V->getNameAsString(),
          Values.valueOf(CellKey{V, nullptr, 0}, S), V,
          {V->getLocation(),
           It == BodyScopes.DeclaredIn.end() ? -1 : It->second,
           Moved.contains(V), makesObject(V->getInit())});
}

void Recorder::destroyedField(const FieldDecl *Field, const State &S) {
  destroy(Field->getType(), Field->getNameAsString(),
          Values.valueOf(CellKey{nullptr, Field, 0}, S), Field,
          {Field->getLocation(), -1, false, false});
}

void Recorder::destroyedBase(const CXXBaseSpecifier *Base) {
  destroy(Base->getType(), "", Value::anything(), nullptr,
          {Base->getBeginLoc(), -1, false, false});
}

void Recorder::deleted(const CXXDeleteExpr *E, const State &S) {
  std::vector<Destruction> Parts =
      destructionOf(E->getDestroyedType(),
                    shortText(E->getArgument()->getSourceRange(), Unit.Context),
                    Value::anything(), {}, Unit.TheNames);
  // The object may be of a derived class.
  for (Destruction &Part : Parts) {
    const auto *Dtor = llvm::dyn_cast_or_null<CXXDestructorDecl>(Part.Callee);
    Part.Virtual = Dtor && Dtor->isVirtual();
  }
  record(Parts, {E->getBeginLoc(), scopeOf(E)});
}

/// Whether the temporary's content is moved into another object, or it is that
/// object.
static bool isMoved(const Stmt *Parent, const Names &TheNames) {
  if (!Parent || llvm::isa<ReturnStmt, DeclStmt>(Parent))
    return true;
  if (const auto *Construct = llvm::dyn_cast<CXXConstructExpr>(Parent))
    return Construct->getConstructor()->isMoveConstructor() ||
           TheNames.isSystem(Construct->getConstructor());
  const auto *Call = llvm::dyn_cast<CallExpr>(Parent);
  const FunctionDecl *Callee = Call ? Call->getDirectCallee() : nullptr;
  return Callee && (TheNames.isSystem(Callee) || Callee->isDefaulted());
}

/// Whether a function of the project gets the temporary and may keep its
/// content.
static bool mayBeKept(const Stmt *Parent, QualType T) {
  const auto *Call = llvm::dyn_cast<CallExpr>(Parent);
  const auto *Construct = llvm::dyn_cast<CXXConstructExpr>(Parent);
  const FunctionDecl *Callee = Call        ? Call->getDirectCallee()
                               : Construct ? Construct->getConstructor()
                                           : nullptr;
  return Callee && !llvm::isa<CXXOperatorCallExpr>(Parent) &&
         llvm::any_of(Callee->parameters(), [&](const ParmVarDecl *P) {
           const QualType Passed = P->getType();
           return !Passed->isLValueReferenceType() &&
                  Passed.getNonReferenceType().getCanonicalType() ==
                      T.getCanonicalType().getUnqualifiedType();
         });
}

void Recorder::destroyedTemporary(const CXXBindTemporaryExpr *E) {
  const Expr *Made = E->getSubExpr()->IgnoreParenImpCasts();
  const Stmt *Parent = BodyScopes.Parents.lookup(Made);
  if (isMoved(Parent, Unit.TheNames))
    return;
  const bool IsOwner = makesObject(Made);
  std::vector<Destruction> Parts = destructionOf(
      E->getType(), "", Value::anything(), deletersIn(Made), Unit.TheNames);
  // What a function returns is often a view, or one of several owners.
  if (!IsOwner)
    llvm::erase_if(
        Parts, [](const Destruction &Part) { return Part.Row || Part.Shared; });
  record(Parts, {E->getBeginLoc(), scopeOf(Made),
                 mayBeKept(Parent, E->getType()), IsOwner});
}

void Recorder::emptied(const CallExpr *Call, const FunctionDecl *Callee,
                       const State &S) {
  const Expr *Object = emptiedBy(Call, Callee);
  if (!Object)
    return;
  const auto *Member = llvm::dyn_cast<MemberExpr>(strip(Object));
  // The members of an object under construction hold nothing yet.
  if (Member && llvm::isa<CXXConstructorDecl>(Values.function()) &&
      llvm::isa<CXXThisExpr>(Member->getBase()->IgnoreParenImpCasts()))
    return;
  const ValueDecl *D = namedBy(Object);
  // `to.push_back(std::move(from.front())); from.pop_front();`
  const bool IsMoved =
      Moved.contains(D) || llvm::any_of(Call->arguments(), [&](const Expr *E) {
        return Moved.contains(namedBy(E));
      });
  destroy(Object->getType().getNonReferenceType(),
          shortText(Object->getSourceRange(), Unit.Context),
          Values.valueOf(Object, S), D,
          {Call->getBeginLoc(), scopeOf(Call), IsMoved});
}

void Recorder::hiddenSite(const catalogue::Row &Row, SourceLocation Loc,
                          int Scope, const std::string &Name,
                          const Value &Holds) {
  const std::string Key =
      Row.Name.str() + Name + std::to_string(Loc.getRawEncoding());
  auto [It, New] = Hidden.try_emplace(Key, Out.Sites.size());
  if (New) {
    Site Dest;
    Dest.Row = Dest.Callee = Row.Name.str();
    Dest.Location = Unit.PlaceOf(Loc);
    Dest.Scope = Scope;
    Dest.Hidden = true;
    Arg Object;
    Object.Text = Name;
    Object.Val = Holds;
    Dest.Args.push_back(std::move(Object));
    Out.Sites.push_back(std::move(Dest));
  }
  CurrentScope = Scope;
  event(Event::SiteReached, It->second, Loc);
}

} // namespace autoprof::audit
