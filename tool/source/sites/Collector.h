// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Walks the user's code in one translation unit, decides on sites and ranges,
// and has a Rendering add probes. Template patterns are visited, but not their
// instantiations: both are the same text.
#pragma once

#include "source/ast/Activity.h"
#include "source/ast/Calls.h"
#include "source/ast/Functions.h"
#include "source/project/Site.h"
#include "source/project/UserFiles.h"
#include "source/sites/Rendering.h"
#include "source/sites/UserChoices.h"

#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringMap.h"
#include <set>
#include <tuple>

namespace autoprof::source {

class Collector : public clang::RecursiveASTVisitor<Collector> {
  using Base = clang::RecursiveASTVisitor<Collector>;

public:
  Collector(clang::ASTContext &Context, UserFiles &Files, UserChoices &Wanted,
            Rendering &Probes)
      : SM(Context.getSourceManager()), Files(Files), Wanted(Wanted),
        Probes(Probes) {}

  /// Visits a declaration.
  void add(clang::Decl *D) { TraverseDecl(D); }

  /// To be called after the last add(): places the ranges and sorts the
  /// results.
  void finish();

  /// Returns why a function, variable or field gets no probes at all: it has an
  /// error; or "". Its use of the GPU is still examined.
  std::function<std::string(const clang::Decl *)> WhyUnread;

  std::vector<Site> Sites;
  std::vector<Skipped> NotInstrumented;

  // RecursiveASTVisitor's interface.
  bool TraverseDecl(clang::Decl *D);
  bool TraverseStmt(clang::Stmt *S);
  bool TraverseLambdaExpr(clang::LambdaExpr *L);
  bool TraverseInitListExpr(clang::InitListExpr *L,
                            DataRecursionQueue * = nullptr);
  bool TraverseGenericSelectionExpr(clang::GenericSelectionExpr *G,
                                    DataRecursionQueue * = nullptr);
  bool TraverseChooseExpr(clang::ChooseExpr *C, DataRecursionQueue * = nullptr);
  bool TraverseTypeLoc(clang::TypeLoc, bool = true) { return true; }
  bool TraverseAttr(clang::Attr *) { return true; }

private:
  /// The function, or the variable or class with an initializer, around the
  /// current node. Its names are computed when a site needs them, because most
  /// functions of a project have none.
  struct Context {
    const clang::NamedDecl *Owner = nullptr;
    llvm::StringRef Refusal; ///< Why nothing may be inserted; or "".
    unsigned Number = 0;
    bool IsUnread = false; ///< See WhyUnread.
    bool IsCoroutine = false;

    std::string name() const { return displayName(Owner); }
    std::string signature() const;
  };
  /// A function's or loop's body that gets a range if it uses the GPU.
  struct Candidate {
    const clang::FunctionDecl *Function; ///< Null: a loop.
    const clang::Stmt *Loop;             ///< Null: a function.
    const clang::Stmt *Body;
    Context Enclosing;
    std::string Refusal;
    Activity::Node Code;
    /// Outermost of its function: it may be the step.
    bool IsOutermostLoop = false;
  };

  bool traverseFunction(clang::FunctionDecl *F);
  bool traverseIn(Context C, clang::Decl *D);
  bool isUnread(const clang::Decl *D) const {
    return WhyUnread && !WhyUnread(D).empty();
  }
  bool visitChildren(clang::Stmt *S);
  void enter(clang::Stmt *S);
  void visitCall(const clang::CallExpr *Call);
  void visitLabel(const clang::Stmt *S);
  void visitReference(const clang::DeclRefExpr *Ref);
  // Objects whose creation or destruction waits (CollectorObjects.cpp).
  void visitVariable(const clang::VarDecl *V);
  void visitConstruction(const clang::CXXConstructExpr *Construct);
  void visitUnresolvedConstruction(const clang::Expr *Construct);
  void visitUnresolvedInitialiser(clang::QualType Type, const clang::Expr *Init,
                                  clang::SourceLocation Loc);
  void visitTemporary(const clang::Expr *E);
  void visitDelete(const clang::CXXDeleteExpr *Delete);

  /// `Insert` returns why there is no probe, or "" if there is one.
  void addSite(const CataloguedCall &Call, clang::SourceLocation Loc,
               llvm::function_ref<std::string(const Site &)> Insert);
  /// Lists a call that is not a site.
  void leaveAlone(const CataloguedCall &Call, clang::SourceLocation Loc,
                  llvm::StringRef Reason);
  llvm::StringRef whyUnreachable();
  static constexpr llvm::StringLiteral InSuspendingExpression =
      "in an expression that suspends the coroutine";
  bool isInSuspendingExpression() const;
  llvm::StringRef whyUnwanted();
  bool openLoop(const clang::Stmt *S);
  void refuseRanges(llvm::StringRef Reason);
  void placeRange(const Candidate &C);
  uint64_t nextId(llvm::StringRef File, llvm::StringRef Function,
                  llvm::StringRef Callee);

  const clang::SourceManager &SM;
  UserFiles &Files;
  UserChoices &Wanted;
  Rendering &Probes;
  Activity Use;

  std::vector<Ancestor> Way;
  Context Current;
  unsigned Contexts = 0;
  std::vector<unsigned> Open; ///< Candidates around the current node.
  std::vector<Candidate> Candidates;
  /// Indexed by Context::Number.
  std::map<unsigned, std::string> WithoutRanges;
  llvm::StringMap<unsigned> Ordinals;
  std::set<
      std::tuple<clang::SourceLocation, clang::SourceLocation, std::string>>
      Seen;
  /// Constructions of variables.
  llvm::DenseSet<const clang::Expr *> OfVariables;
};

} // namespace autoprof::source
