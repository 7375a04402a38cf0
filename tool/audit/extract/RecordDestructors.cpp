// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Records the calls that destroying an object makes.
#include "audit/extract/Recorder.h"

#include "audit/extract/ShortText.h"
#include "source/ast/Functions.h"

#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace autoprof::audit {

void Recorder::destroyed(const VarDecl *V, const State &S) {
  auto It = BodyScopes.DeclaredIn.find(V);
  destroy(V->getType(), V->getLocation(),
          It == BodyScopes.DeclaredIn.end() ? -1 : It->second,
          V->getNameAsString(), Values.valueOf(CellKey{V, nullptr, 0}, S), 0);
}

void Recorder::destroyedField(const FieldDecl *Field, const State &S) {
  destroy(Field->getType(), Field->getLocation(), -1, Field->getNameAsString(),
          Values.valueOf(CellKey{nullptr, Field, 0}, S), 0);
}

void Recorder::deleted(const CXXDeleteExpr *E, const State &S) {
  destroy(E->getDestroyedType(), E->getBeginLoc(), scopeOf(E),
          shortText(E->getArgument()->getSourceRange(), Unit.Context),
          Value::anything(), 0);
}

/// For classes of the standard library: destroys what they own.
bool Recorder::destroyOwner(const CXXRecordDecl *Class, SourceLocation Loc,
                            int Scope, const std::string &Name,
                            const Value &Holds, unsigned Depth) {
  const auto *Template = llvm::dyn_cast<ClassTemplateSpecializationDecl>(Class);
  if (!Template)
    return false;
  for (const TemplateArgument &A : Template->getTemplateArgs().asArray()) {
    if (A.getKind() != TemplateArgument::Type)
      continue;
    destroy(A.getAsType(), Loc, Scope, Name, Value::anything(), Depth + 1);
    // The call operator of a deleter is called with the pointer.
    const CXXRecordDecl *Deleter = A.getAsType()->getAsCXXRecordDecl();
    if (qualifiedName(Class) != "std::unique_ptr" || !Deleter ||
        Unit.TheNames.isSystem(Deleter))
      continue;
    for (const CXXMethodDecl *Method : Deleter->methods())
      if (Method->getOverloadedOperator() == OO_Call) {
        Out.Calls.push_back({Unit.TheNames.usr(Method),
                             "the deleter " + source::displayName(Method),
                             Unit.PlaceOf(Loc), Scope, false, false,
                             /*EndsObject=*/true,
                             /*UsesStream=*/false,
                             /*Arguments=*/{},
                             /*Streams=*/{}});
        flow(Unit.TheNames.param(Method, 0), Holds);
        event(Event::CallMade, Out.Calls.size() - 1, Loc);
      }
  }
  return true;
}

void Recorder::destroy(QualType T, SourceLocation Loc, int Scope,
                       const std::string &Name, const Value &Holds,
                       unsigned Depth) {
  if (T.isNull() || Depth > 4)
    return;
  T = Unit.Context.getBaseElementType(T);
  const CXXRecordDecl *Class = T->getAsCXXRecordDecl();
  if (!Class || !Class->hasDefinition())
    return;
  Class = Class->getDefinition();
  const CXXDestructorDecl *Dtor = Class->getDestructor();
  if (Dtor)
    if (const catalogue::Row *Row = Unit.TheNames.row(Dtor, Class))
      return hiddenSite(*Row, Loc, Scope, Name, Holds);
  if (Unit.TheNames.isSystem(Class)) {
    destroyOwner(Class, Loc, Scope, Name, Holds, Depth);
    return;
  }
  if (Dtor && Dtor->isUserProvided()) {
    const std::string Key = "~" + Name + std::to_string(Loc.getRawEncoding());
    auto [It, New] = Hidden.try_emplace(Key, Out.Calls.size());
    if (New)
      Out.Calls.push_back({Unit.TheNames.usr(Dtor), source::displayName(Dtor),
                           Unit.PlaceOf(Loc), Scope, false, false,
                           /*EndsObject=*/true,
                           /*UsesStream=*/false,
                           /*Arguments=*/{},
                           /*Streams=*/{}});
    return event(Event::CallMade, It->second, Loc);
  }
  for (const FieldDecl *Field : Class->fields())
    destroy(Field->getType(), Loc, Scope, Name + "." + Field->getNameAsString(),
            Value::fromSlot(Unit.TheNames.field(Field)), Depth + 1);
  for (const CXXBaseSpecifier &Base : Class->bases())
    destroy(Base.getType(), Loc, Scope, Name, Value::anything(), Depth + 1);
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
    Dest.Whole = {Dest.Location, 0};
    Dest.Scope = Scope;
    Dest.Hidden = true;
    Arg Object;
    Object.Text = Name;
    Object.Val = Holds;
    Dest.Args.push_back(std::move(Object));
    Out.Sites.push_back(std::move(Dest));
  }
  event(Event::SiteReached, It->second, Loc);
}

} // namespace autoprof::audit
