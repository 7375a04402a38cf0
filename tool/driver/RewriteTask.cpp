// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/RewriteTask.h"

#include "source/Rewriter.h"
#include "source/UserFiles.h"

#include "llvm/Support/FileSystem.h"

using namespace clang;
using namespace autoprof::source;
using llvm::Error;
using llvm::StringRef;

namespace autoprof::driver {

RewriteTask::RewriteTask(RewriteOptions Options, rewrite::Merge::Rules RuleOf)
    : Options(std::move(Options)),
      Project(*this->Options.Root, std::nullopt, std::nullopt),
      Files(FileSystemOptions()), Union(std::move(RuleOf)) {}

/// Names the file by its real path, and gives it the text that lies on the
/// disk: what clang was shown may differ in spelling, never in length.
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

/// Fails when the probes break a text that compiles without them.
Error RewriteTask::checkCompiles(const Rewriting &R, CompilerInstance &CI) {
  if (R.Files.empty() || (!R.AtRisk && !Options.Verify))
    return Error::success();
  const std::string Broken = firstError(R, CI, Options);
  // Device code that only nvcc takes tells nothing about probes.
  if (Broken.empty() || !firstError(Rewriting(), CI, Options).empty())
    return Error::success();
  return llvm::createStringError("its probes would break it (" + Broken +
                                 "); please report this with the file");
}

llvm::Expected<std::string> RewriteTask::work(const Unit &U,
                                              CompilerInstance &CI) {
  if (CI.getFrontendOpts().Inputs[0].isPreprocessed())
    return llvm::createStringError(
        "it is a preprocessed file; rewrite what it was made from");
  FileManager &Here = CI.getFileManager();
  llvm::Expected<FileEntryRef> Main =
      Here.getFileRef(CI.getFrontendOpts().Inputs[0].getFile());
  if (!Main)
    return Main.takeError();
  if (auto Text = Here.getBufferForFile(*Main);
      Text && isModuleUnit((*Text)->getBuffer(), CI.getLangOpts()))
    return llvm::createStringError(
        "it is a module unit of C++20, which nothing may precede");
  std::string WhyNot;
  Rewriting R = source::rewrite(CI, Options, &WhyNot);
  if (!WhyNot.empty())
    return llvm::createStringError(WhyNot);
  if (Error E = checkCompiles(R, CI))
    return std::move(E);
  if (!R.Sites.empty() && !R.find(*Main))
    if (auto Text = Here.getBufferForFile(*Main))
      R.Files.push_back({*Main, (*Text)->getBuffer().str(), {}});
  for (EditedFile &F : R.Files)
    if (Error E = useDisk(F, Here))
      return std::move(E);
  return serialize(std::move(R));
}

std::string RewriteTask::nameOf(StringRef Path) const {
  return Project.relative(UserFiles::absolute(Path, Files));
}

void RewriteTask::collect(const Unit &U, Outcome O) {
  const std::string Name = nameOf(U.File);
  if (O.How != Outcome::Done)
    return Skipped.push_back({Name, std::move(O.Error)});
  std::optional<Rewriting> R = deserialize(O.Bytes, Files);
  if (!R)
    return Skipped.push_back({Name, "what was read of it did not arrive"});
  for (source::Skipped &E : R->Experiments)
    if (llvm::none_of(Experiments, [&](const source::Skipped &Known) {
          return std::tie(E.At.File, E.At.Line, E.At.Column) ==
                 std::tie(Known.At.File, Known.At.Line, Known.At.Column);
        }))
      Experiments.push_back(std::move(E));
  Union.add(UserFiles::absolute(U.File, Files), Name, std::move(*R));
}

} // namespace autoprof::driver
