// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/extract/UnreadFunctions.h"

#include "clang/AST/RecursiveASTVisitor.h"

using namespace clang;

namespace autoprof::audit {

namespace {

class NamedThings : public RecursiveASTVisitor<NamedThings> {
  Shared &Unit;

public:
  explicit NamedThings(Shared &Unit) : Unit(Unit) {}

  bool VisitDeclRefExpr(DeclRefExpr *E) { return named(E->getDecl()); }
  bool VisitMemberExpr(MemberExpr *E) { return named(E->getMemberDecl()); }
  bool VisitCXXConstructExpr(CXXConstructExpr *E) {
    return named(E->getConstructor());
  }

  bool TraverseConstructorInitializer(CXXCtorInitializer *Init) {
    if (Init->isMemberInitializer())
      named(Init->getMember());
    return RecursiveASTVisitor::TraverseConstructorInitializer(Init);
  }

private:
  bool named(const ValueDecl *D) {
    if (const auto *Field = llvm::dyn_cast<FieldDecl>(D))
      anything(Unit.TheNames.field(Field));
    else if (const auto *V = llvm::dyn_cast<VarDecl>(D);
             V && V->hasGlobalStorage())
      anything(Unit.TheNames.global(V));
    else if (const auto *F = llvm::dyn_cast<FunctionDecl>(D);
             F && !Unit.TheNames.isSystem(F))
      for (unsigned I = 0; I < F->getNumParams(); ++I)
        anything(Unit.TheNames.param(F, I));
    return true;
  }
  void anything(std::string Slot) {
    Unit.Flows.push_back({std::move(Slot), Value::anything()});
  }
};

} // namespace

void extractUnread(const FunctionDecl *F, Shared &Unit, Function &Out) {
  Out.Unread = true;
  Out.Blocks = {{{{Event::UnknownCall, 0, Out.Location}}, {}}};
  for (unsigned I = 0; I < F->getNumParams(); ++I)
    Unit.Flows.push_back({Unit.TheNames.outParam(F, I), Value::anything()});
  NamedThings Things(Unit);
  Things.TraverseDecl(const_cast<FunctionDecl *>(F));
}

} // namespace autoprof::audit
