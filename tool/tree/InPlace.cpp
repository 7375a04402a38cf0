// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tree/InPlace.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"

#include <optional>

using llvm::Error;
using llvm::StringRef;

namespace autoprof::tree {

/// Returns what git prints; none if it fails.
static std::optional<std::string> git(StringRef Root,
                                      llvm::ArrayRef<StringRef> Args) {
  llvm::ErrorOr<std::string> Program = llvm::sys::findProgramByName("git");
  llvm::SmallString<128> Output;
  if (!Program ||
      llvm::sys::fs::createTemporaryFile("autoprof-git", "txt", Output))
    return std::nullopt;
  std::vector<StringRef> All = {"git", "-C", Root};
  llvm::append_range(All, Args);
  const std::optional<StringRef> Redirects[] = {StringRef(""), Output.str(),
                                                StringRef("")};
  const int Code =
      llvm::sys::ExecuteAndWait(*Program, All, std::nullopt, Redirects);
  auto Text = llvm::MemoryBuffer::getFile(Output);
  llvm::sys::fs::remove(Output);
  if (Code != 0 || !Text)
    return std::nullopt;
  return (*Text)->getBuffer().str();
}

Error checkUndoable(StringRef Root, llvm::ArrayRef<std::string> Files) {
  const char *Otherwise = ", or give --force";
  std::optional<std::string> Status =
      git(Root, {"status", "--porcelain", "--untracked-files=no"});
  if (!Status)
    return llvm::createStringError("'" + Root +
                                   "' is not in a git repository, so the "
                                   "change could not be undone; write "
                                   "to another folder with -o" +
                                   Otherwise);
  if (!Status->empty())
    return llvm::createStringError("the repository around '" + Root +
                                   "' has uncommitted changes; commit or stash "
                                   "them first" +
                                   Otherwise);
  std::optional<std::string> Tracked = git(Root, {"ls-files", "-z"});
  llvm::SmallVector<StringRef> Names;
  StringRef(Tracked ? *Tracked : "").split(Names, '\0');
  for (const std::string &F : Files)
    if (!llvm::is_contained(Names, F))
      return llvm::createStringError(
          "'" + F +
          "' is not in the repository, so the change could not be "
          "undone; add and commit it first" +
          Otherwise);
  return Error::success();
}

} // namespace autoprof::tree
