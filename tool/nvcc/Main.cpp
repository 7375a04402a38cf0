// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// bin/autoprof-nvcc.
// Runs in front of nvcc, or in its place, and makes it compile the rewritten
// text (Substitute.cpp explains how). A build must never fail because of it, so
// if anything goes wrong, the command runs as it was given, with one warning.
// The exception is a mistake in the project's `.autoprof`, which is an error.
// For the same reason it needs only the C library itself; clang is in
// autoprof-source, which it starts.
#include "commands/Commands.h"
#include "compilation/Launchers.h"
#include "compilation/NvccArgs.h"
#include "compilation/SubstituteCodes.h"
#include "support/Command.h"
#include "support/Launch.h"
#include "support/Paths.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

using namespace autoprof;
using llvm::StringRef;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

namespace {

using Words = std::vector<std::string>;

/// Handles its own options, unless it is called under nvcc's name: a query to
/// nvcc must get nvcc's answer.
std::optional<int> answerOwnOption(StringRef Name, Words &Args) {
  if (path::filename(Name) == "nvcc" || Args.size() != 1)
    return std::nullopt;
  if (Args[0] == "--help" || Args[0] == "-h") {
    commands::printHelp(llvm::outs(), commands::Nvcc);
    return support::finishOutput(support::Fine);
  }
  if (Args[0] == "--nvcc-help")
    Args[0] = "--help";
  return std::nullopt;
}

/// The command with nvcc's name added.
Words commandOf(llvm::ArrayRef<std::string> Args) {
  Words Command(Args);
  StringRef First = Args[0];
  if (First.starts_with("-") || First.starts_with("@") ||
      llvm::is_contained({".cu", ".cpp", ".cc", ".cxx", ".c", ".o", ".a"},
                         path::extension(First)))
    Command.insert(Command.begin(), "nvcc");
  return Command;
}

/// PATH may contain a folder where this program is called nvcc, for builds that
/// cannot use another name (docs/nvcc.md). Programs started from here must find
/// the real one.
void leavePath() {
  const char *Path = std::getenv("PATH");
  llvm::SmallVector<StringRef> Folders;
  StringRef(Path ? Path : "").split(Folders, ':');
  llvm::erase_if(Folders, [](StringRef Folder) {
    bool IsThis = false;
    return !fs::equivalent(Folder + "/nvcc", "/proc/self/exe", IsThis) &&
           IsThis;
  });
  if (Path)
    setenv("PATH", llvm::join(Folders, ":").c_str(), /*overwrite=*/1);
}

/// The position of the compiler in `Command`.
size_t compilerIn(const Words &Command) {
  return Command.size() - sources::withoutLaunchers(Command).size();
}

bool isDisabled() {
  const char *Value = std::getenv("AUTOPROF_DISABLE");
  return Value && *Value && StringRef(Value) != "0";
}

/// A command that makes host code from a source.
struct Compilation {
  std::string Source; ///< As written, for messages.
  bool WritesDependencies = false;
  StringRef Refusal; ///< Why it is not for us; or "".
};

std::optional<Compilation> compilationOf(const Words &Command) {
  llvm::ArrayRef<std::string> Rest = sources::withoutLaunchers(Command);
  if (path::filename(Rest[0]) != "nvcc")
    return std::nullopt;
  auto Nvcc = sources::readNvcc(Rest.drop_front(), ".");
  if (!Nvcc) {
    llvm::consumeError(Nvcc.takeError()); // nvcc will report it.
    return std::nullopt;
  }
  if (Nvcc->CompilesNothing || Nvcc->DeviceOnly)
    return std::nullopt;
  const StringRef Refusal =
      Nvcc->RunsProgram ? "-run starts the program, too; start it yourself"
      : llvm::is_contained(Nvcc->Inputs, "-") ? "it is read from standard input"
                                              : "";
  for (const std::string &Input : Nvcc->Inputs)
    if (Nvcc->isCuda(Input) ||
        llvm::is_contained({".cpp", ".cc", ".cxx", ".C", ".c++"},
                           path::extension(Input)))
      return Compilation{Input, Nvcc->WritesDependencies, Refusal};
  return std::nullopt;
}

int runPlain(const Words &Command) {
  llvm::Expected<std::string> Program = support::findProgram(Command[0]);
  if (!Program)
    return support::fail(Program.takeError());
  std::vector<char *> Pointers;
  for (const std::string &Word : Command)
    Pointers.push_back(const_cast<char *>(Word.c_str()));
  Pointers.push_back(nullptr);
  execv(Program->c_str(), Pointers.data());
  return support::fail("cannot run '" + *Program +
                       "': " + std::strerror(errno));
}

/// Runs `Command` with its output in `Folder`/out and `Folder`/err.
llvm::Expected<int> launchQuietly(const Words &Command, StringRef Folder) {
  llvm::Expected<std::string> Program = support::findProgram(Command[0]);
  if (!Program)
    return Program.takeError();
  const int Streams[] = {STDOUT_FILENO, STDERR_FILENO};
  const char *const Names[] = {"/out", "/err"};
  int Saved[2];
  for (int I : {0, 1}) {
    Saved[I] = fcntl(Streams[I], F_DUPFD_CLOEXEC, 3);
    const int File = open((Folder + Names[I]).str().c_str(),
                          O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0600);
    dup2(File, Streams[I]);
    close(File);
  }
  llvm::Expected<int> Code = support::launch(*Program, Command);
  for (int I : {0, 1}) {
    dup2(Saved[I], Streams[I]);
    close(Saved[I]);
  }
  return Code;
}

std::string contents(const llvm::Twine &Path) {
  auto Text = llvm::MemoryBuffer::getFile(Path);
  return Text ? (*Text)->getBuffer().str() : "";
}

/// The files that autoprof-source wrote for a command.
struct Substitutes {
  std::string List;          ///< Path of the list for the preloaded library.
  std::string Configuration; ///< The project's file, or "".
  bool HasProbes = false;
  bool IsMisconfigured = false; ///< The reason is in `Folder`/err.
};

llvm::Expected<Substitutes>
makeSubstitutes(const Words &Command, StringRef Folder, StringRef Header) {
  const std::string Reader = support::installed("autoprof-source");
  if (!fs::exists(Reader))
    return llvm::createStringError("'" + Reader + "' is missing");
  Words Request = {Reader, "substitute", "--into=" + Folder.str(),
                   "--probe-header=" + Header.str(), "--"};
  llvm::append_range(Request, Command);
  llvm::Expected<int> Code = launchQuietly(Request, Folder);
  if (!Code)
    return Code.takeError();
  if (*Code == sources::BadConfiguration) {
    Substitutes Result;
    Result.IsMisconfigured = true;
    return Result;
  }
  if (*Code != 0) {
    const std::string Said = contents(Folder + "/err");
    StringRef Reason = StringRef(Said).trim();
    Reason.consume_front("autoprof: ");
    return llvm::createStringError(Reason.empty() ? "autoprof-source crashed"
                                                  : Reason);
  }
  Substitutes Result{(Folder + "/list").str(),
                     contents(Folder + "/configuration")};
  Result.HasProbes = !contents(Result.List).empty();
  return Result;
}

/// The configuration determines what is compiled, so it belongs in dependency
/// files. The compiler lists the files that it includes; it includes this one
/// with an empty text. nvcc has no way to write a path with a comma.
void includeConfiguration(const Substitutes &S, StringRef Folder,
                          Words &Options) {
  fs::file_status Status;
  std::error_code Failure = fs::status(S.Configuration, Status);
  const std::string Empty = (Folder + "/empty").str();
  llvm::raw_fd_ostream(Empty, Failure).close();
  llvm::raw_fd_ostream List(S.List, Failure, fs::OF_Append);
  if (Failure)
    return;
  const fs::UniqueID Id = Status.getUniqueID();
  List << Id.getDevice() << ' ' << Id.getFile() << ' ' << Empty << '\n';
  Options.insert(Options.end(), {"-include", S.Configuration});
}

/// A value that differs if any of the texts does, with which caches of compiler
/// output distinguish them.
std::string fingerprint(StringRef List) {
  std::string All;
  llvm::SmallVector<StringRef> Lines;
  const std::string Text = contents(List);
  StringRef(Text).split(Lines, '\n', -1, /*KeepEmpty=*/false);
  for (StringRef Line : Lines)
    All += contents(Line.rsplit(' ').second);
  return llvm::utohexstr(llvm::xxh3_64bits(All), /*LowerCase=*/true);
}

/// Runs nvcc with the rewritten texts in place of the originals, quietly.
llvm::Expected<int> launchSubstituted(const Words &Command, StringRef Library,
                                      StringRef List, StringRef Folder) {
  const char *Preloaded = std::getenv("LD_PRELOAD");
  const std::string Before = Preloaded ? Preloaded : "";
  support::preload(Library);
  setenv("AUTOPROF_SUBSTITUTES", List.str().c_str(), /*overwrite=*/1);
  llvm::Expected<int> Code = launchQuietly(Command, Folder);
  unsetenv("AUTOPROF_SUBSTITUTES");
  if (Before.empty())
    unsetenv("LD_PRELOAD");
  else
    setenv("LD_PRELOAD", Before.c_str(), 1);
  return Code;
}

/// The result of a command: nvcc has run, and its output is in the folder.
struct Compiled {
  int Code;                     ///< nvcc's exit code.
  std::string WhyWithoutProbes; ///< "": it has probes, or needs none.
};

/// Compiles with probes. Returns none if there are no probes, and an error if
/// it fails; in both cases the command must be run as it was given.
llvm::Expected<std::optional<Compiled>>
compile(const Words &Command, const Compilation &Job, StringRef Folder) {
  const std::string Header = support::installed("../include/autoprof/probe.h");
  const std::string Library =
      support::installed("../lib/libautoprof-substitute.so");
  if (!fs::exists(Header) || !fs::exists(Library))
    return llvm::createStringError("a part of autoprof is missing: '" +
                                   (fs::exists(Header) ? Library : Header) +
                                   "'");
  if (StringRef(Library).find_first_of(" :") != StringRef::npos)
    return llvm::createStringError("autoprof's own path, '" + Library +
                                   "', contains a space or a colon");
  llvm::Expected<Substitutes> Texts = makeSubstitutes(Command, Folder, Header);
  if (!Texts)
    return Texts.takeError();
  if (Texts->IsMisconfigured)
    return Compiled{support::Failure, ""};
  Words Options;
  if (Texts->HasProbes)
    Options = {"-include", Header,
               "-DAUTOPROF_TEXT_FINGERPRINT=0x" + fingerprint(Texts->List)};
  if (Job.WritesDependencies && !Texts->Configuration.empty() &&
      !StringRef(Texts->Configuration).contains(','))
    includeConfiguration(*Texts, Folder, Options);
  if (Options.empty())
    return std::nullopt;
  Words Instrumented = Command;
  Instrumented.insert(Instrumented.begin() + compilerIn(Command) + 1,
                      Options.begin(), Options.end());
  llvm::Expected<int> Code =
      launchSubstituted(Instrumented, Library, Texts->List, Folder);
  if (!Code)
    return Code.takeError();
  if (*Code != 0) {
    // A signal ended it: the user does not want nvcc to run again.
    if (*Code > 128 || StringRef(contents(Folder + "/err"))
                           .contains("Compilation terminated."))
      return Compiled{*Code, ""};
    if (Texts->HasProbes)
      return llvm::createStringError("nvcc rejects it with probes");
    return std::nullopt;
  }
  if (Texts->HasProbes && !fs::exists(Folder + "/used"))
    return Compiled{0, "the compiler did not read the rewritten text (does it "
                       "run on another machine?)"};
  return Compiled{0, ""};
}

void warnOfMissingProbes(const Compilation &Job, llvm::Twine Reason) {
  llvm::errs() << "autoprof: warning: " << Job.Source
               << " is compiled without probes: " << Reason << '\n';
}

int runPlainAndWarn(const Words &Command, const Compilation &Job,
                    StringRef Reason) {
  llvm::Expected<std::string> Program = support::findProgram(Command[0]);
  if (!Program)
    return support::fail(Program.takeError());
  llvm::Expected<int> Code = support::launch(*Program, Command);
  if (!Code)
    return support::fail(Code.takeError());
  // If the user's source has errors, they should see only those.
  if (*Code == 0)
    warnOfMissingProbes(Job, Reason);
  return *Code;
}

int instrument(const Words &Command, const Compilation &Job) {
  llvm::SmallString<128> Folder;
  if (fs::createUniqueDirectory("autoprof-nvcc", Folder))
    return runPlain(Command);
  llvm::Expected<std::optional<Compiled>> Result =
      compile(Command, Job, Folder);
  const std::string Out = contents(Folder + "/out");
  const std::string Err = contents(Folder + "/err");
  fs::remove_directories(Folder);
  if (!Result)
    return runPlainAndWarn(Command, Job, llvm::toString(Result.takeError()));
  if (!*Result)
    return runPlain(Command);
  llvm::outs() << Out;
  llvm::errs() << Err;
  if (const std::string &Reason = (*Result)->WhyWithoutProbes; !Reason.empty())
    warnOfMissingProbes(Job, Reason);
  return support::finishOutput((*Result)->Code);
}

/// For a command that a cache of compiler output starts and whose result it
/// stores.
int runBelowCache(const Words &Command, const Compilation &Job,
                  StringRef Cache) {
  warnOfMissingProbes(Job, Cache +
                               " would not notice changed probes; use "
                               "'autoprof-nvcc " +
                               Cache + " nvcc', not '" + Cache +
                               " autoprof-nvcc'");
  return runPlain(Command);
}

//===-- Caches of compiler output -----------------------------------------===//
//
// Those that start autoprof-nvcc as if it were a compiler identify an object by
// its command and its source, and not by the other inputs that decide where
// probes are (.autoprof, the environment, autoprof itself), so they would
// return stale objects. In `autoprof-nvcc ccache nvcc ...` they see the
// rewritten text, and are correct.

/// The name of the cache that started this process and would cache its output,
/// or "".
std::string cacheAbove() {
  llvm::SmallString<256> Program;
  if (llvm::sys::fs::real_path("/proc/" + llvm::Twine(getppid()) + "/exe",
                               Program))
    return "";
  const StringRef Name = llvm::sys::path::filename(Program);
  for (StringRef Cache : {"ccache", "sccache", "buildcache"})
    if (Name.starts_with(Cache))
      return Cache.str();
  return "";
}

/// Whether ccache decided not to cache the output of this process, and exec'ed
/// it.
bool isLeftToUsByCcache() {
  // ccache sets this for everything that it starts.
  return std::getenv("UNCACHED_ERR_FD") && cacheAbove().empty();
}

} // namespace

int main(int argc, char **argv) {
  Words Args(argv + 1, argv + argc);
  if (Args.empty()) {
    commands::printHelp(llvm::errs(), commands::Nvcc);
    return support::Failure;
  }
  if (std::optional<int> Code = answerOwnOption(argv[0], Args))
    return *Code;
  leavePath();
  const Words Command = commandOf(Args);
  const std::string Cache = cacheAbove();
  // ccache assumes that the preprocessed source determines the object. Without
  // it, ccache leaves the whole command to us.
  if (Cache == "ccache" && llvm::is_contained(Command, "-E"))
    return support::Failure;
  const std::optional<Compilation> Job = compilationOf(Command);
  if (isDisabled() || !Job)
    return runPlain(Command);
  if (!Job->Refusal.empty()) {
    warnOfMissingProbes(*Job, Job->Refusal);
    return runPlain(Command);
  }
  if (!Cache.empty())
    return runBelowCache(Command, *Job, Cache);
  if (isLeftToUsByCcache())
    llvm::errs() << "autoprof: warning: " << Job->Source
                 << " is not cached: use 'autoprof-nvcc ccache nvcc', not "
                    "'ccache autoprof-nvcc'\n";
  return instrument(Command, *Job);
}
