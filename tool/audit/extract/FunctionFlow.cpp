// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/extract/FunctionFlow.h"

#include "audit/extract/Transfer.h"

#include "clang/AST/ExprCXX.h"
#include "clang/Analysis/FlowSensitive/DataflowWorklist.h"

using namespace clang;

namespace autoprof::audit {

namespace {

/// Propagates the state along the graph until it no longer changes. Blocks are
/// visited in the order of control flow, so that most are visited once.
std::vector<State> solve(const CFG &Graph, const BodyContext &Context) {
  std::vector<State> Entries(Graph.getNumBlockIDs());
  std::vector<unsigned> Visits(Graph.getNumBlockIDs());
  PostOrderCFGView Order(&Graph);
  ForwardDataflowWorklist Work(Graph, &Order);
  Work.enqueueBlock(&Graph.getEntry());
  Entries[Graph.getEntry().getBlockID()].Reached = true;
  auto Initial = [&](const CellKey &C) { return Context.Values.initial(C); };
  while (const CFGBlock *B = Work.dequeue()) {
    // Values only grow, so this terminates; the limit is a safeguard.
    if (++Visits[B->getBlockID()] > 64)
      continue;
    State S = Entries[B->getBlockID()];
    for (const CFGElement &E : *B)
      transfer(Context, E, S, nullptr);
    for (const CFGBlock *Next : B->succs())
      if (Next && Entries[Next->getBlockID()].join(S, Initial))
        Work.enqueueBlock(Next);
  }
  return Entries;
}

std::unique_ptr<CFG> graphOf(const FunctionDecl *F, Stmt *Body,
                             ASTContext &Context) {
  CFG::BuildOptions Options;
  Options.setAllAlwaysAdd();
  Options.AddImplicitDtors = true;
  Options.AddTemporaryDtors = true;
  Options.AddInitializers = true;
  Options.AddLifetime = true;
  return CFG::buildCFG(F, Body, &Context, Options);
}

/// Whether the block ends the program, throws, or returns under the condition
/// of an error.
bool givesUp(const CFGBlock &B, const Scopes &BodyScopes) {
  if (B.hasNoReturnElement())
    return true;
  for (const CFGElement &E : B) {
    auto Part = E.getAs<CFGStmt>();
    const Stmt *S = Part ? Part->getStmt() : nullptr;
    if (!S)
      continue;
    if (llvm::isa<CXXThrowExpr>(S))
      return true;
    if (llvm::isa<ReturnStmt>(S))
      for (int I = BodyScopes.scopeOf(S); I >= 0; I = BodyScopes.All[I].Parent)
        if (BodyScopes.All[I].Class == Scope::Error)
          return true;
  }
  return false;
}

} // namespace

void extractBody(const FunctionDecl *F, Stmt *Body, Shared &Unit,
                 Function &Out) {
  Evaluator Values(Unit.Context, Unit.TheNames, F, Unit.PlaceOf);
  Scopes BodyScopes =
      scopesOf(Body, {Unit.Context, Unit.PlaceOf, Unit.TheNames, F});
  summarize(F, Body, *BodyScopes.Terms, Unit.TheNames, Out);
  SitesOfBody Sites(Unit, BodyScopes, Values);
  Values.SiteOf = [&Sites](const Expr *E) { return Sites.resultOf(E); };
  std::unique_ptr<CFG> Graph = graphOf(F, Body, Unit.Context);
  if (!Graph)
    return;
  Recorder Record(Unit, BodyScopes, Sites, Values, Out);
  const BodyContext Context{F, Unit, Sites, Values};
  std::vector<State> Entries = solve(*Graph, Context);
  // The entry has the highest number; in the model it comes first.
  const unsigned Last = Graph->getNumBlockIDs() - 1;
  Out.Blocks.resize(Graph->getNumBlockIDs());
  std::vector<const CFGBlock *> InOrder(Graph->getNumBlockIDs());
  for (const CFGBlock *B : *Graph)
    InOrder[Last - B->getBlockID()] = B;
  for (const CFGBlock *B : InOrder) {
    Block &Current = Out.Blocks[Last - B->getBlockID()];
    State S = Entries[B->getBlockID()];
    if (!S.Reached)
      continue;
    Record.enter(Current);
    Current.GivesUp = givesUp(*B, BodyScopes);
    for (const CFGElement &E : *B)
      transfer(Context, E, S, &Record);
    for (const CFGBlock *Next : B->succs())
      if (Next)
        Current.Next.push_back(Last - Next->getBlockID());
  }
  Record.finish();
}

} // namespace autoprof::audit
