// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source-cli/RewriteTask.h"

#include "source/SeparateParse.h"
#include "source/project/UserFiles.h"

#include "llvm/Support/FileSystem.h"

using namespace clang;
using namespace autoprof::source;
using llvm::Error;
using llvm::StringRef;

namespace autoprof::sources {

RewriteTask::RewriteTask(RewriteOptions Options, tree::Merge::Rules RuleOf)
    : Options(std::move(Options)), Project(*this->Options.Root),
      Files(FileSystemOptions()), Union(std::move(RuleOf)) {}

/// Names the file by its real path, and gives it the text on disk: the text
/// that clang read may differ in spelling, but never in length.
static Error useDisk(EditedFile &File, FileManager &Files) {
  const std::string Path = UserFiles::absolute(File.File.getName(), Files);
  auto Text = llvm::MemoryBuffer::getFile(Path, /*IsText=*/false,
                                          /*RequiresNullTerminator=*/false);
  if (!Text)
    return llvm::createStringError("cannot read '" + Path +
                                   "': " + Text.getError().message());
  if ((*Text)->getBufferSize() != File.Original.size())
    return llvm::createStringError("'" + Path +
                                   "' changed while it was read; try again");
  llvm::Expected<FileEntryRef> Real = Files.getFileRef(Path);
  if (!Real)
    return Real.takeError();
  File.Original = (*Text)->getBuffer().str();
  File.File = *Real;
  return Error::success();
}

/// Fails if the text with its probes has errors that it does not have without.
Error RewriteTask::checkCompiles(const Rewriting &R, CompilerInstance &CI) {
  if (R.Files.empty() || !R.AtRisk)
    return Error::success();
  const std::string Broken = newError(R, CI, Options);
  if (Broken.empty())
    return Error::success();
  return llvm::createStringError("its probes would break it (" + Broken +
                                 "); please report this with the file");
}

llvm::Expected<Reading> RewriteTask::work(const Unit &U, CompilerInstance &CI) {
  if (CI.getFrontendOpts().Inputs[0].isPreprocessed())
    return llvm::createStringError(
        "it is a preprocessed file; rewrite what it was made from");
  FileManager &Files = CI.getFileManager();
  llvm::Expected<FileEntryRef> Main =
      Files.getFileRef(CI.getFrontendOpts().Inputs[0].getFile());
  if (!Main)
    return Main.takeError();
  if (auto Text = Files.getBufferForFile(*Main);
      Text && isModuleUnit((*Text)->getBuffer(), CI.getLangOpts()))
    return llvm::createStringError(
        "it is a module unit of C++20, which nothing may precede");
  Reading Result;
  llvm::Expected<Rewriting> R = rewriteIntact(CI, Options, Result.Lost);
  if (!R)
    return R.takeError();
  if (Error E = checkCompiles(*R, CI))
    return std::move(E);
  if (!R->Sites.empty() && !R->find(*Main))
    if (auto Text = Files.getBufferForFile(*Main))
      R->Files.push_back({*Main, (*Text)->getBuffer().str(), {}});
  for (EditedFile &F : R->Files)
    if (Error E = useDisk(F, Files))
      return std::move(E);
  Result.Bytes = serialize(std::move(*R));
  return Result;
}

std::string RewriteTask::nameOf(StringRef Path) const {
  return Project.relative(UserFiles::absolute(Path, Files));
}

void RewriteTask::collect(const Unit &U, Outcome O) {
  const std::string Name = nameOf(U.File);
  LacksHeader |= !O.Missing.empty();
  if (!O.isRead())
    return Skipped.push_back({Name, std::move(O.Error)});
  std::optional<Rewriting> R = deserialize(O.Read.Bytes, Files);
  if (!R)
    return Skipped.push_back({Name, "what was read of it did not arrive"});
  if (O.Class == Outcome::Partly)
    Partly.push_back({Name, std::move(O.Error)});
  for (source::Skipped &F : O.Read.Lost.Functions) {
    F.Location.File = Project.relative(F.Location.File);
    Unread.push_back(std::move(F));
  }
  Warnings.insert(R->Warnings.begin(), R->Warnings.end());
  Union.add(UserFiles::absolute(U.File, Files), Name, std::move(*R));
}

tree::Merged RewriteTask::take() {
  tree::Merged All = Union.take();
  auto HasProbes = [&](const source::Skipped &F) {
    return llvm::any_of(All.Sites, [&](const Site &S) {
      return S.Location.File == F.Location.File && S.Function == F.Function;
    });
  };
  for (source::Skipped &F : Unread)
    if (!HasProbes(F))
      All.NotInstrumented.push_back(std::move(F));
  auto KeyOf = [](const source::Skipped &S) {
    return std::tie(S.Location.File, S.Location.Line, S.Location.Column, S.Kind,
                    S.Callee, S.Function, S.Reason);
  };
  llvm::sort(All.NotInstrumented,
             [&](auto &A, auto &B) { return KeyOf(A) < KeyOf(B); });
  All.NotInstrumented.erase(
      llvm::unique(All.NotInstrumented,
                   [&](auto &A, auto &B) { return KeyOf(A) == KeyOf(B); }),
      All.NotInstrumented.end());
  return All;
}

} // namespace autoprof::sources
