// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/SiteFinder.h"

#include "source/sites/Collector.h"
#include "source/text/TextRendering.h"

using namespace clang;

namespace autoprof::source {

static bool isPreprocessed(const CompilerInstance &CI) {
  return CI.getFrontendOpts().Inputs[0].isPreprocessed();
}

static std::string mainFileOf(CompilerInstance &CI) {
  SourceManager &SM = CI.getSourceManager();
  return UserFiles::absolute(mainFileName(SM, isPreprocessed(CI)),
                             SM.getFileManager());
}

SiteFinder::SiteFinder(CompilerInstance &CI, const RewriteOptions &Options)
    : SiteFinder(CI, Options, mainFileOf(CI)) {}

SiteFinder::SiteFinder(CompilerInstance &CI, const RewriteOptions &Options,
                       const std::string &Main)
    : CI(CI), Options(Options),
      Files(CI.getSourceManager(),
            projectOf(Options, Main, CI.getFileManager()), Main),
      Wanted(Options, CI.getSourceManager(), Files, isPreprocessed(CI)),
      Root(projectOf(Options, Main, CI.getFileManager()).root()) {}

/// The table of a file that includes itself would be in it once for each
/// inclusion, in the middle of anything.
bool SiteFinder::mainFileIncludesItself() const {
  const SourceManager &SM = CI.getSourceManager();
  const FileEntry *Main = SM.getFileEntryForID(SM.getMainFileID());
  for (unsigned I = 1; I < SM.local_sloc_entry_size(); ++I) {
    const SrcMgr::SLocEntry &Entry = SM.getLocalSLocEntry(I);
    if (!Entry.isFile() || Entry.getFile().getIncludeLoc().isInvalid())
      continue;
    OptionalFileEntryRef File = Entry.getFile().getContentCache().OrigEntry;
    if (File && &File->getFileEntry() == Main)
      return true;
  }
  return false;
}

Rewriting SiteFinder::find(llvm::ArrayRef<Decl *> TopLevel, Rendering &Probes,
                           const Damage *Errors) {
  Collector Collect(CI.getASTContext(), Files, Wanted, Probes);
  if (Errors)
    Collect.WhyUnread = [Errors](const Decl *D) { return Errors->whyNot(D); };
  for (Decl *D : TopLevel)
    Collect.add(D);
  Collect.finish();
  Rewriting Result;
  Result.Root = Root;
  Result.Sites = std::move(Collect.Sites);
  Result.NotInstrumented = std::move(Collect.NotInstrumented);
  Result.Warnings = Wanted.warnings().vec();
  return Result;
}

Rewriting SiteFinder::findAsText(llvm::ArrayRef<Decl *> TopLevel,
                                 const Damage *Errors) {
  const SourceManager &SM = CI.getSourceManager();
  Rewriting Result;
  if (mainFileIncludesItself()) {
    Result.Root = Root;
    const Position Start =
        Files.position(SM.getLocForStartOfFile(SM.getMainFileID()));
    Result.NotInstrumented.push_back(
        {"file", Start, "", "", "the main file includes itself"});
    return Result;
  }
  const ProbeText Probes(/*IsC=*/!CI.getLangOpts().CPlusPlus);
  TextRendering Text(SM, CI.getLangOpts(), Files, Probes);
  Result = find(TopLevel, Text, Errors);
  Result.AtRisk = Text.isAtRisk();
  Result.Files = Text.edits().files();
  if (Options.Table && !Result.Sites.empty())
    Result.addTable(*SM.getFileEntryRefForID(SM.getMainFileID()),
                    SM.getBufferData(SM.getMainFileID()), Probes, Options.Step);
  return Result;
}

} // namespace autoprof::source
