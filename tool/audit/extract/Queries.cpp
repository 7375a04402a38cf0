// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/extract/Queries.h"

#include "audit/extract/Inside.h"
#include "catalogue/HipNames.h"

#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

using namespace clang;
using llvm::StringRef;

namespace autoprof::audit {

bool isQuery(const Stmt *S) {
  const auto *Call = llvm::dyn_cast_or_null<CallExpr>(S);
  const FunctionDecl *F = Call ? Call->getDirectCallee() : nullptr;
  if (!F || !F->getIdentifier())
    return false;
  const StringRef Name = catalogue::cudaName(F->getName());
  return Name.starts_with("cudaStreamQuery") ||
         Name.starts_with("cudaEventQuery") || Name == "cuStreamQuery" ||
         Name == "cuEventQuery";
}

/// Whether a loop that polls does the host's own work meanwhile: it counts, or
/// changes what is not the result of a query.
static bool computes(const Stmt *Body) {
  return anyInside(Body, [](const Stmt *S) {
    if (const auto *Step = llvm::dyn_cast<UnaryOperator>(S))
      return Step->isIncrementDecrementOp();
    const auto *Store = llvm::dyn_cast<BinaryOperator>(S);
    if (!Store || !Store->isAssignmentOp())
      return false;
    return Store->isCompoundAssignmentOp() ||
           (!isQuery(Store->getRHS()->IgnoreParenImpCasts()) &&
            !Store->getLHS()->getType()->isBooleanType() &&
            !Store->getLHS()->getType()->isEnumeralType());
  });
}

static bool launchesInside(const Stmt *S) {
  return anyInside(S, [](const Stmt *Inner) {
    return llvm::isa<CUDAKernelCallExpr>(Inner);
  });
}

bool pollsTheGPU(const Expr *Condition, const Stmt *Body) {
  return (anyInside(Condition, isQuery) || anyInside(Body, isQuery)) &&
         !launchesInside(Body) && !computes(Body);
}

static bool isEmpty(const Stmt *Body) {
  const auto *Block = llvm::dyn_cast_or_null<CompoundStmt>(Body);
  return Body && (llvm::isa<NullStmt>(Body) || (Block && Block->body_empty()));
}

/// Whether it reads volatile memory, or an atomic variable.
static bool readsShared(const Stmt *S) {
  return anyInside(S, [](const Stmt *Inner) {
    const auto *E = llvm::dyn_cast<Expr>(Inner);
    if (!E)
      return false;
    const QualType T = E->getType();
    const auto *Class = T->getAsCXXRecordDecl();
    return (E->isGLValue() && T.isVolatileQualified()) || T->isAtomicType() ||
           (Class && Class->getIdentifier() && Class->isInStdNamespace() &&
            Class->getName().contains("atomic"));
  });
}

bool spins(const Expr *Condition, const Stmt *Body) {
  return isEmpty(Body) && readsShared(Condition);
}

} // namespace autoprof::audit
