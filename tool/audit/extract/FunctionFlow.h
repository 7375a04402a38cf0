// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes the model of one function's body. The state (State.h) is propagated
// along clang's control-flow graph until it no longer changes; then each block
// is visited once more, with the state at its beginning, and its effects are
// recorded.
#pragma once

#include "audit/Model.h"
#include "audit/extract/ArgumentFacts.h"
#include "audit/extract/Bodies.h"
#include "audit/extract/Scopes.h"
#include "audit/extract/State.h"

#include "clang/Analysis/CFG.h"
#include <functional>

namespace autoprof::audit {

/// Data shared by the extraction of all functions of a translation unit.
struct Shared {
  clang::ASTContext &Context;
  Names &TheNames;
  std::function<Place(clang::SourceLocation)> PlaceOf;
  std::vector<Flow> &Flows;
  const Bodies &Found;
};

/// Fills sites, calls, uses and blocks of `Out`. `Body` may be that of a
/// template's pattern.
void extractBody(const clang::FunctionDecl *F, clang::Stmt *Body, Shared &Unit,
                 Function &Out);

} // namespace autoprof::audit
