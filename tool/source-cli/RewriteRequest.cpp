// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source-cli/RewriteRequest.h"

#include "source-cli/SourceFiles.h"

#include "commands/Commands.h"
#include "source/sites/Experiments.h"
#include "tree/Manifest.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Regex.h"

using llvm::Error;
using llvm::StringRef;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

namespace autoprof::sources {

namespace {

/// Resolves links as far as the path exists.
std::string resolved(StringRef Path) {
  llvm::SmallString<256> Absolute(Path), Real;
  fs::make_absolute(Absolute);
  path::remove_dots(Absolute, /*remove_dot_dot=*/true);
  StringRef Above = Absolute, Below;
  while (fs::real_path(Above, Real) && path::has_parent_path(Above))
    Above = path::parent_path(Above);
  Below = Absolute.str().substr(Above.size());
  return (Real + Below).str();
}

Error readRegex(const support::Arguments &A, StringRef Name,
                std::optional<std::string> &Target) {
  if (!A.has(Name))
    return Error::success();
  Target = A.get(Name);
  std::string Reason;
  if (!llvm::Regex(*Target).isValid(Reason))
    return llvm::createStringError("'" + *Target + "' of --" + Name +
                                   " is not a regular expression: " + Reason);
  return Error::success();
}

/// Reads the project's file, and the keys that the command line has on their
/// own.
Error readConfig(const support::Arguments &A, RewriteRequest &R) {
  if (R.Input.Units.empty())
    return Error::success();
  llvm::Expected<Config> Project =
      loadConfig(path::parent_path(resolved(R.Input.Units.front().File)));
  if (!Project)
    return Project.takeError();
  static_cast<Config &>(R.Options) = std::move(*Project);
  for (const char *Name : {"exclude-files", "include-functions",
                           "exclude-functions", "min-statements", "step"})
    if (A.has(Name))
      if (Error E = setConfig(*findConfigKey(Name), A.get(Name), R.Options))
        return E;
  if (!A.has("postpone"))
    return Error::success();
  return source::parseSiteNames(A.get("postpone")).moveInto(R.Options.Postpone);
}

Error readMode(const support::Arguments &A, RewriteRequest &R) {
  const int Modes = A.has("output") + A.has("diff") + A.has("in-place");
  if (Modes != 1)
    return llvm::createStringError(
        Modes ? "-o, --diff and --in-place exclude each other"
              : "say where the annotated tree goes with -o DIR, or give --diff "
                "to see what would change");
  R.Mode = A.has("output") ? RewriteRequest::Tree
           : A.has("diff") ? RewriteRequest::Diff
                           : RewriteRequest::InPlace;
  R.Symlinks = A.has("symlink");
  R.Force = A.has("force");
  R.Options.Verify = A.has("verify");
  if (R.Symlinks && R.Mode != RewriteRequest::Tree)
    return llvm::createStringError("--symlink needs -o DIR");
  if (R.Force && R.Mode != RewriteRequest::InPlace)
    return llvm::createStringError("--force needs --in-place");
  const std::string Format = A.get("format", "text"),
                    Ranges = A.get("ranges", R.Options.Ranges ? "on" : "off");
  R.Json = Format == "json";
  R.Options.Ranges = Ranges == "on";
  if (R.Json && R.Mode == RewriteRequest::Diff)
    return llvm::createStringError("--diff prints a diff; leave out --format");
  return Error::success();
}

llvm::Expected<std::string> findRoot(const RewriteRequest &R) {
  const support::Arguments &A = R.Input.Options;
  if (A.has("root")) {
    if (!fs::is_directory(A.get("root")))
      return llvm::createStringError("'" + A.get("root") +
                                     "' of --root is not a folder");
    return resolved(A.get("root"));
  }
  if (R.Options.Root)
    return resolved(*R.Options.Root);
  const std::string First = resolved(R.Input.Units.front().File);
  const StringRef Folder = path::parent_path(First);
  const StringRef Start = R.Input.Units.front().Directory;
  if (std::string Root = source::Project::findKnownRoot(Folder, Start);
      !Root.empty())
    return resolved(Root);
  if (std::string CMake =
          source::Project::cmakeSource(path::parent_path(R.Database));
      !R.Database.empty() && !CMake.empty())
    return resolved(CMake);
  // A folder that the user names is the project.
  const std::vector<std::string> &Given = A.Positional;
  if (Given.size() == 1 && fs::is_directory(Given.front()))
    return resolved(Given.front());
  // If nothing is copied, a guess is good enough.
  if (R.Mode == RewriteRequest::Diff)
    return resolved(source::Project::findRoot(Folder, Start));
  return llvm::createStringError(
      "cannot tell where the project of '" + First +
      "' begins: no folder above it has .git or .autoprof; name it with "
      "--root=DIR");
}

bool isBelow(StringRef Path, StringRef Folder) {
  return Path.consume_front(Folder) &&
         (Path.empty() || Folder.ends_with("/") || Path[0] == '/');
}

bool isEmptyFolder(StringRef Folder) {
  std::error_code Failed;
  return fs::directory_iterator(Folder, Failed) == fs::directory_iterator();
}

Error checkOutput(const RewriteRequest &R) {
  StringRef Out = R.Output;
  if (isBelow(*R.Options.Root, Out))
    return llvm::createStringError(
        "'" + Out +
        "' of -o holds the project; name another folder, or give "
        "--in-place to change the sources themselves");
  if (fs::exists(Out) && !fs::is_directory(Out))
    return llvm::createStringError("'" + Out + "' of -o is not a folder");
  if (fs::exists(Out) && !isEmptyFolder(Out) &&
      !fs::exists(Out + "/" AUTOPROF_MANIFEST))
    return llvm::createStringError(
        "the folder '" + Out +
        "' has files that autoprof did not write; name an empty or new folder "
        "with -o");
  return Error::success();
}

/// Drops the units whose main file is excluded.
void excludeUnits(RewriteRequest &R) {
  if (!R.Options.Exclude)
    return;
  const llvm::Regex Exclude(*R.Options.Exclude);
  llvm::erase_if(R.Input.Units, [&](const Unit &U) {
    return Exclude.match(resolved(U.File));
  });
}

} // namespace

llvm::Expected<RewriteRequest> readRequest(llvm::ArrayRef<StringRef> Args) {
  RewriteRequest R;
  llvm::Expected<Inputs> Input = readInputs(Args, commands::Rewrite);
  if (!Input)
    return Input.takeError();
  R.Input = std::move(*Input);
  const support::Arguments &A = R.Input.Options;
  if (Error E = readConfig(A, R))
    return std::move(E);
  if (Error E = readMode(A, R))
    return std::move(E);
  if (Error E = readRegex(A, "header-filter", R.Options.HeaderFilter))
    return std::move(E);
  if (Error E = readRegex(A, "exclude", R.Options.Exclude))
    return std::move(E);
  excludeUnits(R);
  if (R.Input.Units.empty())
    return llvm::createStringError("there is no source file to rewrite");
  if (!R.Input.Databases.empty())
    R.Database = resolved(R.Input.Databases.front());
  llvm::Expected<std::string> Root = findRoot(R);
  if (!Root)
    return Root.takeError();
  R.Options.Root = *Root;
  R.Options.Table = false;
  R.Input.Run.Verb = "Rewriting";
  if (R.Mode == RewriteRequest::Tree) {
    R.Output = resolved(A.get("output"));
    if (Error E = checkOutput(R))
      return std::move(E);
  }
  return R;
}

} // namespace autoprof::sources
