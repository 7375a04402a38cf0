// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The command that autoprof-nvcc runs: it writes the rewritten text of all
// files of one command, the list for libautoprof-substitute.so, and the path of
// the project's configuration ("" for none). Not intended for users.
#include "compilation/PrecompiledPrelude.h"
#include "compilation/Prelude.h"
#include "compilation/SubstituteCodes.h"
#include "config/Config.h"
#include "source-cli/Inputs.h"
#include "source-cli/SubCommands.h"
#include "source/SeparateParse.h"
#include "source/project/Options.h"
#include "tree/Mirror.h"

#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <map>
#include <sys/stat.h>

using namespace autoprof;
using namespace autoprof::sources;
using llvm::Error;
using llvm::StringRef;
namespace fs = llvm::sys::fs;

namespace {

/// "DEVICE INODE" of the file as stat shows it.
llvm::Expected<std::string> identity(StringRef Path) {
  struct stat Status;
  if (stat(Path.str().c_str(), &Status))
    return llvm::errorCodeToError(llvm::errnoAsErrorCode());
  return std::to_string(Status.st_dev) + " " + std::to_string(Status.st_ino);
}

class MakeSubstitutes : public SourceTask {
public:
  MakeSubstitutes(std::string Folder, source::RewriteOptions Options)
      : Folder(std::move(Folder)), Options(std::move(Options)) {}

  llvm::Expected<Reading> work(const Unit &U,
                               clang::CompilerInstance &CI) override;
  void collect(const Unit &U, Outcome O) override;

  /// Returns the list, or an error if one file of the command cannot be
  /// rewritten.
  llvm::Expected<std::string> list() const;

private:
  llvm::Expected<source::Rewriting>
  rewrite(const Unit &U, clang::CompilerInstance &CI, source::Loss &Lost) const;

  const std::string Folder;
  const source::RewriteOptions Options;
  std::map<std::string, std::string> Substitutes; ///< Indexed by identity.
  std::string Problem;                            ///< The first problem.
};

/// Whether the command switches the probes of an annotated tree on, as
/// autoprof/annotated.h decides: -DAUTOPROF=1.
bool hasAnnotationsOn(const clang::CompilerInstance &CI) {
  bool Result = false;
  for (const auto &[Macro, IsUndefined] : CI.getPreprocessorOpts().Macros) {
    const auto [Name, Value] = StringRef(Macro).split('=');
    if (Name == "AUTOPROF")
      Result = !IsUndefined && Value != "0";
  }
  return Result;
}

llvm::Expected<source::Rewriting>
MakeSubstitutes::rewrite(const Unit &U, clang::CompilerInstance &CI,
                         source::Loss &Lost) const {
  if (!hasAnnotationsOn(CI))
    if (auto Text = llvm::MemoryBuffer::getFile(U.File);
        Text && source::isAnnotated((*Text)->getBuffer()))
      return llvm::createStringError("it is part of an annotated tree, whose "
                                     "probes are switched on by -DAUTOPROF=1");
  llvm::Expected<source::Rewriting> R =
      source::rewriteIntact(CI, Options, Lost);
  if (!R)
    return llvm::createStringError("clang cannot read it: " +
                                   llvm::toString(R.takeError()));
  if (R->AtRisk)
    if (const std::string Reason = source::newError(*R, CI, Options);
        !Reason.empty())
      return llvm::createStringError("probes would break it (" + Reason +
                                     "); please report this with the file");
  return R;
}

/// Writes the texts, and returns their lines of the list.
llvm::Expected<Reading> MakeSubstitutes::work(const Unit &U,
                                              clang::CompilerInstance &CI) {
  Reading Result;
  PrecompiledPrelude Prelude(CI);
  llvm::Expected<source::Rewriting> R = rewrite(U, CI, Result.Lost);
  if (Prelude.isUsed() && (!R || Result.Lost.Errors)) {
    // The precompiled file may be older than a header. Only errors with the
    // headers themselves count.
    llvm::consumeError(R.takeError());
    Prelude.restore();
    R = rewrite(U, CI, Result.Lost);
    if (R && !Result.Lost.Errors)
      Prelude.remove();
  }
  if (!R)
    return R.takeError();
  restoreSpelling(*R);
  for (const source::EditedFile &F : R->Files) {
    llvm::SmallString<256> Path;
    fs::createUniquePath(Folder + "/%%%%%%%%%%%%", Path, /*MakeAbsolute=*/true);
    if (Error E = tree::writeFile(Path, F.rewritten()))
      return std::move(E);
    llvm::Expected<std::string> Id = identity(F.File.getName());
    if (!Id)
      return Id.takeError();
    Result.Bytes += *Id + " " + Path.str().str() + "\n";
  }
  return Result;
}

void MakeSubstitutes::collect(const Unit &U, Outcome O) {
  if (!O.isRead()) {
    if (Problem.empty())
      Problem = O.Error;
    return;
  }
  llvm::SmallVector<StringRef> Lines;
  StringRef(O.Read.Bytes).split(Lines, '\n', -1, /*KeepEmpty=*/false);
  for (StringRef Line : Lines) {
    auto [Id, Path] = Line.rsplit(' ');
    auto [It, IsNew] = Substitutes.try_emplace(Id.str(), Path.str());
    if (IsNew)
      continue;
    auto One = llvm::MemoryBuffer::getFile(It->second);
    auto Other = llvm::MemoryBuffer::getFile(Path);
    if (!One || !Other || (*One)->getBuffer() != (*Other)->getBuffer())
      Problem = "its command compiles several files, which need different "
                "probes in a header they share; compile them one by one";
  }
}

llvm::Expected<std::string> MakeSubstitutes::list() const {
  if (!Problem.empty())
    return llvm::createStringError(Problem);
  std::string Text;
  for (const auto &[Id, Path] : Substitutes)
    Text += Id + " " + Path + "\n";
  if (Text.size() > 64 * 1024)
    return llvm::createStringError("it has probes in more headers than the "
                                   "list for nvcc can hold");
  return Text;
}

const support::Option Options[] = {{"into", 0, "FOLDER", "for the texts"},
                                   {"probe-header", 0, "FILE", "probe.h"}};
const support::Manual Substitute = {
    "substitute",
    "for autoprof-nvcc",
    "autoprof-source substitute --into=FOLDER --probe-header=FILE -- COMMAND",
    "A part of autoprof-nvcc.",
    Options,
    nullptr,
    nullptr};

int runSubstitute(llvm::ArrayRef<StringRef> Args) {
  llvm::Expected<Inputs> Input = readInputs(Args, Substitute);
  if (!Input)
    return support::fail(Input.takeError());
  source::RewriteOptions Options;
  const StringRef Project =
      llvm::sys::path::parent_path(Input->Units.front().File);
  llvm::Expected<Config> Chosen = loadConfig(Project);
  if (!Chosen) {
    support::fail(Chosen.takeError());
    return BadConfiguration;
  }
  static_cast<Config &>(Options) = std::move(*Chosen);
  Options.ProbeHeader = Input->Options.get("probe-header");
  Options.LeaveAnnotated = true;
  const std::string Folder = Input->Options.get("into");
  llvm::erase_if(Input->Units, [](const Unit &U) { return U.IsC; });
  MakeSubstitutes Task(Folder, Options);
  sources::run(Task, Input->Units, Input->Run);
  llvm::Expected<std::string> List = Task.list();
  if (!List)
    return support::fail(List.takeError());
  if (Error E = llvm::joinErrors(
          tree::writeFile(Folder + "/list", *List),
          tree::writeFile(Folder + "/configuration", findConfigFile(Project))))
    return support::fail(std::move(E));
  return support::Fine;
}

} // namespace

const support::Command sources::SubstituteCommand = {Substitute, runSubstitute};
