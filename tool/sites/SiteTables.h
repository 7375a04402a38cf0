// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tables of probes in a binary (include/autoprof/probe.h), read from its
// file.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace autoprof::sites {

/// A row of AP_TABLE, decoded.
struct Row {
  uint64_t Id = 0;
  std::string Kind; ///< Of a call, or "function" or "loop".
  unsigned Line = 0, Column = 0;
  std::string File, Function, Callee;

  bool isRange() const { return Kind == "function" || Kind == "loop"; }
};

/// The kind of the row that names the program's step, as Callee.
constexpr llvm::StringLiteral StepKind = "step";

/// Adds the rows of one table to `Rows`; a malformed row is left out.
void parseTable(llvm::StringRef Table, std::vector<Row> &Rows);

/// All rows of an ELF file, or of the members of a static library: each id
/// once, by file and line, and not the step. An error is the reason why the
/// file cannot be read.
llvm::Expected<std::vector<Row>> readSites(llvm::StringRef Path);

/// The step that the project named when the file was compiled. "": none, it is
/// not the same in all parts, or the file cannot be read.
std::string readStep(llvm::StringRef Path);

} // namespace autoprof::sites
