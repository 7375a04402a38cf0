// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Derives the facts that a call's rows depend on from its arguments.
// Row::DecidedBy states which parameter determines which fact.
#pragma once

#include "audit/extract/State.h"
#include "catalogue/Catalogue.h"

namespace autoprof::audit {

/// How the result of a call is used, as far as the enclosing expression shows.
enum class ElementUse { Unknown, Read, Written, AddressTaken };

struct CallInContext {
  const clang::Expr *E; ///< A call or a construction.
  const clang::FunctionDecl *Callee;
  ElementUse Use = ElementUse::Unknown;
};

std::vector<KnownFact> factsOf(const catalogue::Row &Row,
                               const CallInContext &Call, const State &S,
                               const Evaluator &Values,
                               const clang::ASTContext &Context);

/// The argument for the parameter with this name, or null.
const clang::Expr *argumentNamed(const CallInContext &Call,
                                 llvm::StringRef Name);

llvm::ArrayRef<const clang::Expr *> argumentsOf(const clang::Expr *Call);

/// The arguments for the callee's parameters: without the object of an
/// overloaded operator.
llvm::ArrayRef<const clang::Expr *>
methodArguments(const clang::Expr *Call, const clang::FunctionDecl *Callee);

} // namespace autoprof::audit
