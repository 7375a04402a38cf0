// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What conditions need of the function's parameters: `if (sync)`,
// `if (!sync && level == 2)`. Calls with other constants do not reach the code.
#ifndef AUTOPROF_AUDIT_EXTRACT_NEEDS_H
#define AUTOPROF_AUDIT_EXTRACT_NEEDS_H

#include "audit/Model.h"
#include "audit/extract/Changes.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"

namespace autoprof::audit {

struct ConditionNeeds {
  std::vector<Need> All;
  bool NoMore = true; ///< The condition tests nothing else.
};

/// What must be true of parameters of `F` so that the condition holds, or,
/// without `Holds`, does not hold. `Varying`: as for numberOf().
ConditionNeeds needsOf(const clang::Expr *Condition, bool Holds,
                       const clang::FunctionDecl *F, const Variables &Varying,
                       const clang::ASTContext &Context);

} // namespace autoprof::audit

#endif // AUTOPROF_AUDIT_EXTRACT_NEEDS_H
