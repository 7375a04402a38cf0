// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "plugin/Audit.h"

#include "audit/Filters.h"
#include "audit/Rules.h"
#include "audit/Suppress.h"
#include "audit/extract/Extract.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;
using llvm::StringRef;

namespace autoprof::plugin {

namespace {

void report(const audit::Finding &F, CompilerInstance &CI,
            const audit::Locator &LocationOf) {
  DiagnosticsEngine &Diags = CI.getDiagnostics();
  const bool Weak = F.Level == audit::Severity::Note;
  Diags.Report(LocationOf(F.Location),
               Diags.getCustomDiagID(Weak ? DiagnosticsEngine::Remark
                                          : DiagnosticsEngine::Warning,
                                     "%0 (%1) [%2]"))
      << F.Message << audit::name(F.Level) << F.Rule;
  const unsigned Note = Diags.getCustomDiagID(DiagnosticsEngine::Note, "%0");
  for (const audit::PathStep &Step : F.Path)
    Diags.Report(LocationOf(Step.Location), Note) << Step.Description;
  for (const audit::PathStep &Step : F.Notes)
    Diags.Report(LocationOf(Step.Location), Note) << Step.Description;
  if (!F.Replacement.empty())
    Diags.Report(LocationOf(F.Location), Note) << "advice: " + F.Replacement;
}

} // namespace

std::vector<std::string> unknownGlobs(StringRef Checks) {
  llvm::SmallVector<StringRef, 8> Parts;
  llvm::SplitString(Checks, Parts, ",\n");
  std::vector<std::string> Result;
  for (StringRef Part : Parts) {
    StringRef Glob = Part.trim();
    Glob.consume_front("-");
    if (!Glob.empty() &&
        llvm::none_of(audit::rules(), [&](const audit::Rule &R) {
          return audit::NameGlobs(Glob).contains(R.Name);
        }))
      Result.push_back(Glob.str());
  }
  return Result;
}

std::unique_ptr<ASTConsumer> makeAudit(CompilerInstance &CI, std::string Root,
                                       std::string Checks) {
  return audit::makeExtractor(
      CI, std::move(Root),
      [&CI, Checks = std::move(Checks)](audit::TranslationUnit TU,
                                        const audit::Locator &LocationOf) {
        if (CI.getDiagnostics().hasErrorOccurred())
          return;
        std::vector<audit::TranslationUnit> One;
        One.push_back(std::move(TU));
        const audit::Project P(std::move(One));
        const audit::NameGlobs Wanted(Checks);
        audit::Suppressions Comments;
        for (const audit::Finding &F : audit::check(
                 P, [&](StringRef Rule) { return Wanted.contains(Rule); }))
          if (!Comments.silences(F))
            report(F, CI, LocationOf);
      });
}

} // namespace autoprof::plugin
