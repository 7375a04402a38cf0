// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The sites that the user wants to change for an experiment, and the result
// (docs/experiment.md).
#ifndef AUTOPROF_SOURCE_SITES_EXPERIMENTS_H
#define AUTOPROF_SOURCE_SITES_EXPERIMENTS_H

#include "source/project/Site.h"

#include "clang/AST/Expr.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace autoprof::source {

/// Reads names separated by commas: ids, as hex() writes them, or FILE:LINE.
/// An error is one sentence.
llvm::Expected<std::vector<std::string>> parseSiteNames(llvm::StringRef Value);

/// Whether this site has one of these names. FILE is its path from the root, or
/// the end of that path; a line means all sites on it.
bool isNamed(const Site &S, llvm::ArrayRef<std::string> Names);

/// The effect of an experiment on a call: a copy to the host returns the value
/// of the previous call, a synchronization is removed.
enum class Experiment { None, Copy, AsyncCopy, Removal };
Experiment experimentOf(llvm::StringRef Callee);

/// The function's name as written in a call; in a template it may stand for
/// several overloads.
struct WrittenCallee {
  const clang::Expr *Written = nullptr; ///< Null: it is not a function's name.
  bool IsQualified = false;
};
WrittenCallee writtenCallee(const clang::CallExpr *Call);

/// Why no rendering can change `Call`, a call of `Callee`; "" if one can.
llvm::StringRef whyNotChangeable(const clang::CallExpr *Call,
                                 llvm::StringRef Callee,
                                 const clang::LangOptions &LangOpts);

/// Prints one line for each experiment: what was done, or why nothing was. See
/// Rewriting::Experiments.
void printExperiments(llvm::ArrayRef<Skipped> Experiments,
                      llvm::raw_ostream &OS);

} // namespace autoprof::source

#endif // AUTOPROF_SOURCE_SITES_EXPERIMENTS_H
