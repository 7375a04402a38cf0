// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Errors that callers tell apart: by their kind, never by their text.
#pragma once

#include "llvm/Support/Error.h"

#include <string>

namespace autoprof {

/// An error of one kind. `Kind` is any type; it only names the kind.
template <typename Kind> class ErrorOf : public llvm::ErrorInfo<ErrorOf<Kind>> {
  std::string Message;

public:
  inline static char ID = 0;
  explicit ErrorOf(const llvm::Twine &Message) : Message(Message.str()) {}
  void log(llvm::raw_ostream &OS) const override { OS << Message; }
  std::error_code convertToErrorCode() const override {
    return llvm::inconvertibleErrorCode();
  }
};

/// Puts words before an error's message. An error of the given kind keeps it.
template <typename Kind>
llvm::Error prefixed(const llvm::Twine &Prefix, llvm::Error E) {
  const bool IsOfKind = E.isA<ErrorOf<Kind>>();
  const std::string Message = (Prefix + llvm::toString(std::move(E))).str();
  return IsOfKind ? llvm::make_error<ErrorOf<Kind>>(Message)
                  : llvm::createStringError(Message);
}

} // namespace autoprof
