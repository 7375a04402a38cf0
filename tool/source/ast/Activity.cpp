// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/ast/Activity.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/Type.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace autoprof::source {

//===-- Evidence in a declaration -----------------------------------------===//

/// Whether `F` is the user's, and defined elsewhere (or, if virtual, perhaps
/// nowhere).
static bool isDefinedElsewhere(const FunctionDecl *F, const SourceManager &SM) {
  return !F->isDefined() && !F->isImplicit() && !F->isDefaulted() &&
         !F->getBuiltinID() &&
         !SM.isInSystemHeader(SM.getFileLoc(F->getLocation()));
}

/// Types of CUDA objects are typedefs or tags in its headers, named cu... or
/// nccl...; those of HIP are named hip... or ihip....
static bool isCudaName(const NamedDecl *D, const SourceManager &SM) {
  constexpr llvm::StringLiteral Prefixes[] = {"cu", "CU", "nccl", "hip",
                                              "ihip"};
  if (!D->getIdentifier() ||
      llvm::none_of(Prefixes, [D](llvm::StringRef Prefix) {
        return D->getName().starts_with(Prefix);
      }))
    return false;
  return SM.isInSystemHeader(SM.getFileLoc(D->getLocation()));
}

static bool isCudaObject(QualType T, const SourceManager &SM) {
  while (!T.isNull()) {
    if (const auto *Alias = T->getAs<TypedefType>()) {
      if (isCudaName(Alias->getDecl(), SM))
        return true;
      T = Alias->desugar();
    } else if (T->isPointerType() || T->isReferenceType()) {
      T = T->getPointeeType();
    } else {
      const TagDecl *Tag = T->getAsTagDecl();
      return Tag && isCudaName(Tag, SM);
    }
  }
  return false;
}

/// Whether `F` takes a CUDA object (cudaStream_t, cublasHandle_t, ncclComm_t,
/// ...), or is a member of a class that has one. Such a function counts as
/// using the GPU.
static bool handlesCudaObjects(const FunctionDecl *F, const SourceManager &SM) {
  auto IsObject = [&](const ValueDecl *V) {
    return isCudaObject(V->getType(), SM);
  };
  if (llvm::any_of(F->parameters(), IsObject))
    return true;
  const auto *Method = llvm::dyn_cast<CXXMethodDecl>(F);
  const CXXRecordDecl *Class =
      Method ? Method->getParent()->getDefinition() : nullptr;
  return Class && llvm::any_of(Class->fields(), IsObject);
}

/// Instantiations and redeclarations are one function: the written one.
static const FunctionDecl *written(const FunctionDecl *F) {
  if (const FunctionDecl *Pattern = F->getTemplateInstantiationPattern())
    F = Pattern;
  return F->getCanonicalDecl();
}

Activity::Node Activity::add(const FunctionDecl *F) {
  Node N = Nodes.size();
  Nodes.emplace_back();
  if (F)
    Bodies[written(F)] = N;
  return N;
}

void Activity::calls(Node N, const FunctionDecl *Callee) {
  Nodes[N].Callees.push_back(written(Callee));
}

/// Returns whether anything changed.
bool Activity::Code::add(const Code &Callee) {
  const bool IsNew = (Callee.UsesGpu && !UsesGpu) || (Callee.Works && !Works) ||
                     (Callee.CallsOut && !CallsOut);
  UsesGpu |= Callee.UsesGpu;
  Works |= Callee.Works;
  CallsOut |= Callee.CallsOut;
  return IsNew;
}

void Activity::close(const SourceManager &SM) {
  for (Code &C : Nodes)
    for (const FunctionDecl *F : C.Callees)
      if (!Bodies.count(F) && isDefinedElsewhere(F, SM)) {
        C.CallsOut = true;
        if (handlesCudaObjects(F, SM))
          C.UsesGpu = C.Works = true;
      }
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (Code &C : Nodes)
      for (const FunctionDecl *F : C.Callees) {
        auto Body = Bodies.find(F);
        if (Body != Bodies.end())
          Changed |= C.add(Nodes[Body->second]);
      }
  }
}

} // namespace autoprof::source
