// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which text a fix-it may change. Ranges are of the file as written; what a
// macro makes has none (Length 0).
#ifndef AUTOPROF_AUDIT_EXTRACT_EDITS_H
#define AUTOPROF_AUDIT_EXTRACT_EDITS_H

#include "audit/extract/Scopes.h"

namespace autoprof::audit {

using Locate = std::function<Place(clang::SourceLocation)>;

Range rangeOf(clang::SourceRange R, const clang::ASTContext &Context,
              const Locate &PlaceOf);

/// What removes a call that is a statement of a block, with its semicolon, and
/// with its line when nothing else stands there. None when something is done
/// with its result.
Range removalOf(const clang::Expr *Call, const Scopes &BodyScopes,
                const clang::ASTContext &Context, const Locate &PlaceOf);

/// Where the name of this local variable or parameter stands for it, when it
/// is one that the function never assigns to: from its declaration to the end
/// of the block. Another variable of that name in an inner block is not seen.
Range visibilityOf(const clang::Expr *Name, const Scopes &BodyScopes,
                   const clang::ASTContext &Context, const Locate &PlaceOf);

} // namespace autoprof::audit

#endif // AUTOPROF_AUDIT_EXTRACT_EDITS_H
