// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the arguments of a catalogued call to the facts that its rows ask for.
// Row::DecidedBy says which parameter stands for which fact.
#ifndef AUTOPROF_AUDIT_EXTRACT_ARGUMENTFACTS_H
#define AUTOPROF_AUDIT_EXTRACT_ARGUMENTFACTS_H

#include "audit/extract/State.h"
#include "catalogue/Catalogue.h"

namespace autoprof::audit {

/// What is done with the result of a call, as far as the expression around it
/// tells.
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

/// The argument of the parameter with this name, or null.
const clang::Expr *argumentNamed(const CallInContext &Call,
                                 llvm::StringRef Name);

llvm::ArrayRef<const clang::Expr *> argumentsOf(const clang::Expr *Call);

} // namespace autoprof::audit

#endif // AUTOPROF_AUDIT_EXTRACT_ARGUMENTFACTS_H
