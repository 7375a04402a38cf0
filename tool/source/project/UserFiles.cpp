// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/project/UserFiles.h"

#include "clang/Basic/FileManager.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/VirtualFileSystem.h"

using namespace clang;
using llvm::StringRef;

namespace autoprof::source {

std::string UserFiles::absolute(StringRef Path, const FileManager &Files) {
  llvm::SmallString<256> Absolute(Path), Real;
  Files.makeAbsolutePath(Absolute);
  if (!Files.getVirtualFileSystem().getRealPath(Absolute, Real))
    return Real.str().str();
  llvm::sys::path::remove_dots(Absolute, /*remove_dot_dot=*/true);
  return Absolute.str().str();
}

const UserFiles::File &UserFiles::file(SourceLocation Loc, StringRef Name) {
  auto [It, New] = Known.try_emplace(Name);
  if (New) {
    std::string Path = absolute(Name, SM.getFileManager());
    It->second = {Path == MainFile ||
                      (!SM.isInSystemHeader(Loc) && P.holds(Path)),
                  P.relative(Path)};
  }
  return It->second;
}

bool UserFiles::isUsers(SourceLocation Loc) {
  Loc = SM.getFileLoc(Loc);
  PresumedLoc Presumed = SM.getPresumedLoc(Loc);
  return Presumed.isValid() && SM.getFileEntryRefForID(SM.getFileID(Loc)) &&
         file(Loc, Presumed.getFilename()).IsUsers;
}

Position UserFiles::position(SourceLocation Loc) {
  Loc = SM.getFileLoc(Loc);
  PresumedLoc Presumed = SM.getPresumedLoc(Loc);
  if (Presumed.isInvalid())
    return {};
  return {file(Loc, Presumed.getFilename()).Relative, Presumed.getLine(),
          Presumed.getColumn()};
}

std::string mainFileName(const SourceManager &SM, bool Preprocessed) {
  OptionalFileEntryRef Entry = SM.getFileEntryRefForID(SM.getMainFileID());
  std::string Name = Entry ? Entry->getName().str() : "";
  if (!Preprocessed)
    return Name;
  StringRef Text = SM.getBufferData(SM.getMainFileID());
  if (!Text.consume_front("# 1 \""))
    return Name;
  return Text.take_until([](char C) { return C == '"' || C == '\n'; }).str();
}

} // namespace autoprof::source
