// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One placement, two renderings.
// The Collector decides which calls, objects, functions and loops get a probe.
// A Rendering inserts it: as text (TextRendering.h), for nvcc, annotated trees
// and people who want to see it, or as nodes of the syntax tree
// (syntax/SyntaxPlan.h), for the compilation that the plugin is part of. Ids
// are assigned before a rendering is called, so they are the same in both.
#pragma once

#include "source/ast/Trail.h"

#include "clang/AST/Decl.h"
#include <cstdint>
#include <string>

namespace autoprof::source {

/// The end of a variable's life that is a site.
enum class LifeEnd { Construction, Destruction };

/// Inserts probes. Every function returns why there is no probe, or "" if there
/// is one.
class Rendering {
public:
  virtual ~Rendering() = default;

  /// Probes the call, or the delete expression, at the end of `Way`.
  virtual std::string addCall(uint64_t Id, Trail Way) = 0;
  /// Probes the construction of a temporary, a member or a new object at the
  /// end of `Way`.
  virtual std::string addConstruction(uint64_t Id, Trail Way) = 0;
  /// Probes the local variable at the end of `Way`.
  virtual std::string addVariable(uint64_t Id, Trail Way, LifeEnd End) = 0;
  /// Probes the body of `F`.
  virtual std::string addFunction(uint64_t Id,
                                  const clang::FunctionDecl *F) = 0;
  /// Probes each iteration of `Loop`.
  virtual std::string addLoop(uint64_t Id, const clang::Stmt *Loop) = 0;
};

} // namespace autoprof::source
