// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where data leaves the program for people to read: printing and logging.
#ifndef AUTOPROF_AUDIT_EXTRACT_SINKS_H
#define AUTOPROF_AUDIT_EXTRACT_SINKS_H

#include "audit/Model.h"

#include "clang/AST/Expr.h"
#include <optional>
#include <string>

namespace autoprof::audit {

struct Sink {
  Use::Kind Class;  ///< Printed or Logged.
  std::string Name; ///< "printf", "std::cout".
  unsigned FirstArgument;
};

/// The sink if a call prints or logs its arguments.
std::optional<Sink> sinkOf(const clang::CallExpr *Call,
                           const clang::FunctionDecl *Callee);

/// Whether the function formats its other arguments into the first, such as
/// `snprintf(buffer, ...)`.
bool formatsInto(const clang::FunctionDecl *Callee);

/// Whether it reads the host's clock: `std::chrono::steady_clock::now`,
/// `clock`.
bool readsClock(const clang::FunctionDecl *Callee);

} // namespace autoprof::audit

#endif // AUTOPROF_AUDIT_EXTRACT_SINKS_H
