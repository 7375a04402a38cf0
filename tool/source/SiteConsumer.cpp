// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/SiteConsumer.h"

#include "source/Collector.h"

#include "clang/Basic/DiagnosticSema.h"
#include "clang/Sema/Sema.h"

using namespace clang;
using llvm::StringRef;

namespace autoprof::source {

void FirstError::HandleDiagnostic(DiagnosticsEngine::Level Level,
                                  const Diagnostic &Info) {
  // That a template with a local type is used and not instantiated is our own
  // doing (SiteConsumer::skipsInstantiations).
  if (Level < DiagnosticsEngine::Error || !Message.empty() ||
      Info.getID() == diag::err_undefined_internal_type)
    return;
  if (Info.getLocation().isValid() && Info.hasSourceManager()) {
    PresumedLoc At = Info.getSourceManager().getPresumedLoc(Info.getLocation());
    Message = (llvm::Twine(At.getFilename()) + ":" + llvm::Twine(At.getLine()) +
               ":" + llvm::Twine(At.getColumn()) + ": ")
                  .str();
  }
  llvm::SmallString<128> Text;
  Info.FormatDiagnostic(Text);
  Message += Text;
}

bool SiteConsumer::HandleTopLevelDecl(DeclGroupRef Group) {
  for (Decl *D : Group)
    if (!CI.getSourceManager().isInSystemHeader(D->getLocation()))
      TopLevel.push_back(D);
  if (TheSema && skipsInstantiations())
    TheSema->PendingInstantiations.clear();
  return true;
}

StringRef SiteConsumer::textOf(FileID File) const {
  return CI.getSourceManager().getBufferData(File);
}

/// A file that includes itself would carry its table once for each inclusion,
/// in the middle of anything.
bool SiteConsumer::mainFileIncludesItself() const {
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

Rewriting SiteConsumer::collect(ASTContext &Context) {
  Rewriting Result;
  SourceManager &SM = CI.getSourceManager();
  const bool Preprocessed = CI.getFrontendOpts().Inputs[0].isPreprocessed();
  std::string Main =
      UserFiles::absolute(mainFileName(SM, Preprocessed), SM.getFileManager());
  Project Users = projectOf(Options, Main, SM.getFileManager());
  Result.Root = Users.root().str();
  UserFiles Files(SM, std::move(Users), Main);
  if (mainFileIncludesItself()) {
    Position At = Files.position(SM.getLocForStartOfFile(SM.getMainFileID()));
    Result.NotInstrumented.push_back(
        {"file", At, "", "", "the main file includes itself"});
    return Result;
  }
  Selection Wanted(Options, SM, Files, Preprocessed);
  Collector Collect(Context, Files, ProbeText::of(CI), Wanted,
                    [this](FileEntryRef File, unsigned Offset) {
                      return isTaken(File, Offset);
                    });
  Collect.IsKnown = [this](uint64_t Id) { return isKnown(Id); };
  for (size_t I = 0; I < TopLevel.size(); ++I)
    Collect.add(TopLevel[I], /*IsDone=*/I < Done);
  Collect.finish();
  Result.Sites = std::move(Collect.Sites);
  Result.NotInstrumented = std::move(Collect.NotInstrumented);
  Result.Experiments = std::move(Collect.Experiments);
  Result.AtRisk = Collect.isAtRisk();
  Result.Files =
      Collect.edits().take([this](FileID File) { return textOf(File); });
  return Result;
}

} // namespace autoprof::source
