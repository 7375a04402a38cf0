// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text of probes: the macros of include/autoprof/probe.h.
#pragma once

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>

namespace autoprof::source {

/// The text to insert before and after a piece of the program.
struct Wrapping {
  std::string Before, After;
};

class ProbeText {
public:
  explicit ProbeText(bool IsC) : IsC(IsC) {}

  /// Goes before a whole statement that is an expression, and before the
  /// operand of return; only in C++.
  std::string site(uint64_t Id) const;
  /// Goes around any other expression.
  Wrapping expression(uint64_t Id) const;
  /// Goes around any statement, with braces.
  Wrapping block(uint64_t Id) const;
  /// Goes around statements of a block that may declare variables.
  Wrapping bracket(uint64_t Id) const;
  /// Goes around the declaration of a variable whose destructor is the site.
  Wrapping object(uint64_t Id) const;

  std::string range(uint64_t Id) const; ///< To be put after a brace.
  std::string table(llvm::StringRef Rows) const;
  size_t longestTable() const; ///< For tableRows().

private:
  std::string scope(uint64_t Id) const;

  bool IsC;
};

/// The assembly text of AP_TABLE.
std::string tableAssembly(llvm::StringRef Rows);

/// The id of the probe in a text made by ProbeText; none for a table.
std::optional<uint64_t> probeId(llvm::StringRef Text);

} // namespace autoprof::source
