// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `autoprof attach`: asks a program that is being recorded. The other end is
// runtime/control/Listener.cpp.
#include "cli/SubCommands.h"
#include "cli/recorder/OwnProcess.h"
#include "commands/Commands.h"

#include "fields/Fields.h"
#include "runtime/protocol/LiveSocket.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <sys/stat.h>
#include <unistd.h>

using namespace autoprof;
using namespace autoprof::cli;
using namespace autoprof::support;
using fields::Fields;
using fields::writeFields;
using llvm::StringRef;
namespace json = llvm::json;

namespace {

/// The flush thread answers within 0.2 s, unless it writes to a slow disk.
constexpr timeval Patience = {10, 0};

std::string readProc(pid_t Process, StringRef Name) {
  return contentOf("/proc/" + std::to_string(Process) + "/" + Name);
}

/// Processes of this machine that listen, by the kernel's table of sockets.
std::vector<pid_t> listeners() {
  std::vector<pid_t> Result;
  const std::string Table = contentOf("/proc/net/unix");
  llvm::SmallVector<StringRef> Lines;
  StringRef(Table).split(Lines, '\n');
  for (StringRef Line : Lines) {
    size_t Pos = Line.rfind(std::string(" @") + runtime::LiveSocketPrefix);
    pid_t Process;
    if (Pos != StringRef::npos &&
        !Line.rsplit('-').second.getAsInteger(10, Process))
      Result.push_back(Process);
  }
  llvm::sort(Result);
  Result.erase(llvm::unique(Result), Result.end());
  return Result;
}

/// The process that started `Process`; 0: none, or unknown.
pid_t parentOf(pid_t Process) {
  // After the name, which may contain anything: state, parent.
  const std::string Stat = readProc(Process, "stat");
  StringRef Rest = StringRef(Stat).rsplit(')').second.ltrim();
  pid_t Parent = 0;
  Rest.split(' ').second.split(' ').first.getAsInteger(10, Parent);
  return Parent;
}

/// Those that `Process` has started, directly or not: a user who starts
/// `autoprof run` in a shell knows its process ID, not the program's.
std::vector<pid_t> listenersBelow(pid_t Process) {
  std::vector<pid_t> Result;
  for (pid_t Candidate : listeners())
    for (pid_t P = parentOf(Candidate); P > 1; P = parentOf(P))
      if (P == Process) {
        Result.push_back(Candidate);
        break;
      }
  return Result;
}

/// Whether it was started to accept commands.
bool shallListen(pid_t Process) {
  llvm::SmallVector<StringRef> Environment;
  const std::string Bytes = readProc(Process, "environ");
  StringRef(Bytes).split(Environment, '\0');
  return llvm::is_contained(Environment, "AUTOPROF_ATTACH=1") ||
         llvm::is_contained(Environment, "AUTOPROF_CAPTURE=manual");
}

/// Why nobody listens in a process that exists, nor in what it has started.
llvm::Error explainSilence(pid_t Process) {
  const std::string Name = "process " + std::to_string(Process);
  const std::string Children =
      readProc(Process, "task/" + std::to_string(Process) + "/children");
  bool Shall = shallListen(Process);
  llvm::SmallVector<StringRef> Numbers;
  llvm::SplitString(Children, Numbers);
  for (StringRef Number : Numbers) {
    pid_t Child = 0;
    Shall |= !Number.getAsInteger(10, Child) && shallListen(Child);
  }
  if (Shall)
    return llvm::createStringError(
        Name +
        " has neither used CUDA nor hit a probe yet, so there is nothing "
        "to record; try again when it has");
  if (StringRef(readProc(Process, "maps")).contains("/libautoprof.so"))
    return llvm::createStringError(
        Name + " is being recorded but does not accept commands: start it with "
               "'autoprof run --attach'");
  return llvm::createStringError(
      Name + " does not run under autoprof: start it with 'autoprof run "
             "--attach -- PROGRAM'");
}

llvm::Error checkProcess(pid_t Process) {
  const std::string Name = "process " + std::to_string(Process);
  struct stat Status;
  if (stat(("/proc/" + std::to_string(Process)).c_str(), &Status) != 0)
    return llvm::createStringError("there is no " + Name);
  if (geteuid() != 0 && Status.st_uid != geteuid())
    return llvm::createStringError(
        Name + " belongs to another user; only that user and root may attach");
  return llvm::Error::success();
}

class Socket {
  int Descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

public:
  Socket() {
    for (int Way : {SO_RCVTIMEO, SO_SNDTIMEO})
      setsockopt(Descriptor, SOL_SOCKET, Way, &Patience, sizeof Patience);
  }
  Socket(const Socket &) = delete;
  Socket &operator=(const Socket &) = delete;
  ~Socket() { close(Descriptor); }

  bool connect(pid_t Process) {
    sockaddr_un Address;
    socklen_t Size = runtime::liveSocketAddress(Process, Address);
    return ::connect(Descriptor, reinterpret_cast<sockaddr *>(&Address),
                     Size) == 0;
  }

  /// Anyone could have taken the name first.
  bool isHeldBy(pid_t Process) {
    ucred Peer;
    return runtime::readPeer(Descriptor, Peer) && Peer.pid == Process;
  }

  std::string ask(const std::string &Request) {
    std::string Line = Request + "\n", Answer;
    if (send(Descriptor, Line.data(), Line.size(), MSG_NOSIGNAL) < 0)
      return "";
    char Buffer[4096];
    ssize_t Got;
    while ((Got = recv(Descriptor, Buffer, sizeof Buffer, 0)) > 0)
      Answer.append(Buffer, size_t(Got));
    return Answer;
  }
};

/// The process to ask: `Process`, or the one that listens below it.
llvm::Expected<pid_t> findListener(pid_t Process) {
  if (llvm::Error E = checkProcess(Process))
    return std::move(E);
  if (Socket().connect(Process))
    return Process;
  std::vector<pid_t> Below = listenersBelow(Process);
  if (Below.size() == 1)
    return Below.front();
  if (Below.empty())
    return explainSilence(Process);
  std::vector<std::string> Names;
  for (pid_t P : Below)
    Names.push_back(std::to_string(P));
  return llvm::createStringError(
      "process " + std::to_string(Process) +
      " has started several processes that can be controlled: " +
      llvm::join(Names, ", "));
}

/// What a process answers.
struct Status {
  pid_t Process = 0;
  bool Ok = false, Recording = false, CudaReady = true;
  std::string Plan, Mode, Cupti, CuptiReason, Dump;
  std::optional<uint64_t> StepsSeen;
};

void statusFields(Fields &F, Status &S) {
  F.format("autoprof-attach/1", "`--format=json` of `autoprof attach PID`: the "
                                "state of the process after the order.");
  F.field("ok",
          "true; a process that cannot be asked is an error on stderr, and "
          "exit code 2",
          S.Ok);
  F.field("pid", "the process", int64_t(S.Process)); // Only we know it.
  F.field("recording", "whether it is being recorded now", S.Recording);
  F.field("plan", "which part of the run was asked for when it was started",
          S.Plan);
  F.choice("mode", "how it is recorded", S.Mode, {"full", "light", "nvtx"});
  F.choice("cupti", "whether the GPU's work can be recorded, or why not",
           S.Cupti, {"ok", "missing", "busy", "refused", "off"});
  F.text("cupti_reason", "one sentence; null when `cupti` is `ok`",
         S.CuptiReason);
  F.text("dump", "the file that `dump` wrote; null: none", S.Dump);
  F.field("cuda_ready", "whether it has used CUDA", S.CudaReady);
  F.field("steps_seen", "steps so far; null: not counted", S.StepsSeen);
}

llvm::Expected<Status> ask(pid_t Process, const std::string &Request) {
  const std::string Name = "process " + std::to_string(Process);
  Socket S;
  if (!S.connect(Process))
    return llvm::createStringError(Name + " has just ended");
  if (!S.isHeldBy(Process))
    return llvm::createStringError("another process answers in the name of " +
                                   Name + "; nothing was asked");
  llvm::Expected<json::Value> Answer = json::parse(S.ask(Request));
  const json::Object *O = Answer ? Answer->getAsObject() : nullptr;
  if (!O) {
    llvm::consumeError(Answer.takeError());
    return llvm::createStringError(Name +
                                   " does not answer: it may be stopped, "
                                   "or just ending");
  }
  Status Result;
  Fields F(*O);
  statusFields(F, Result);
  Result.Process = Process;
  if (!Result.Ok)
    return llvm::createStringError(
        Name + ": " + O->getString("error").value_or("refused").str());
  return Result;
}

/// "process 42 is being recorded (manual)".
void print(llvm::raw_ostream &Out, const Status &S) {
  if (!S.Dump.empty()) {
    Out << "process " << S.Process << " wrote " << S.Dump << '\n';
    return;
  }
  Out << "process " << S.Process << " is " << (S.Recording ? "" : "not ")
      << "being recorded (mode " << S.Mode << ", planned: " << S.Plan << ")\n";
  if (!S.CudaReady)
    Out << "it has not used CUDA yet\n";
  else if (S.Cupti != "ok" && !S.CuptiReason.empty())
    Out << "without GPU work: " << S.CuptiReason << '\n';
  if (S.StepsSeen.value_or(0))
    Out << "steps so far: " << *S.StepsSeen << '\n';
}

int list() {
  size_t Found = 0;
  for (pid_t Process : listeners()) {
    if (llvm::Error E = checkProcess(Process)) {
      llvm::consumeError(std::move(E));
      continue;
    }
    std::string Command = readProc(Process, "cmdline");
    std::replace(Command.begin(), Command.end(), '\0', ' ');
    llvm::outs() << Process << ' ' << StringRef(Command).rtrim() << '\n';
    ++Found;
  }
  if (!Found)
    return fail("no process of yours can be attached to: start one with "
                "'autoprof run --attach -- PROGRAM'");
  return Fine;
}

int attach(Arguments &A) {
  std::string Format = A.get("format", "text");
  if (A.Positional.empty())
    return list();
  const StringRef Words[] = {"start", "stop", "status", "dump"};
  const std::string Word = A.Positional.size() > 1 ? A.Positional[1] : "status";
  if (A.Positional.size() > 2)
    return failUsage(AttachCommand, "attach takes a process id and one word");
  if (!llvm::is_contained(Words, Word))
    return failUsage(AttachCommand,
                     "attach takes start, stop, status or dump, not '" + Word +
                         "'" + suggestion(Word, Words));
  pid_t Process;
  if (StringRef(A.Positional[0]).getAsInteger(10, Process) || Process <= 0)
    return failUsage(AttachCommand,
                     "'" + A.Positional[0] + "' is not a process id");
  llvm::Expected<pid_t> Listener = findListener(Process);
  if (!Listener)
    return fail(Listener.takeError());
  llvm::Expected<Status> Answer = ask(*Listener, Word);
  if (!Answer)
    return fail(Answer.takeError());
  if (Format == "json")
    writeFields(llvm::outs(), [&](Fields &F) { statusFields(F, *Answer); });
  else
    print(llvm::outs(), *Answer);
  return Fine;
}

} // namespace

void cli::describeAttach(llvm::raw_ostream &Out) {
  Status Any;
  Fields::describe(Out, [&](Fields &F) { statusFields(F, Any); });
}

const Command cli::AttachCommand = {commands::Attach, nullptr, attach};
