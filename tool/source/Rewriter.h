// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rewriting of one translation unit
// ---------------------------------
// The original text is parsed once, silently, by a compiler instance of our
// own; from its AST come the edits; applied to the files' text they give what
// the real compilation then reads. Only insertions are made, and no line
// moves. The nested parse is cheaper than a compilation: it ignores warnings,
// skips the bodies of functions in system headers, and instantiates no function
// template that constant expressions do not need.
//
// Rewritten text that does not compile would break the user's program, so
// there is a second parse, of the rewritten text, before it is used. It costs
// as much again, so it runs where braces were put around a macro or an
// unbraced loop body, the forms that depend most on what surrounds them, and
// everywhere when the user asks (verify=on).
#ifndef AUTOPROF_SOURCE_REWRITER_H
#define AUTOPROF_SOURCE_REWRITER_H

#include "source/Edits.h"
#include "source/Site.h"

#include "clang/Frontend/CompilerInstance.h"
#include <optional>
#include <string>
#include <vector>

namespace autoprof::source {

struct RewriteOptions {
  std::optional<std::string> Root, HeaderFilter, Exclude;
  bool Ranges = true;
  bool Verify = false;     ///< Parse the rewritten text in any case.
  std::string ProbeHeader; ///< Absolute path of autoprof/probe.h.
};

struct Rewriting {
  std::vector<EditedFile> Files; ///< Empty: nothing to change.
  std::vector<Site> Sites;
  std::vector<Skipped> NotInstrumented;
  std::string Root;   ///< Absolute.
  std::string Broken; ///< Why the rewritten text must not be compiled, or "".
};

/// May this text hold sites? A look at the bytes, much cheaper than a parse:
/// false means that neither a kernel launch nor the name of a catalogued
/// function stands in it.
bool mayHoldSites(llvm::StringRef Text);

/// Rewrites what `CI` is about to compile, without changing `CI`. Text that
/// does not compile as it is gives an empty result.
Rewriting rewrite(clang::CompilerInstance &CI, const RewriteOptions &Options);

/// True on this thread while rewrite() parses: plugins are instantiated there
/// again.
bool isParsing();

} // namespace autoprof::source

#endif // AUTOPROF_SOURCE_REWRITER_H
