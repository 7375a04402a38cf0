// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tree/Mirror.h"

#include "support/LLVMVersion.h"
#include "tree/Manifest.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <filesystem>
#include <unistd.h>

using llvm::Error;
using llvm::StringRef;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

namespace autoprof::tree {

static Error failure(const llvm::Twine &Action, std::error_code Code) {
  return llvm::createStringError(Action + ": " + Code.message());
}

static Error makeParent(StringRef Path) {
  if (std::error_code E = fs::create_directories(
          path::parent_path(Path), /*IgnoreExisting=*/true, fs::all_all))
    return failure("cannot create the folder '" + path::parent_path(Path) + "'",
                   E);
  return Error::success();
}

namespace {

/// A file with a temporary name until it is complete.
class Temporary {
  std::string Path, Target;

public:
  explicit Temporary(StringRef Target)
      : Path((Target + ".autoprof-" + llvm::Twine(getpid())).str()),
        Target(Target.str()) {}
  ~Temporary() {
    if (!Path.empty())
      fs::remove(Path);
  }
  const std::string &path() const { return Path; }
  Error finish() {
    if (std::error_code E = fs::rename(Path, Target))
      return failure("cannot write '" + Target + "'", E);
    Path.clear();
    return Error::success();
  }
};

} // namespace

static bool hasText(StringRef Path, StringRef Text) {
  if (fs::is_symlink_file(Path))
    return false;
  auto Buffer = llvm::MemoryBuffer::getFile(Path, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  return Buffer && (*Buffer)->getBuffer() == Text;
}

Error writeFile(StringRef Path, StringRef Text, StringRef ModeOf) {
  llvm::ErrorOr<fs::perms> Mode =
      ModeOf.empty() ? std::error_code() : fs::getPermissions(ModeOf);
  if (hasText(Path, Text))
    return Error::success();
  if (Error E = makeParent(Path))
    return E;
  Temporary New(Path);
  std::error_code Failed;
  llvm::raw_fd_ostream Out(New.path(), Failed);
  if (!Failed) {
    Out << Text;
    Out.close();
    Failed = Out.error();
    Out.clear_error();
  }
  if (Failed)
    return failure("cannot write '" + Path + "'", Failed);
  if (!ModeOf.empty() && Mode)
    fs::setPermissions(New.path(), *Mode);
  return New.finish();
}

Mirror::Mirror(std::string Root, std::string Tree, std::string BuildFolder)
    : Root(std::move(Root)), Tree(std::move(Tree)),
      BuildFolder(std::move(BuildFolder)) {
  while (this->Root.size() > 1 && this->Root.back() == '/')
    this->Root.pop_back();
}

bool Mirror::isLeftOut(StringRef Folder) const {
  static const StringRef Hidden[] = {".git", ".hg", ".svn", "CMakeFiles"};
  if (llvm::is_contained(Hidden, path::filename(Folder)) || Folder == Tree ||
      Folder == BuildFolder)
    return true;
  for (const char *Mark :
       {"/CMakeCache.txt", "/build.ninja", "/" AUTOPROF_MANIFEST})
    if (fs::exists(Folder + Mark))
      return true;
  return false;
}

Error Mirror::scan() {
  Files.clear();
  if (Error E = scan(Root))
    return E;
  llvm::sort(Files);
  for (const std::string &F : Files)
    Known.insert(F);
  return Error::success();
}

Error Mirror::scan(const std::string &Folder) {
  // These are files of a build inside the sources, or of autoprof itself.
  static const StringRef NoSource[] = {
      "CMakeCache.txt", "compile_commands.json", AUTOPROF_MANIFEST};
  std::error_code Failed;
  for (fs::directory_iterator It(Folder, Failed, /*follow_symlinks=*/false),
       End;
       !Failed && It != End; It.increment(Failed)) {
    const std::string &Path = It->path();
    switch (It->type()) {
    case fs::file_type::directory_file:
      if (!isLeftOut(Path))
        if (Error E = scan(Path))
          return E;
      break;
    case fs::file_type::regular_file:
    case fs::file_type::symlink_file:
      if (path::filename(Path) != ".git" &&
          (Folder != Root ||
           !llvm::is_contained(NoSource, path::filename(Path))))
        Files.push_back(Path.substr(Root.size() + 1));
      break;
    default:
      break; // A socket, a pipe, or a device.
    }
  }
  if (Failed)
    return failure("cannot read the folder '" + Folder + "'", Failed);
  return Error::success();
}

bool Mirror::holds(StringRef Path) const {
  return Path.consume_front(Root) && Path.consume_front("/") &&
         Known.contains(Path);
}

std::string Mirror::inTree(StringRef Path) const {
  return Tree + Path.substr(Root.size()).str();
}

Error Mirror::link(const std::string &Target, const std::string &To) const {
  std::error_code Failed;
  if (std::filesystem::read_symlink(To, Failed) == Target)
    return Error::success();
  if (Error E = makeParent(To))
    return E;
  Temporary New(To);
  std::filesystem::create_symlink(Target, New.path(), Failed);
  if (Failed)
    return failure("cannot link '" + To + "'", Failed);
  return New.finish();
}

/// A link within the project becomes one within the tree; others keep their
/// targets.
Error Mirror::writeLink(const std::string &From, const std::string &To) const {
  std::error_code Failed;
  const std::string Target = std::filesystem::read_symlink(From, Failed);
  if (Failed)
    return failure("cannot read the link '" + From + "'", Failed);
  llvm::SmallString<256> Leads(Target);
  makeAbsolute(path::parent_path(From), Leads);
  path::remove_dots(Leads, /*remove_dot_dot=*/true);
  if (!(Leads + "/").str().compare(0, Root.size() + 1, Root + "/"))
    return link(path::is_absolute(Target) ? inTree(Leads) : Target, To);
  return link(Leads.str().str(), To);
}

Error Mirror::copy(const std::string &From, const std::string &To) const {
  fs::file_status Source, Copy;
  if (std::error_code E = fs::status(From, Source))
    return failure("cannot read '" + From + "'", E);
  if (!fs::status(To, Copy, /*follow=*/false) && fs::is_regular_file(Copy) &&
      Source.getSize() == Copy.getSize() &&
      Source.getLastModificationTime() == Copy.getLastModificationTime())
    return Error::success();
  if (Error E = makeParent(To))
    return E;
  Temporary New(To);
  if (std::error_code E = fs::copy_file(From, New.path()))
    return failure("cannot copy '" + From + "' to '" + To + "'", E);
  int Descriptor = -1;
  if (!fs::openFileForWrite(New.path(), Descriptor, fs::CD_OpenExisting,
                            fs::OF_Append)) {
    fs::setLastAccessAndModificationTime(Descriptor,
                                         Source.getLastAccessedTime(),
                                         Source.getLastModificationTime());
    close(Descriptor);
  }
  fs::setPermissions(New.path(), Source.permissions());
  return New.finish();
}

Error Mirror::write(const std::map<std::string, std::string> &Annotated) const {
  for (const std::string &Name : Files) {
    const std::string From = Root + "/" + Name, To = Tree + "/" + Name;
    auto New = Annotated.find(From);
    Error E = New != Annotated.end()      ? writeFile(To, New->second, From)
              : fs::is_symlink_file(From) ? writeLink(From, To)
                                          : copy(From, To);
    if (E)
      return E;
  }
  return Error::success();
}

Error Mirror::removeOthers(llvm::ArrayRef<std::string> Previous) const {
  for (const std::string &Name : Previous) {
    const bool IsOutside = path::is_absolute(Name) ||
                           llvm::is_contained(llvm::split(Name, '/'), "..");
    if (Known.contains(Name) || IsOutside)
      continue;
    if (std::error_code E = fs::remove(Tree + "/" + Name))
      return failure("cannot remove '" + Tree + "/" + Name + "'", E);
    // Also remove folders that are empty now.
    for (StringRef Parent = path::parent_path(Name); !Parent.empty();
         Parent = path::parent_path(Parent))
      if (fs::remove(Tree + "/" + Parent))
        break;
  }
  return Error::success();
}

} // namespace autoprof::tree
