// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which functions and loops use the GPU, directly or through the functions that
// they call, and which of them queue work or may wait for it. For functions of
// other translation units, only the declaration is known: see Activity.cpp.
#pragma once

#include "clang/AST/Decl.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/DenseMap.h"
#include <vector>

namespace autoprof::source {

class Activity {
public:
  using Node = unsigned;

  /// Adds a piece of code: the body of `F`, or a part of a body (null).
  Node add(const clang::FunctionDecl *F);

  /// `N` contains a site. `IsWork`: the site launches, copies, sets or may
  /// wait.
  void markGpu(Node N, bool IsWork) {
    Nodes[N].UsesGpu = true;
    Nodes[N].Works |= IsWork;
  }
  void calls(Node N, const clang::FunctionDecl *Callee);

  /// Propagates use from callees to callers; call it once, after all others.
  void close(const clang::SourceManager &SM);

  bool usesGpu(Node N) const { return Nodes[N].UsesGpu; }
  /// Whether it does more than allocate, according to markGpu().
  bool works(Node N) const { return Nodes[N].Works; }
  /// Whether it calls the user's code in other translation units, which may use
  /// the GPU.
  bool callsOut(Node N) const { return Nodes[N].CallsOut; }

private:
  struct Code {
    bool UsesGpu = false, Works = false, CallsOut = false;
    bool add(const Code &Callee);
    std::vector<const clang::FunctionDecl *> Callees;
  };
  std::vector<Code> Nodes;
  llvm::DenseMap<const clang::FunctionDecl *, Node> Bodies;
};

} // namespace autoprof::source
