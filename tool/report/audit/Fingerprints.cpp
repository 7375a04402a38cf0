// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/audit/Fingerprints.h"

#include "report/SourceLines.h"
#include "source/project/Project.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"

using namespace autoprof;
using namespace autoprof::audit;
using llvm::StringRef;

void report::addFingerprints(std::vector<Finding> &Findings,
                             const audit::Project &P, StringRef Default) {
  SourceLines Source;
  llvm::StringMap<std::string> Roots; // by folder
  llvm::StringMap<unsigned> Equals;
  for (Finding &F : Findings) {
    const StringRef Folder = llvm::sys::path::parent_path(F.Location.File);
    auto [Root, New] = Roots.try_emplace(Folder);
    if (New) {
      Root->second = source::Project::findRoot(Folder);
      if (StringRef Below = Folder; !source::Project::isMarked(Root->second) &&
                                    !Default.empty() &&
                                    Below.consume_front(Default) &&
                                    (Below.empty() || Below.starts_with("/")))
        Root->second = Default.str();
    }
    StringRef File = F.Location.File;
    if (File.consume_front(Root->second))
      File.consume_front("/");
    std::string Key = F.Rule + '\n' + File.str() + '\n';
    if (F.Site)
      Key += P.functionOf(*F.Site).Name;
    for (char C : Source.line(F.Location.File, F.Location.Line))
      if (!llvm::isSpace(C))
        Key += C;
    const unsigned Ordinal = ++Equals[Key];
    F.Fingerprint = llvm::utohexstr(llvm::xxh3_64bits(Key), /*LowerCase=*/true,
                                    /*Width=*/16) +
                    ":" + llvm::utostr(Ordinal);
  }
}
