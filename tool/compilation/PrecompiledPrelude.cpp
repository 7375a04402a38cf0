// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A file of the cache is valid for one build of autoprof and one set of
// options, without the user's -I folders: those differ between targets, and the
// prelude finds nothing in them unless one has a header named like one of the
// prelude's. Next to each file is the list of the names it includes, so that
// such a folder is noticed. clang itself rejects a file if one of its headers
// has changed.
#include "compilation/PrecompiledPrelude.h"

#include "audit/Cache.h"
#include "support/LLVMVersion.h"

#include "clang/Frontend/FrontendActions.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <set>
#include <unistd.h>

using namespace clang;
using llvm::StringRef;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

namespace autoprof::sources {

namespace {

/// A file has about 6 MB.
constexpr size_t MostFiles = 16;

const char Extension[] = ".pch";
const char NamesExtension[] = ".names";

std::string cacheFolder() {
  llvm::SmallString<128> Path;
  if (!path::cache_directory(Path))
    return "";
  path::append(Path, "autoprof", "nvcc");
  return Path.str().str();
}

/// Collects, for each included name, what a folder must contain to provide it:
/// the name up to its first slash.
class IncludedNames : public PPCallbacks {
  std::set<std::string> &Names;

  void add(StringRef Name) {
    if (!path::is_absolute(Name))
      Names.insert(Name.split('/').first.str());
  }

public:
  explicit IncludedNames(std::set<std::string> &Names) : Names(Names) {}

  void InclusionDirective(SourceLocation, const Token &, StringRef Name, bool,
                          CharSourceRange, OptionalFileEntryRef, StringRef,
                          StringRef, const clang::Module *, bool,
                          SrcMgr::CharacteristicKind) override {
    add(Name);
  }
  void HasInclude(SourceLocation, StringRef Name, bool, OptionalFileEntryRef,
                  SrcMgr::CharacteristicKind) override {
    add(Name);
  }
};

class Precompile : public GeneratePCHAction {
  std::set<std::string> &Names;

  bool BeginSourceFileAction(CompilerInstance &CI) override {
    CI.getPreprocessor().addPPCallbacks(std::make_unique<IncludedNames>(Names));
    return GeneratePCHAction::BeginSourceFileAction(CI);
  }

public:
  explicit Precompile(std::set<std::string> &Names) : Names(Names) {}
};

bool isUsersFolder(const HeaderSearchOptions::Entry &E) {
  return E.Group == frontend::Angled;
}

/// The part of an invocation that is the same for all sources that can share a
/// file.
std::shared_ptr<CompilerInvocation>
preludeInvocation(const CompilerInvocation &Of,
                  llvm::ArrayRef<std::string> Headers) {
  auto Result = std::make_shared<CompilerInvocation>(Of);
  FrontendOptions &Frontend = Result->getFrontendOpts();
  const InputKind Kind = Frontend.Inputs[0].getKind();
  Frontend.Inputs = {FrontendInputFile("/dev/null", Kind)};
  Frontend.ProgramAction = frontend::GeneratePCH;
  Frontend.SkipFunctionBodies = true;
  Frontend.OutputFile.clear();
  CodeGenOptions &CodeGen = Result->getCodeGenOpts();
  CodeGen.MainFileName.clear();
  CodeGen.DebugCompilationDir.clear();
  CodeGen.CoverageCompilationDir.clear();
  Result->getLangOpts().CUID.clear(); // It is derived from the file's name.
  Result->getPreprocessorOpts().Includes = Headers;
  llvm::erase_if(Result->getHeaderSearchOpts().UserEntries, isUsersFolder);
  return Result;
}

uint64_t keyOf(const CompilerInvocation &Prelude) {
  llvm::SmallString<256> Folder;
  for (const auto &E : Prelude.getHeaderSearchOpts().UserEntries)
    if (!path::is_absolute(E.Path) && Folder.empty())
      fs::current_path(Folder);
  return audit::Cache::key(Prelude.getCC1CommandLine(), Folder);
}

/// Removes all files but the most recently used ones.
void prune(StringRef Folder) {
  std::vector<std::pair<llvm::sys::TimePoint<>, std::string>> Files;
  std::error_code Failure;
  for (fs::directory_iterator I(Folder, Failure), End; I != End && !Failure;
       I.increment(Failure))
    if (auto Status = I->status();
        path::extension(I->path()) == Extension && Status)
      Files.emplace_back(Status->getLastModificationTime(), I->path());
  llvm::sort(Files, std::greater<>());
  for (size_t I = MostFiles; I < Files.size(); ++I) {
    llvm::SmallString<256> Path(Files[I].second);
    fs::remove(Path);
    path::replace_extension(Path, NamesExtension);
    fs::remove(Path);
  }
}

/// Marks the file as used, for prune().
void touch(StringRef Path) {
  int File = 0;
  if (fs::openFileForWrite(Path, File, fs::CD_OpenExisting))
    return;
  fs::setLastAccessAndModificationTime(File, std::chrono::system_clock::now());
  close(File);
}

} // namespace

PrecompiledPrelude::PrecompiledPrelude(CompilerInstance &CI)
    : CI(CI), Includes(CI.getPreprocessorOpts().Includes) {
  // These are clang's headers and nvcc_compat.h, before the user's own
  // -include.
  PreprocessorOptions &Preprocessor = CI.getPreprocessorOpts();
  const std::string Folder = cacheFolder();
  if (Folder.empty() || Includes.size() < 2 ||
      path::filename(Includes[0]) != "__clang_cuda_runtime_wrapper.h" ||
      path::filename(Includes[1]) != "nvcc_compat.h" ||
      !Preprocessor.MacroIncludes.empty() ||
      !Preprocessor.ImplicitPCHInclude.empty())
    return;
  const llvm::ArrayRef<std::string> Headers =
      llvm::ArrayRef(Includes).take_front(2);
  const uint64_t Key = keyOf(*preludeInvocation(CI.getInvocation(), Headers));
  File = Folder + "/" + llvm::utohexstr(Key, /*LowerCase=*/true) + Extension;
  if ((!fs::exists(File) && !precompile(Headers)) || isShadowed()) {
    File.clear();
    return;
  }
  touch(File);
  Preprocessor.ImplicitPCHInclude = File;
  Preprocessor.Includes.assign(Includes.begin() + Headers.size(),
                               Includes.end());
  CI.getHeaderSearchOpts().ModulesValidateSystemHeaders = true;
}

void PrecompiledPrelude::restore() {
  CI.getPreprocessorOpts().ImplicitPCHInclude.clear();
  CI.getPreprocessorOpts().Includes = Includes;
}

void PrecompiledPrelude::remove() const { fs::remove(File); }

bool PrecompiledPrelude::precompile(llvm::ArrayRef<std::string> Headers) {
  if (fs::create_directories(path::parent_path(File)))
    return false;
  auto Invocation = preludeInvocation(CI.getInvocation(), Headers);
  Invocation->getFrontendOpts().OutputFile = File;
  const auto Nested = makeNested(CI, std::move(Invocation));
  Nested->createDiagnostics(new IgnoringDiagConsumer);
  std::set<std::string> Names;
  Precompile Action(Names);
  if (!Nested->ExecuteAction(Action))
    return false;
  llvm::SmallString<256> NamesFile(File);
  path::replace_extension(NamesFile, NamesExtension);
  if (llvm::Error E =
          llvm::writeToOutput(NamesFile, [&](llvm::raw_ostream &Out) {
            Out << llvm::join(Names, "\n");
            return llvm::Error::success();
          })) {
    llvm::consumeError(std::move(E));
    return false;
  }
  prune(path::parent_path(File));
  return true;
}

/// Whether one of the user's folders has a header that the prelude includes.
/// Also true if that is unknown.
bool PrecompiledPrelude::isShadowed() const {
  llvm::SmallString<256> NamesFile(File);
  path::replace_extension(NamesFile, NamesExtension);
  auto Text = llvm::MemoryBuffer::getFile(NamesFile);
  if (!Text)
    return true;
  llvm::SmallVector<StringRef> Names;
  (*Text)->getBuffer().split(Names, '\n');
  return llvm::any_of(CI.getHeaderSearchOpts().UserEntries,
                      [&](const HeaderSearchOptions::Entry &E) {
                        return isUsersFolder(E) &&
                               llvm::any_of(Names, [&](StringRef Name) {
                                 return fs::exists(E.Path + "/" + Name);
                               });
                      });
}

} // namespace autoprof::sources
