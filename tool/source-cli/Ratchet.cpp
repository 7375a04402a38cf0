// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source-cli/Ratchet.h"

#include "report/SourceLines.h"
#include "report/audit/AuditBaselineFile.h"
#include "support/LLVMVersion.h"
#include "support/ReplaceFile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <set>
#include <tuple>

using namespace autoprof;
using namespace autoprof::sources;
using audit::AcceptedFinding;
using llvm::StringRef;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

/// In an entry; longer lines are cut.
static constexpr size_t LongestCode = 200;

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

const AcceptedFinding *Ratchet::entryOf(const audit::Finding &F) const {
  return Updates && Whole ? nullptr : Known.find(F.Fingerprint);
}

bool Ratchet::accepts(audit::Finding &F, llvm::ArrayRef<audit::Loop> Loops,
                      const AcceptedFinding *E, report::Audit &A) const {
  if (!E) {
    if (isGate() && !Updates)
      F.Notes.push_back(
          {F.Location, "new: " + Path + " does not accept " +
                           (F.Loop < 0 ? "it"
                                       : "this wait in the loop of " +
                                             Loops[F.Loop].Function)});
    return false;
  }
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

std::string Ratchet::relative(StringRef File) const {
  StringRef Below = File;
  // The name of another folder may have the same beginning.
  return Below.consume_front(Folder) && Below.consume_front("/") ? Below.str()
                                                                 : File.str();
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

static std::string withoutBlanks(StringRef Line) {
  std::string Result;
  llvm::copy_if(Line, std::back_inserter(Result),
                [](char C) { return !llvm::isSpace(C); });
  return Result;
}

/// Whether no audit can find the entry again, whatever else it reads, because
/// the file has no such line, or not as many as the fingerprint counts.
static bool isLineGone(const AcceptedFinding &E, StringRef File,
                       report::SourceLines &Source) {
  const std::string Code = withoutBlanks(E.Code);
  // The file has the replacement character where a line was not UTF-8.
  if (Code.empty() || StringRef(Code).contains("\xEF\xBF\xBD"))
    return false;
  // Of a wait in a loop, it counts loops.
  unsigned Ordinal = 1;
  if (E.Loop.empty())
    StringRef(E.Fingerprint).rsplit(':').second.getAsInteger(10, Ordinal);
  // The entry has only the first part of a long line.
  const bool IsCut = E.Code.size() >= LongestCode;
  return llvm::count_if(Source.lines(File), [&](StringRef Line) {
           const std::string Text = withoutBlanks(Line);
           return IsCut ? StringRef(Text).starts_with(Code) : Text == Code;
         }) < Ordinal;
}

/// The same for its function. A macro may compose the name, so it must be
/// missing both in the text and in what was read.
static bool isFunctionGone(const AcceptedFinding &E, StringRef File,
                           const report::Audit &A,
                           report::SourceLines &Source) {
  const StringRef Whole = E.Function;
  const StringRef Name = Whole.substr(Whole.rfind(':') + 1);
  if (Name.empty() ||
      !llvm::all_of(Name, [](char C) { return llvm::isAlnum(C) || C == '_'; }))
    return false;
  return llvm::none_of(Source.lines(File),
                       [&](StringRef Line) { return Line.contains(Name); }) &&
         llvm::none_of(A.P.functions(), [&](const audit::LinkedFunction &F) {
           return F.Model->Name == E.Function &&
                  F.Model->Location.File.str() == File;
         });
}

/// Whether the path of the entry's finding goes through a file that exists and
/// was not read.
bool Ratchet::dependsOnMore(const AcceptedFinding &E,
                            const llvm::StringSet<> &Files) const {
  return llvm::any_of(E.Through, [&](const std::string &Name) {
    const std::string File = absolute(Name);
    return !Files.contains(File) && fs::exists(File);
  });
}

llvm::Error Ratchet::findStale(report::Audit &A, audit::Selection &S,
                               const llvm::StringSet<> &Present,
                               const llvm::StringSet<> &Incomplete) {
  A.BaselineFile = Path;
  Doubtful = Unread = 0;
  report::SourceLines Source;
  if (Known.Entries.empty())
    return llvm::Error::success();
  const llvm::StringSet<> Files = filesOf(A.P);
  for (const AcceptedFinding &E : Known.Entries) {
    const std::string File = absolute(E.File);
    if (Present.contains(E.Fingerprint) || Incomplete.contains(File))
      continue;
    if (fs::exists(File)) {
      if (!Files.contains(File)) {
        ++Unread;
        continue;
      }
      if (llvm::Error Failed = S.load(File))
        return Failed;
      if (!S.wantsFile(A.P, File) || !S.wantsRule(File, E.Rule))
        continue;
      const bool IsGone = isLineGone(E, File, Source) ||
                          isFunctionGone(E, File, A, Source) ||
                          report::silencedNow(A, E);
      if (!IsGone && (!Whole || dependsOnMore(E, Files))) {
        ++Doubtful;
        continue;
      }
    }
    A.Stale.push_back(E);
  }
  return llvm::Error::success();
}

/// See AcceptedFinding::Through.
std::vector<std::string> Ratchet::throughOf(const audit::Finding &F) const {
  std::vector<std::string> Result;
  for (const audit::PathStep &Step : F.Path)
    if (const std::string File = relative(Step.Location.File);
        Step.Location.File != F.Location.File && !path::is_absolute(File))
      Result.push_back(File);
  // An audit of a part may know a shorter path.
  if (const AcceptedFinding *E = Known.find(F.Fingerprint); E && !Whole)
    llvm::append_range(Result, E->Through);
  llvm::sort(Result);
  Result.erase(llvm::unique(Result), Result.end());
  return Result;
}

std::vector<AcceptedFinding> Ratchet::entriesOf(const report::Audit &A) const {
  report::SourceLines Source;
  std::vector<AcceptedFinding> Result;
  auto Add = [&](const audit::Finding &F) {
    Result.push_back({F.Fingerprint, F.Rule, F.Level, relative(F.Location.File),
                      F.Site ? A.P.functionOf(*F.Site).Name : "",
                      F.Loop < 0 ? "" : A.Loops[F.Loop].Function,
                      Source.line(F.Location.File, F.Location.Line)
                          .trim()
                          .take_front(LongestCode)
                          .str(),
                      "", throughOf(F)});
  };
  for (const audit::Finding &F : A.Findings) {
    Add(F);
    llvm::for_each(F.Elsewhere, Add);
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
               << (New.Entries.size() == 1 ? " accepted finding ("
                                           : " accepted findings (")
               << Added << " new, " << Removed << " removed)\n";
  if (Doubtful)
    llvm::outs() << Doubtful
                 << (Doubtful == 1 ? " other entry has" : " other entries have")
                 << " no finding, but may depend on sources that were not read "
                    "(completely); only an audit that reads the whole project "
                    "(-p BUILD, without files) removes such entries\n";
  if (Unread && Whole)
    llvm::outs() << Unread
                 << (Unread == 1 ? " other entry is" : " other entries are")
                 << " kept for files that were not read, for example because "
                    "of --exclude-dir; to remove such entries, delete their "
                    "lines\n";
  return llvm::Error::success();
}
