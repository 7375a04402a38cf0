// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text that a fix-it may change. Ranges are in the file as written; code
// that comes from a macro has none (Length 0).
#ifndef AUTOPROF_AUDIT_EXTRACT_EDITS_H
#define AUTOPROF_AUDIT_EXTRACT_EDITS_H

#include "audit/extract/Scopes.h"

namespace autoprof::audit {

using Locate = std::function<Place(clang::SourceLocation)>;

/// The text to delete to remove a call that is a statement of a block, with its
/// semicolon, and with its line if nothing else is on it. Empty if its result
/// is used.
Range removalOf(const clang::Expr *Call, const Scopes &BodyScopes,
                const clang::ASTContext &Context, const Locate &PlaceOf);

} // namespace autoprof::audit

#endif // AUTOPROF_AUDIT_EXTRACT_EDITS_H
