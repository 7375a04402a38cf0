// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/syntax/PostponedCall.h"

#include "clang/AST/DeclTemplate.h"
#include "clang/Sema/Lookup.h"
#include "clang/Sema/Sema.h"

using namespace clang;

namespace autoprof::source {

Expr *postponedCall(Sema &S, const ProbeNodes &Nodes, uint64_t Id,
                    CallExpr *Call) {
  const FunctionDecl *Callee = Call->getDirectCallee();
  const bool Async = Callee && Callee->getName().starts_with("cudaMemcpyAsync");
  NamedDecl *Template =
      Nodes.member(Async ? "postponed_copy_async" : "postponed_copy");
  if (!Template)
    return nullptr;
  const SourceLocation Position = Call->getBeginLoc();
  LookupResult Found(S, Template->getDeclName(), Position,
                     Sema::LookupOrdinaryName);
  Found.addDecl(Template);
  Found.resolveKind();
  ASTContext &Context = S.getASTContext();
  Expr *Number = IntegerLiteral::Create(Context, llvm::APInt(64, Id),
                                        Context.UnsignedLongLongTy, Position);
  TemplateArgumentListInfo Arguments(Position, Position);
  Arguments.addArgument(TemplateArgumentLoc(
      TemplateArgument(Number, /*IsCanonical=*/false), Number));
  CXXScopeSpec NoScope;
  ExprResult Function =
      S.BuildTemplateIdExpr(NoScope, SourceLocation(), Found,
                            /*RequiresADL=*/false, &Arguments);
  if (Function.isInvalid())
    return nullptr;
  llvm::SmallVector<Expr *, 5> Copied(Call->arguments());
  ExprResult Result = S.BuildCallExpr(/*S=*/nullptr, Function.get(), Position,
                                      Copied, Call->getEndLoc());
  return Result.isInvalid() ? nullptr : Result.get();
}

} // namespace autoprof::source
