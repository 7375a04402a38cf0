// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source-cli/Ratchet.h"

#include "report/SourceLines.h"
#include "report/audit/AuditBaselineFile.h"
#include "support/LLVMVersion.h"
#include "support/ReplaceFile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace autoprof;
using namespace autoprof::sources;
using audit::AcceptedFinding;
using llvm::StringRef;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

llvm::Expected<Ratchet> Ratchet::create(const support::Arguments &Options) {
  Ratchet Result;
  Result.Path = Options.get("baseline");
  Result.Updates = Options.has("update");
  if (Result.Path.empty()) {
    if (Result.Updates)
      return llvm::createStringError(
          "--update needs the file: --baseline=.autoprof-audit");
    return Result;
  }
  llvm::SmallString<256> Whole(Result.Path);
  fs::make_absolute(Whole);
  path::remove_dots(Whole, /*remove_dot_dot=*/true);
  Result.Folder = path::parent_path(Whole).str();
  if (Result.Updates && !fs::exists(Result.Path))
    return Result;
  llvm::Expected<audit::Baseline> Read = report::readAuditBaseline(Result.Path);
  if (!Read)
    return Read.takeError();
  Result.Known = std::move(*Read);
  return Result;
}

const AcceptedFinding *Ratchet::entryOf(const audit::Finding &F,
                                        const llvm::StringSet<> &Found) const {
  // An update replaces an entry of the same call.
  return Updates ? nullptr : Known.entryOf(F, Found);
}

bool Ratchet::accepts(audit::Finding &F, const AcceptedFinding *E,
                      report::Audit &A) const {
  if (!E)
    return false;
  if (E->Level < F.Level) {
    F.Message += ", which " + Path + " accepts as " + name(E->Level).str();
    return false;
  }
  A.Accepted.push_back({std::move(F), E->Reason});
  return true;
}

std::string Ratchet::absolute(StringRef File) const {
  llvm::SmallString<256> Whole(File);
  makeAbsolute(Folder, Whole);
  path::remove_dots(Whole, /*remove_dot_dot=*/true);
  return Whole.str().str();
}

/// The files that the audit has examined.
static llvm::StringSet<> filesOf(const audit::Project &P) {
  llvm::StringSet<> Result;
  for (const audit::TranslationUnit &U : P.units())
    Result.insert(U.MainFile);
  for (const audit::LinkedFunction &F : P.functions())
    Result.insert(F.Model->Location.File);
  return Result;
}

llvm::Error Ratchet::findStale(report::Audit &A, audit::Selection &S,
                               const llvm::StringSet<> &Present,
                               const llvm::StringSet<> &Incomplete) const {
  A.BaselineFile = Path;
  if (Known.Entries.empty())
    return llvm::Error::success();
  const llvm::StringSet<> Files = filesOf(A.P);
  for (const AcceptedFinding &E : Known.Entries) {
    const std::string File = absolute(E.File);
    if (Present.contains(E.Fingerprint) || !S.wantsAllLines(File) ||
        Incomplete.contains(File))
      continue;
    if (fs::exists(File)) {
      if (!Files.contains(File))
        continue;
      if (llvm::Error Failed = S.load(File))
        return Failed;
      if (!S.wantsFile(A.P, File) || !S.wantsRule(File, E.Rule))
        continue;
    }
    A.Stale.push_back(E);
  }
  return llvm::Error::success();
}

std::vector<AcceptedFinding> Ratchet::entriesOf(const report::Audit &A) const {
  report::SourceLines Source;
  std::vector<AcceptedFinding> Result;
  for (const audit::Finding &F : A.Findings) {
    StringRef File = F.Location.File;
    if (File.consume_front(Folder) && !File.consume_front("/"))
      File =
          F.Location.File; // the name of another folder has the same beginning
    Result.push_back({F.Fingerprint, F.Rule, F.Call, F.Level, File.str(),
                      F.Site ? A.P.functionOf(*F.Site).Name : "",
                      Source.line(F.Location.File, F.Location.Line)
                          .trim()
                          .take_front(200)
                          .str(),
                      ""});
  }
  return Result;
}

llvm::Error Ratchet::update(const report::Audit &A) const {
  const audit::Baseline New =
      audit::update(Known, entriesOf(A), [&](const AcceptedFinding &E) {
        return llvm::none_of(A.Stale, [&](const AcceptedFinding &S) {
          return S.Fingerprint == E.Fingerprint;
        });
      });
  if (llvm::Error E = support::replaceFile(
          "the baseline", Path,
          [&](llvm::raw_ostream &OS) { report::writeAuditBaseline(OS, New); }))
    return E;
  const size_t Added =
      llvm::count_if(New.Entries, [&](const AcceptedFinding &E) {
        return !Known.find(E.Fingerprint);
      });
  const size_t Removed = Known.Entries.size() + Added - New.Entries.size();
  llvm::outs() << "wrote " << Path << ": " << New.Entries.size()
               << (New.Entries.size() == 1 ? " finding is" : " findings are")
               << " accepted, " << Added << " of them new; " << Removed
               << (Removed == 1 ? " entry was" : " entries were")
               << " removed\n";
  return llvm::Error::success();
}
