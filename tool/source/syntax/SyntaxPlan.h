// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which nodes of the syntax tree get which probe.
// The Collector looks at the written code: for a template, at the pattern. Code
// is generated for instantiations, which are other nodes made from the same
// text. So a probe is planned for a place in the source, and the Weaver queries
// the plan for each node that it visits. A node's place is where its first and
// last token are spelled and where the expansion that they come from begins: if
// a macro uses its argument twice, both copies have the argument's probe.
#pragma once

#include "source/project/UserFiles.h"
#include "source/sites/Rendering.h"

#include "clang/Basic/SourceManager.h"
#include <map>
#include <optional>
#include <set>
#include <tuple>

namespace autoprof::source {

class SyntaxPlan : public Rendering {
public:
  SyntaxPlan(const clang::SourceManager &SM, UserFiles &Files)
      : SM(SM), Files(Files) {}

  std::string addCall(uint64_t Id, Trail Way) override;
  std::string addConstruction(uint64_t Id, Trail Way) override;
  std::string addVariable(uint64_t Id, Trail Way, LifeEnd End) override;
  std::string addFunction(uint64_t Id, const clang::FunctionDecl *F) override;
  std::string addLoop(uint64_t Id, const clang::Stmt *Loop) override;

  bool empty() const { return Planned.empty(); }

  /// The probe planned for a node. The query marks it as found.
  struct Probe {
    uint64_t Id;
    /// It need not be found: there may be no instantiation.
    bool InTemplate = false;
    bool Found = false;
  };
  /// The probe of a call, a delete expression or a construction; or of a loop.
  const Probe *ofExpression(const clang::Expr *E);
  const Probe *ofLoop(const clang::Stmt *Loop);
  const Probe *ofFunction(const clang::FunctionDecl *F);
  const Probe *ofVariable(const clang::VarDecl *V, LifeEnd End);

  /// The ids planned outside templates for which no node was found.
  std::set<uint64_t> notFound() const;

private:
  enum class Kind { Call, Construction, Delete, Loop, Function, Begin, End };
  /// Kind; spelling of the first token; its expansion; spelling of the last.
  using Key = std::tuple<Kind, unsigned, unsigned, unsigned>;

  Key keyOf(Kind K, clang::SourceLocation Begin,
            clang::SourceLocation End) const;
  std::optional<Key> keyOf(const clang::Expr *E) const;
  Key keyOf(const clang::VarDecl *V, LifeEnd End) const;
  std::string plan(const Key &K, uint64_t Id, clang::SourceLocation Position,
                   bool InTemplate);
  const Probe *find(const Key &K);

  const clang::SourceManager &SM;
  UserFiles &Files;
  std::map<Key, Probe> Planned;
};

} // namespace autoprof::source
