// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the sites and ranges of one parsed translation unit.
#pragma once

#include "source/ast/ErrorLog.h"
#include "source/project/UserFiles.h"
#include "source/sites/Rendering.h"
#include "source/sites/UserChoices.h"
#include "source/text/Rewriting.h"

#include "clang/Frontend/CompilerInstance.h"

namespace autoprof::source {

class SiteFinder {
public:
  /// `Options` must outlive this object.
  SiteFinder(clang::CompilerInstance &CI, const RewriteOptions &Options);

  UserFiles &files() { return Files; }

  /// Finds the sites in these declarations and has `Probes` render them:
  /// everything of a Rewriting but the text. With `Errors`, only in intact
  /// functions.
  Rewriting find(llvm::ArrayRef<clang::Decl *> TopLevel, Rendering &Probes,
                 const Damage *Errors = nullptr);

  /// The same as text, with the table if the options ask for it.
  Rewriting findAsText(llvm::ArrayRef<clang::Decl *> TopLevel,
                       const Damage *Errors = nullptr);

private:
  SiteFinder(clang::CompilerInstance &CI, const RewriteOptions &Options,
             const std::string &Main);
  bool mainFileIncludesItself() const;

  clang::CompilerInstance &CI;
  const RewriteOptions &Options;
  UserFiles Files;
  UserChoices Wanted;
  std::string Root;
};

} // namespace autoprof::source
