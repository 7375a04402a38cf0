// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source-cli/ExportFixes.h"

#include "clang/Tooling/DiagnosticsYaml.h"
#include "llvm/Support/raw_ostream.h"

using namespace clang::tooling;

namespace autoprof::sources {

static DiagnosticMessage message(const std::string &Text,
                                 const audit::Place &Location) {
  DiagnosticMessage Result(Text);
  Result.FilePath = Location.File;
  Result.FileOffset = Location.Offset;
  return Result;
}

/// Returns an error if two fixes of one finding overlap.
static llvm::Expected<Diagnostic> diagnosticOf(const audit::Finding &F,
                                               const audit::Project &P) {
  Diagnostic D(F.Rule, Diagnostic::Warning, P.units().front().Root);
  D.Message = message(F.Message, F.Location);
  for (const audit::FixIt &Fix : F.FixIts)
    if (llvm::Error E = D.Message.Fix[Fix.Extent.Begin.File].add(
            Replacement(Fix.Extent.Begin.File, Fix.Extent.Begin.Offset,
                        Fix.Extent.Length, Fix.Text)))
      return std::move(E);
  for (const audit::PathStep &Step : F.Path)
    D.Notes.push_back(message(Step.Description, Step.Location));
  return D;
}

llvm::Error exportFixes(const report::Audit &A, llvm::StringRef Path) {
  TranslationUnitDiagnostics All;
  for (const audit::Finding &F : A.Findings) {
    llvm::Expected<Diagnostic> D = diagnosticOf(F, A.P);
    if (!D)
      return D.takeError();
    All.Diagnostics.push_back(std::move(*D));
  }
  std::error_code Failure;
  llvm::raw_fd_ostream OS(Path, Failure);
  if (Failure)
    return llvm::createStringError("cannot write '" + Path +
                                   "': " + Failure.message());
  llvm::yaml::Output Yaml(OS);
  Yaml << All;
  OS.close();
  if (!OS.has_error())
    return llvm::Error::success();
  Failure = OS.error();
  OS.clear_error();
  return llvm::createStringError("cannot write '" + Path +
                                 "': " + Failure.message());
}

} // namespace autoprof::sources
