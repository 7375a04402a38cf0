// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Identifies a finding elsewhere: in SARIF, whose readers distinguish old
// findings from new ones by it, and in baselines. It is a hash and a counter of
// equals, without line numbers, so that edits elsewhere do not change it.
//
// For a wait in a loop, the names of the functions from the loop down to the
// call are hashed, and those of the call and of adjacent ones: code that is
// moved, and lines that are written otherwise, stay the same. For other
// findings, the rule, the file, the function and the text of the line, without
// blanks. The file is relative to its project's root, so it does not depend on
// the current folder or on which other files are audited.
#include "report/SourceLines.h"
#include "report/audit/Audit.h"
#include "source/project/Project.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"

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

  StringRef rootOf(StringRef Folder);
  std::string place(const Finding &F);
  std::string path(const Finding &F, const Loop &L) const;
  std::string count(StringRef Text);

public:
  Fingerprints(const audit::Project &P, StringRef Default)
      : P(P), Default(Default) {}
  std::string of(const Finding &F, llvm::ArrayRef<Loop> Loops);
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
std::string Fingerprints::place(const Finding &F) {
  const Place &At = F.Location;
  StringRef File = At.File;
  if (File.consume_front(rootOf(llvm::sys::path::parent_path(File))))
    File.consume_front("/");
  std::string Result =
      (F.Rule + "\n" + File + "\n" +
       (F.Site ? StringRef(P.functionOf(*F.Site).Name) : StringRef()))
          .str();
  for (char C : Source.line(At.File, At.Line))
    if (!llvm::isSpace(C))
      Result += C;
  return Result;
}

/// What identifies a wait in a loop, wherever the functions are.
std::string Fingerprints::path(const Finding &F, const Loop &L) const {
  std::string Result = "loop\n" + L.Function + "\n";
  for (const PathStep &Step : llvm::drop_begin(F.Path))
    Result += Step.Description + "\n";
  Result += P.functionOf(*F.Site).Name + "\n" + F.Site->Model->Callee;
  for (const LinkedSite *Adjacent : F.Also)
    Result += "\n" + Adjacent->Model->Callee;
  return Result;
}

std::string Fingerprints::count(StringRef Text) {
  const unsigned Ordinal = ++Equals[Text];
  return llvm::utohexstr(llvm::xxh3_64bits(Text), /*LowerCase=*/true,
                         /*Width=*/16) +
         ":" + llvm::utostr(Ordinal);
}

std::string Fingerprints::of(const Finding &F, llvm::ArrayRef<Loop> Loops) {
  return count(F.Loop < 0 ? place(F) : path(F, Loops[F.Loop]));
}

} // namespace

void report::addFingerprints(Findings &Findings, const audit::Project &P,
                             StringRef Default) {
  Fingerprints Result(P, Default);
  for (Finding &F : Findings.All)
    F.Fingerprint = Result.of(F, Findings.Loops);
}
