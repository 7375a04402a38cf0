// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text of probes. Preprocessed input (-save-temps, ccache) gets the
// expansions of the macros of include/autoprof/probe.h, because clang expands
// no macro there; the two must agree.
#ifndef AUTOPROF_SOURCE_TEXT_PROBETEXT_H
#define AUTOPROF_SOURCE_TEXT_PROBETEXT_H

#include "clang/Frontend/CompilerInstance.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>

namespace autoprof::source {

enum class Language { C, Cxx };

/// What to insert before and after a piece of the program.
struct Wrapping {
  std::string Before, After;
};

class ProbeText {
public:
  ProbeText(bool Preprocessed, Language L) : Expanded(Preprocessed), L(L) {}
  /// For what `CI` compiles.
  static ProbeText of(const clang::CompilerInstance &CI);

  /// Around a whole statement that is an expression, and the operand of return;
  /// only in C++.
  std::string site(uint64_t Id) const;
  /// Around any other expression.
  Wrapping expression(uint64_t Id) const;
  /// Around any statement, with braces.
  Wrapping block(uint64_t Id) const;
  /// Around statements of a block that may declare variables.
  Wrapping bracket(uint64_t Id) const;
  /// Around the declaration of a variable whose destructor is the site.
  Wrapping object(uint64_t Id) const;
  // Experiments, only in C++ (include/autoprof/experiment.h): around the call
  // itself, and in a block before the statement of a macro that makes the call.
  Wrapping postponed(uint64_t Id) const;
  Wrapping removed(uint64_t Id) const;
  std::string postponedObject(uint64_t Id, llvm::StringRef Callee) const;
  std::string removedObject(uint64_t Id, llvm::StringRef Callee) const;

  std::string range(uint64_t Id) const; ///< To put after a brace.
  std::string table(llvm::StringRef Rows) const;
  size_t longestTable() const; ///< For tableRows().

private:
  std::string scope(uint64_t Id) const;

  bool Expanded;
  Language L;
};

/// What AP_TABLE hands to the assembler.
std::string tableAssembly(llvm::StringRef Rows);

/// The id of the probe in a text that ProbeText made, if it is not a table.
std::optional<uint64_t> probeId(llvm::StringRef Text);

} // namespace autoprof::source

#endif // AUTOPROF_SOURCE_TEXT_PROBETEXT_H
