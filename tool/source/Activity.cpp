// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/Activity.h"

#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace autoprof::source {

/// Instantiations and redeclarations are one function: the one that is written.
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

void Activity::close() {
  auto UsesGpu = [this](const FunctionDecl *F) {
    auto Body = Bodies.find(F);
    return Body != Bodies.end() && Nodes[Body->second].UsesGpu;
  };
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (Code &C : Nodes)
      if (!C.UsesGpu && llvm::any_of(C.Callees, UsesGpu))
        Changed = C.UsesGpu = true;
  }
}

} // namespace autoprof::source
