// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/LiveRewriter.h"

#include "source/Process.h"
#include "source/Rewriter.h"
#include "source/UserFiles.h"

#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using llvm::StringRef;

namespace autoprof::source {

/// Room for probes and table, in bytes: the whole text once for each of its
/// bytes is far more than any program needs, and blanks are cheap to lex.
static size_t roomFor(StringRef Text) { return 8 * Text.size() + (512 << 10); }

/// Locations are 31 bits for all files together; room must not use them up.
static const size_t LargestFile = 8 << 20;

/// Finds the moments at which a file of the user's is opened, and at which
/// the user's code begins.
class LiveRewriter::Callbacks : public PPCallbacks {
  LiveRewriter &R;

public:
  explicit Callbacks(LiveRewriter &R) : R(R) {}

  void InclusionDirective(SourceLocation At, const Token &, StringRef, bool,
                          CharSourceRange, OptionalFileEntryRef File, StringRef,
                          StringRef, const clang::Module *, bool,
                          SrcMgr::CharacteristicKind Type) override {
    if (File && !R.Done && R.isUsersHeader(*File, Type))
      R.beforeInclusion(*File, At);
  }

  /// Tokens are watched only in the user's files: a call for each token of the
  /// system's headers would be felt.
  void LexedFileChanged(FileID Id, LexedFileChangeReason,
                        SrcMgr::CharacteristicKind, FileID,
                        SourceLocation) override {
    Preprocessor &PP = R.CI.getPreprocessor();
    const FileEntry *File = PP.getSourceManager().getFileEntryForID(Id);
    if (R.Done || !File || !R.Roomy.count(File))
      return PP.setTokenWatcher(nullptr);
    PP.setTokenWatcher([this](const Token &Tok) {
      if (R.Done || Tok.is(tok::eof))
        return;
      R.beforeUsersCode(Tok.getLocation());
    });
  }
};

//===-- Before the user's code --------------------------------------------===//

LiveRewriter::LiveRewriter(CompilerInstance &CI, const RewriteOptions &Options,
                           Decision Accept, std::string MainFile)
    : SiteConsumer(CI, Options), Accept(std::move(Accept)),
      Users(projectOf(Options, MainFile, CI.getFileManager())) {}

std::unique_ptr<LiveRewriter>
LiveRewriter::create(CompilerInstance &CI, const RewriteOptions &Options,
                     Decision Accept) {
  SourceManager &SM = CI.getSourceManager();
  OptionalFileEntryRef Main = SM.getFileEntryRefForID(SM.getMainFileID());
  if (!Main)
    return nullptr;
  std::unique_ptr<LiveRewriter> R(new LiveRewriter(
      CI, Options, std::move(Accept),
      UserFiles::absolute(Main->getName(), CI.getFileManager())));
  if (!R->makeRoom(*Main))
    return nullptr;
  // The main file has its place in the source manager, sized for the old text.
  CI.InitializeSourceManager(CI.getFrontendOpts().Inputs[0]);
  CI.getFrontendOpts().SkipFunctionBodies = true; // as R decides
  R->Diagnostics = OriginalDiagnostics::install(CI.getDiagnostics());
  for (const auto &[Entry, File] : R->Roomy)
    R->Diagnostics->show({File.File, File.Original, {}});
  return R;
}

void LiveRewriter::Initialize(ASTContext &) {
  includeFirst(CI.getPreprocessor(), Options.ProbeHeader);
  CI.getPreprocessor().addPPCallbacks(std::make_unique<Callbacks>(*this));
}

bool LiveRewriter::isUsersHeader(FileEntryRef File,
                                 SrcMgr::CharacteristicKind Type) const {
  return !SrcMgr::isSystem(Type) && Users.wantsHeader(UserFiles::absolute(
                                        File.getName(), CI.getFileManager()));
}

bool LiveRewriter::makeRoom(FileEntryRef File) {
  SourceManager &SM = CI.getSourceManager();
  std::optional<llvm::MemoryBufferRef> Text =
      SM.getMemoryBufferForFileOrNone(File);
  if (!Text || Text->getBufferSize() > LargestFile)
    return false;
  std::string Original = Text->getBuffer().str();
  const size_t Size = Original.size() + roomFor(Original);
  auto Memory =
      llvm::WritableMemoryBuffer::getNewUninitMemBuffer(Size, File.getName());
  if (!Memory)
    return false;
  RoomyFile Roomy_{File, std::move(Original), Memory->getBufferStart(), Size};
  SM.overrideFileContents(File, std::move(Memory));
  replaceText(Roomy_, Roomy_.Original);
  Roomy.emplace(&File.getFileEntry(), std::move(Roomy_));
  return true;
}

void LiveRewriter::beforeInclusion(FileEntryRef File, SourceLocation At) {
  if (Roomy.count(&File.getFileEntry()))
    return;
  const PreprocessorOptions &Options = CI.getPreprocessorOpts();
  // The text of files in a precompiled header or module must stay.
  const bool MayBePrecompiled =
      !Options.ImplicitPCHInclude.empty() || CI.getLangOpts().Modules;
  if (MayBePrecompiled || !makeRoom(File))
    beforeUsersCode(At);
  else
    Diagnostics->show({File, Roomy.at(&File.getFileEntry()).Original, {}});
}

//===-- The copy ----------------------------------------------------------===//

void LiveRewriter::beforeUsersCode(SourceLocation At) {
  Done = true;
  Stopped = At;
  const ProcessCopy Copy = copyProcess();
  if (Copy.Role == ProcessCopy::Copy)
    return becomeCopy(Copy.Pipe);
  std::optional<Rewriting> R;
  if (Copy.Role == ProcessCopy::Original)
    R = deserialize(receive(Copy), CI.getFileManager());
  if (!R)
    return sayFailed();
  if (Accept(*R) && !R->Files.empty() && isPossible(*R))
    apply(std::move(*R));
}

/// No diagnostic: -Werror would make an error of it.
void LiveRewriter::sayFailed() const {
  llvm::errs() << CI.getFrontendOpts().Inputs[0].getFile()
               << ": autoprof: warning: compiled without probes, because the "
                  "search for sites in it failed; please report this with the "
                  "file\n";
}

void LiveRewriter::becomeCopy(int ToOriginal) {
  Pipe = ToOriginal;
  DiagnosticsEngine &Diags = CI.getDiagnostics();
  Diags.takeClient().release(); // its streams belong to the original
  Diags.setClient(&Errors, /*ShouldOwnClient=*/false);
  FailedBefore = Diags.hasErrorOccurred();
  Diags.setIgnoreAllWarnings(true);
}

StringRef LiveRewriter::textOf(FileID File) const {
  auto It = Roomy.find(CI.getSourceManager().getFileEntryForID(File));
  return It != Roomy.end() ? StringRef(It->second.Original)
                           : SiteConsumer::textOf(File);
}

bool LiveRewriter::HandleTopLevelDecl(DeclGroupRef Group) {
  return Pipe < 0 || SiteConsumer::HandleTopLevelDecl(Group);
}

/// In the copy, the bodies of functions in system headers do not matter.
bool LiveRewriter::shouldSkipFunctionBody(Decl *D) {
  return Pipe >= 0 && CI.getSourceManager().isInSystemHeader(D->getLocation());
}

void LiveRewriter::HandleTranslationUnit(ASTContext &Context) {
  if (Pipe < 0)
    return;
  const bool Compiles = !FailedBefore && Errors.message().empty();
  sendAndEnd(Pipe, serialize(Compiles ? collect(Context) : Rewriting()));
}

//===-- The new text ------------------------------------------------------===//

/// For each file that is being read, the offset up to which it was lexed.
std::map<const FileEntry *, unsigned> LiveRewriter::lexedSoFar() const {
  const SourceManager &SM = CI.getSourceManager();
  std::map<const FileEntry *, unsigned> Result;
  for (SourceLocation At = SM.getExpansionRange(Stopped).getEnd();
       At.isValid();) {
    auto [Id, Offset] = SM.getDecomposedLoc(At);
    if (const FileEntry *File = SM.getFileEntryForID(Id))
      Result[File] = std::max(Result[File], Offset);
    At = SM.getIncludeLoc(Id);
  }
  return Result;
}

bool LiveRewriter::isPossible(const Rewriting &R) const {
  const std::map<const FileEntry *, unsigned> Lexed = lexedSoFar();
  for (const EditedFile &F : R.Files) {
    const FileEntry *Entry = &F.File.getFileEntry();
    auto Offset = Lexed.find(Entry);
    if (Offset != Lexed.end() && F.Insertions.front().Offset <= Offset->second)
      return false;
    auto Room = Roomy.find(Entry);
    if (Room != Roomy.end() && F.rewritten().size() >= Room->second.Size)
      return false;
  }
  return true;
}

/// Line starts may have been computed from the old text.
void LiveRewriter::dropLineCache(const FileEntry *File) {
  const SourceManager &SM = CI.getSourceManager();
  for (unsigned I = 1; I < SM.local_sloc_entry_size(); ++I) {
    const SrcMgr::SLocEntry &Entry = SM.getLocalSLocEntry(I);
    if (!Entry.isFile())
      continue;
    const SrcMgr::ContentCache &Content = Entry.getFile().getContentCache();
    if (Content.OrigEntry && &Content.OrigEntry->getFileEntry() == File)
      Content.SourceLineCache = SrcMgr::LineOffsetMapping();
  }
}

void LiveRewriter::replaceText(const RoomyFile &Roomy,
                               const std::string &Text) {
  std::copy(Text.begin(), Text.end(), Roomy.Memory);
  std::fill(Roomy.Memory + Text.size(), Roomy.Memory + Roomy.Size, ' ');
  if (StringRef(Roomy.Original).ends_with("\n")) // -Wnewline-eof
    Roomy.Memory[Roomy.Size - 1] = '\n';
  dropLineCache(&Roomy.File.getFileEntry());
}

void LiveRewriter::apply(Rewriting R) {
  for (EditedFile &F : R.Files) {
    const std::string Text = F.rewritten();
    auto Room = Roomy.find(&F.File.getFileEntry());
    if (Room != Roomy.end())
      replaceText(Room->second, Text);
    else
      CI.getSourceManager().overrideFileContents(
          F.File, llvm::MemoryBuffer::getMemBufferCopy(Text, F.File.getName()));
    Diagnostics->show(std::move(F));
  }
}

} // namespace autoprof::source
