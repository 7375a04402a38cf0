// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef AUTOPROF_AUDIT_EXTRACT_SHORTTEXT_H
#define AUTOPROF_AUDIT_EXTRACT_SHORTTEXT_H

#include "clang/AST/ASTContext.h"

#include <string>

namespace autoprof::audit {

/// The text of an expression as written, on one line, with at most 60
/// characters.
std::string shortText(clang::SourceRange R, const clang::ASTContext &Context);

} // namespace autoprof::audit

#endif // AUTOPROF_AUDIT_EXTRACT_SHORTTEXT_H
