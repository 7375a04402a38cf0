// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/ast/GpuEvidence.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/Type.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace autoprof::source {

bool isDefinedElsewhere(const FunctionDecl *F, const SourceManager &SM) {
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

bool handlesCudaObjects(const FunctionDecl *F, const SourceManager &SM) {
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

} // namespace autoprof::source
