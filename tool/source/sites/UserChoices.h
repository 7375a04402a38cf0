// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The user's choice of what to instrument: the configuration (tool/config) and
// comments in the source (Suppressions.h), queried place by place.
#pragma once

#include "config/FilePattern.h"
#include "source/project/Options.h"
#include "source/project/Suppressions.h"
#include "source/project/UserFiles.h"

#include "clang/AST/Decl.h"
#include "llvm/Support/GlobPattern.h"
#include <set>

namespace autoprof::source {

class UserChoices {
public:
  /// The options must be valid (tool/config checks them).
  UserChoices(const RewriteOptions &Options, const clang::SourceManager &SM,
              UserFiles &Files, bool Preprocessed);

  /// Why the user wants no probes there, as a reason for the list; or "". The
  /// text lives as long as this object.
  llvm::StringRef whyNot(const clang::FunctionDecl *F);
  llvm::StringRef whyNot(const clang::Stmt *S);
  llvm::StringRef whyNot(clang::SourceLocation Begin,
                         clang::SourceLocation End);

  /// Lines for the user about comments that have no effect.
  llvm::ArrayRef<std::string> warnings() const { return Comments.warnings(); }

  bool wantsRanges() const { return Options.Ranges; }

  /// Whether this function is too small for a range.
  bool isSmall(const clang::Stmt *Body) const;

  bool namesStep() const { return !Options.Step.empty(); }

  /// Whether the user declared this loop or function to be the program's step.
  bool isStep(const Site &S) const;

private:
  using Globs = std::vector<std::pair<std::string, llvm::GlobPattern>>;
  static Globs compile(const std::vector<std::string> &Patterns);
  static const std::string *match(const Globs &Patterns, llvm::StringRef Text);
  llvm::StringRef keep(std::string Reason);
  bool isAnnotated(clang::FileID File);

  const RewriteOptions &Options;
  const clang::SourceManager &SM;
  UserFiles &Files;
  Suppressions Comments;
  std::vector<FilePattern> ExcludeFiles;
  Globs IncludeFunctions, ExcludeFunctions;
  std::set<std::string> Reasons;
  llvm::DenseMap<clang::FileID, bool> Annotated;
};

/// Whether `Body`, of a function or a loop, begins with an NVTX range of the
/// user's own that lasts to its end: an nvtx3 object (NVTX3_FUNC_RANGE makes
/// one), or nvtxRangePush first and nvtxRangePop last.
bool hasOwnRange(const clang::Stmt *Body);

} // namespace autoprof::source
