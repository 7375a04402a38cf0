// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/audit/Fingerprints.h"

#include "report/SourceLines.h"
#include "source/project/Project.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"

#include <map>

using namespace autoprof;
using namespace autoprof::audit;
using llvm::StringRef;

namespace {

class Fingerprints {
  const audit::Project &P;
  const StringRef Default;
  report::SourceLines Source;
  llvm::StringMap<std::string> Roots; // by folder
  llvm::StringMap<unsigned> Equals;
  /// The fingerprints of calls, by file, line, column and callee.
  using Key = std::tuple<StringRef, unsigned, unsigned, StringRef>;
  std::map<Key, std::string> Calls;

  StringRef rootOf(StringRef Folder);
  std::string place(StringRef First, const Place &At, StringRef Function);
  std::string count(StringRef Text);

  static Key keyOf(const Site &S) {
    const Place &At = S.Location;
    return {At.File, At.Line, At.Column, S.Callee};
  }

public:
  Fingerprints(const audit::Project &P, StringRef Default)
      : P(P), Default(Default) {}
  void readCalls(llvm::ArrayRef<Finding> Findings);
  void add(Finding &F);
};

StringRef Fingerprints::rootOf(StringRef Folder) {
  auto [Root, New] = Roots.try_emplace(Folder);
  if (New) {
    Root->second = source::Project::findRoot(Folder);
    if (StringRef Below = Folder; !source::Project::isMarked(Root->second) &&
                                  !Default.empty() &&
                                  Below.consume_front(Default) &&
                                  (Below.empty() || Below.starts_with("/")))
      Root->second = Default.str();
  }
  return Root->second;
}

/// What identifies a line, without its number.
std::string Fingerprints::place(StringRef First, const Place &At,
                                StringRef Function) {
  StringRef File = At.File;
  if (File.consume_front(rootOf(llvm::sys::path::parent_path(File))))
    File.consume_front("/");
  std::string Result = (First + "\n" + File + "\n" + Function).str();
  for (char C : Source.line(At.File, At.Line))
    if (!llvm::isSpace(C))
      Result += C;
  return Result;
}

std::string Fingerprints::count(StringRef Text) {
  const unsigned Ordinal = ++Equals[Text];
  return llvm::utohexstr(llvm::xxh3_64bits(Text), /*LowerCase=*/true,
                         /*Width=*/16) +
         ":" + llvm::utostr(Ordinal);
}

/// All calls of the files that have findings are counted, whether or not they
/// have one, because that depends on what else was read.
void Fingerprints::readCalls(llvm::ArrayRef<Finding> Findings) {
  llvm::StringSet<> Files;
  for (const Finding &F : Findings)
    Files.insert(F.Location.File);
  std::map<Key, const LinkedSite *> Sites; // in the order of the source
  for (const LinkedSite &S : P.sites())
    if (Files.contains(S.Model->Location.File))
      Sites.try_emplace(keyOf(*S.Model), &S);
  for (const auto &[Key, S] : Sites)
    Calls[Key] = count(place("call " + S->Model->Callee, S->Model->Location,
                             P.functionOf(*S).Name));
}

void Fingerprints::add(Finding &F) {
  F.Fingerprint = count(
      place(F.Rule, F.Location, F.Site ? P.functionOf(*F.Site).Name : ""));
  if (F.Site && F.Site->Model->Location.Line == F.Location.Line)
    F.Call = Calls[keyOf(*F.Site->Model)];
}

} // namespace

void report::addFingerprints(Findings &Findings, const audit::Project &P,
                             StringRef Default) {
  Fingerprints Result(P, Default);
  Result.readCalls(Findings.All);
  for (Finding &F : Findings.All)
    Result.add(F);
}
