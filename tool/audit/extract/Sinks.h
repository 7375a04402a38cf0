// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where data leaves the program for a person to read: printing and logging.
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

/// Of a call that prints or logs its arguments.
std::optional<Sink> sinkOf(const clang::CallExpr *Call,
                           const clang::FunctionDecl *Callee);

/// `snprintf(buffer, ...)` and the like: the arguments from the second on go
/// into the first.
bool formatsInto(const clang::FunctionDecl *Callee);

/// Reads the time of the host: `std::chrono::steady_clock::now`, `clock`.
bool readsClock(const clang::FunctionDecl *Callee);

} // namespace autoprof::audit

#endif // AUTOPROF_AUDIT_EXTRACT_SINKS_H
