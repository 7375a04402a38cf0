// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Renders probes as insertions into the text of files.
#pragma once

#include "source/project/UserFiles.h"
#include "source/sites/Rendering.h"
#include "source/text/Edits.h"
#include "source/text/Placement.h"
#include "source/text/ProbeText.h"

namespace autoprof::source {

class TextRendering : public Rendering {
public:
  TextRendering(const clang::SourceManager &SM,
                const clang::LangOptions &LangOpts, UserFiles &Files,
                ProbeText Text)
      : SM(SM), Files(Files), Text(Text), Places(SM, LangOpts), Changes(SM) {}

  std::string addCall(uint64_t Id, Trail Way) override;
  std::string addConstruction(uint64_t Id, Trail Way) override;
  std::string addVariable(uint64_t Id, Trail Way, LifeEnd End) override;
  std::string addFunction(uint64_t Id, const clang::FunctionDecl *F) override;
  std::string addLoop(uint64_t Id, const clang::Stmt *Loop) override;

  /// Whether braces were put around a macro that is neither an expression nor a
  /// do-while or block statement: a form that a parse should confirm.
  bool isAtRisk() const { return AtRisk; }
  const Edits &edits() const { return Changes; }

private:
  Place placeOfConstruction(Trail Way) const;
  std::string whyNotInsertable(clang::SourceLocation Position) const;
  std::string insertSite(uint64_t Id, const Place &P);
  std::string insertRange(uint64_t Id, const clang::Stmt *Body);

  const clang::SourceManager &SM;
  UserFiles &Files;
  ProbeText Text;
  Placer Places;
  Edits Changes;
  bool AtRisk = false;
};

} // namespace autoprof::source
