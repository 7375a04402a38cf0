// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/ast/Activity.h"

#include "source/ast/GpuEvidence.h"

using namespace clang;

namespace autoprof::source {

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
