// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/LiveRewriter.h"

#include "source/Process.h"
#include "source/Rewriter.h"
#include "source/UserFiles.h"

#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

using namespace clang;
using llvm::StringRef;

namespace autoprof::source {

/// Room for probes and table, in bytes: the whole text once for each of its
/// bytes is far more than any program needs, and blanks are cheap to lex.
static size_t roomFor(StringRef Text) { return 8 * Text.size() + (512 << 10); }

/// Locations are 31 bits for all files together; room must not use them up.
static const size_t LargestFile = 8 << 20;

/// Finds the moments at which a file of the user's is opened, at which the
/// user's code begins, and at which it is left for other people's.
class LiveRewriter::Callbacks : public PPCallbacks {
  LiveRewriter &R;

public:
  explicit Callbacks(LiveRewriter &R) : R(R) {}

  void InclusionDirective(SourceLocation At, const Token &, StringRef, bool,
                          CharSourceRange, OptionalFileEntryRef File, StringRef,
                          StringRef, const clang::Module *, bool,
                          SrcMgr::CharacteristicKind Type) override {
    if (File && R.isUsersHeader(*File, Type))
      R.beforeInclusion(*File, At);
  }

  /// Tokens are watched only in the user's files: a call for each token of the
  /// system's headers would be felt.
  void LexedFileChanged(FileID Id, LexedFileChangeReason,
                        SrcMgr::CharacteristicKind, FileID,
                        SourceLocation) override {
    Preprocessor &PP = R.CI.getPreprocessor();
    const FileEntry *File = PP.getSourceManager().getFileEntryForID(Id);
    R.Entered.insert(File);
    if (File && !R.UsersFiles.count(File))
      R.SegmentEnds = true;
    if (!R.SegmentEnds || !R.UsersFiles.count(File) || R.Off || R.isCopy())
      return PP.setTokenWatcher(nullptr);
    PP.setTokenWatcher([this](const Token &Tok) {
      if (R.SegmentEnds && !R.Off && Tok.isNot(tok::eof))
        R.beforeUsersCode(Tok.getLocation());
    });
  }
};

static bool usesPrecompiledText(CompilerInstance &CI) {
  const HeaderSearchOptions &Headers = CI.getHeaderSearchOpts();
  return !CI.getPreprocessorOpts().ImplicitPCHInclude.empty() ||
         !CI.getFrontendOpts().ModuleFiles.empty() ||
         !Headers.PrebuiltModuleFiles.empty() || Headers.ImplicitModuleMaps;
}

//===-- Before the user's code --------------------------------------------===//

LiveRewriter::LiveRewriter(CompilerInstance &CI, const RewriteOptions &Options,
                           Answers Ask, FileEntryRef Main)
    : SiteConsumer(CI, Options), Ask(std::move(Ask)), Main(Main),
      Users(projectOf(Options,
                      UserFiles::absolute(Main.getName(), CI.getFileManager()),
                      CI.getFileManager())),
      MayBePrecompiled(usesPrecompiledText(CI)) {}

std::unique_ptr<LiveRewriter>
LiveRewriter::create(CompilerInstance &CI, const RewriteOptions &Options,
                     Answers Ask) {
  SourceManager &SM = CI.getSourceManager();
  OptionalFileEntryRef Main = SM.getFileEntryRefForID(SM.getMainFileID());
  if (!Main)
    return nullptr;
  std::unique_ptr<LiveRewriter> R(
      new LiveRewriter(CI, Options, std::move(Ask), *Main));
  R->Diagnostics = OriginalDiagnostics::install(CI.getDiagnostics());
  if (!R->makeRoom(*Main))
    return nullptr;
  R->UsersFiles.insert(&Main->getFileEntry());
  // The main file has its place in the source manager, sized for the old text.
  CI.InitializeSourceManager(CI.getFrontendOpts().Inputs[0]);
  CI.getFrontendOpts().SkipFunctionBodies = true; // as R decides
  return R;
}

void LiveRewriter::Initialize(ASTContext &) {
  includeFirst(CI.getPreprocessor(), Options.ProbeHeader);
  CI.getPreprocessor().addPPCallbacks(std::make_unique<Callbacks>(*this));
}

bool LiveRewriter::isUsersHeader(FileEntryRef File,
                                 SrcMgr::CharacteristicKind Type) const {
  if (UsersFiles.count(&File.getFileEntry()))
    return true;
  // autoprof's own headers call themselves system headers, which is not known
  // yet.
  if (SrcMgr::isSystem(Type) ||
      llvm::sys::path::parent_path(File.getName()) ==
          llvm::sys::path::parent_path(Options.ProbeHeader))
    return false;
  return Users.wantsHeader(
      UserFiles::absolute(File.getName(), CI.getFileManager()));
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
  RoomyFile New{File, std::move(Original), Memory->getBufferStart(), Size};
  SM.overrideFileContents(File, std::move(Memory));
  const EditedFile *Edited = Total.find(File);
  replaceText(New, Edited ? Edited->rewritten() : New.Original);
  Diagnostics->show(Edited ? *Edited : EditedFile{File, New.Original, {}});
  Roomy.emplace(&File.getFileEntry(), std::move(New));
  return true;
}

void LiveRewriter::beforeInclusion(FileEntryRef File, SourceLocation At) {
  const FileEntry *Entry = &File.getFileEntry();
  const bool IsReady = isCopy() || Roomy.count(Entry);
  if (!IsReady && !MayBePrecompiled && !makeRoom(File))
    return;
  UsersFiles.insert(Entry);
  // The text of files in a precompiled header or module must stay, so files
  // are changed only before they are opened.
  if (!IsReady && MayBePrecompiled && !Off)
    beforeUsersCode(At);
}

//===-- The copy ----------------------------------------------------------===//

void LiveRewriter::beforeUsersCode(SourceLocation At) {
  Stopped = At;
  SegmentEnds = false;
  const ProcessCopy Copy = copyProcess();
  if (Copy.Role == ProcessCopy::Copy)
    return becomeCopy(Copy.Pipe);
  std::optional<Rewriting> R;
  if (Copy.Role == ProcessCopy::Original)
    R = deserialize(receive(Copy), CI.getFileManager());
  if (!R)
    noteLoss(Copy.Role == ProcessCopy::Original
                 ? "the copy of clang that looks for places came to a bad end; "
                   "please report this with the file"
                 : "clang's process could not be copied");
  const bool Applied = R && !R->Root.empty() && apply(std::move(*R));
  Off = !Applied || MayBePrecompiled;
}

void LiveRewriter::noteLoss(StringRef Reason) {
  FileManager &Manager = CI.getFileManager();
  const std::string Path = UserFiles::absolute(Main.getName(), Manager);
  UserFiles Files(CI.getSourceManager(), projectOf(Options, Path, Manager),
                  Path);
  Rewriting Lost;
  Lost.Root = Total.Root;
  Lost.NotInstrumented.push_back(
      {"file", Files.position(Stopped), "", "", Reason.str()});
  Total.append(std::move(Lost));
}

void LiveRewriter::becomeCopy(int ToOriginal) {
  Pipe = ToOriginal;
  allDone();
  LexedBefore = lexedSoFar();
  EnteredBefore = Entered;
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

/// For each file that is being read, the offset up to which it was lexed.
std::map<const FileEntry *, unsigned> LiveRewriter::lexedSoFar() const {
  const SourceManager &SM = CI.getSourceManager();
  // The files of -include are read before the main file, not from within it.
  std::map<const FileEntry *, unsigned> Result = {{&Main.getFileEntry(), 0}};
  for (SourceLocation At = SM.getExpansionRange(Stopped).getEnd();
       At.isValid();) {
    auto [Id, Offset] = SM.getDecomposedLoc(At);
    if (const FileEntry *File = SM.getFileEntryForID(Id))
      Result[File] = std::max(Result[File], Offset);
    At = SM.getIncludeLoc(Id);
  }
  return Result;
}

/// The original has lexed this place, so its text is fixed.
bool LiveRewriter::isTaken(FileEntryRef File, unsigned Offset) const {
  const FileEntry *Entry = &File.getFileEntry();
  auto Lexed = LexedBefore.find(Entry);
  return Lexed != LexedBefore.end() ? Offset <= Lexed->second
                                    : EnteredBefore.count(Entry) != 0;
}

bool LiveRewriter::isKnown(uint64_t Id) const {
  return llvm::any_of(Total.Sites, [Id](const Site &S) { return S.Id == Id; });
}

/// The declaration in which the user's code was left comes here a little
/// later, when the first token behind it is known.
bool LiveRewriter::HandleTopLevelDecl(DeclGroupRef Group) {
  SiteConsumer::HandleTopLevelDecl(Group);
  const auto *F = Group.isSingleDecl()
                      ? llvm::dyn_cast<FunctionDecl>(Group.getSingleDecl())
                      : nullptr;
  if (isCopy() && SegmentEnds && !MayBePrecompiled &&
      !(F && F->isTemplateInstantiation()))
    sendSegment();
  return true;
}

/// In the copy, the bodies of functions in system headers do not matter.
bool LiveRewriter::shouldSkipFunctionBody(Decl *D) {
  return isCopy() && CI.getSourceManager().isInSystemHeader(D->getLocation());
}

void LiveRewriter::HandleTranslationUnit(ASTContext &) {
  if (isCopy())
    sendSegment();
  Ask.Show(withTable());
}

void LiveRewriter::sendSegment() {
  if (FailedBefore || !Errors.message().empty())
    sendAndEnd(Pipe, serialize({}));
  Rewriting R = collect(CI.getASTContext());
  for (EditedFile &F : R.Files)
    if (const EditedFile *Before = Total.find(F.File))
      for (Edit &E : F.Changes) {
        E.Offset = Before->originalOffset(E.Offset);
        E.End = Before->originalOffset(E.End);
      }
  sendAndEnd(Pipe, serialize(std::move(R)));
}

//===-- The new text ------------------------------------------------------===//

Rewriting LiveRewriter::withTable() const {
  Rewriting R = Total;
  if (!R.Sites.empty())
    R.addTable(Main, Roomy.at(&Main.getFileEntry()).Original,
               ProbeText::of(CI));
  return R;
}

bool LiveRewriter::fits(const Rewriting &R) const {
  return llvm::all_of(R.Files, [this](const EditedFile &F) {
    auto Room = Roomy.find(&F.File.getFileEntry());
    return Room == Roomy.end() || F.rewritten().size() < Room->second.Size;
  });
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

bool LiveRewriter::apply(Rewriting Segment) {
  Rewriting Before = Total;
  const bool Changes = !Segment.Sites.empty();
  Total.append(std::move(Segment));
  if (!Changes)
    return true;
  Rewriting R = withTable();
  const bool Fits = fits(R);
  if (!Fits || !Ask.MayUse(R)) {
    Total = std::move(Before);
    if (!Fits)
      noteLoss("with its probes the file would be more than eight times as "
               "long");
    return false;
  }
  for (EditedFile &F : R.Files) {
    auto Room = Roomy.find(&F.File.getFileEntry());
    if (Room != Roomy.end())
      replaceText(Room->second, F.rewritten());
    else if (MayBePrecompiled)
      CI.getSourceManager().overrideFileContents(
          F.File, llvm::MemoryBuffer::getMemBufferCopy(F.rewritten(),
                                                       F.File.getName()));
    else
      continue; // makeRoom does it when the file is opened
    Diagnostics->show(std::move(F));
  }
  return true;
}

} // namespace autoprof::source
