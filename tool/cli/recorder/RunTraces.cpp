// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/recorder/RunTraces.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <fnmatch.h>
#include <utility>

using namespace autoprof;
using namespace autoprof::cli;
using llvm::StringRef;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

bool cli::isPattern(StringRef Output) {
  return path::filename(Output).contains('%');
}

std::vector<std::string> cli::patternsOf(StringRef Output) {
  std::string Escaped;
  for (StringRef Rest = path::filename(Output); !Rest.empty();) {
    size_t Close = Rest.starts_with("%q{") ? Rest.find('}') : StringRef::npos;
    bool Varies = Rest.starts_with("%p") || Rest.starts_with("%h") ||
                  Close != StringRef::npos;
    if (Varies) {
      Escaped += '*';
      Rest = Rest.drop_front(Close == StringRef::npos ? 2 : Close + 1);
      continue;
    }
    if (StringRef("*?[\\").contains(Rest[0]))
      Escaped += '\\';
    Escaped += Rest[0];
    Rest = Rest.drop_front(Rest.starts_with("%%") ? 2 : 1);
  }
  StringRef Extension = path::extension(Escaped);
  std::string Stem = StringRef(Escaped).drop_back(Extension.size()).str();
  return {Escaped, Stem + ".[0-9]*" + Extension.str()};
}

std::vector<std::string>
cli::findTraces(StringRef Output, const std::vector<std::string> &Patterns,
                llvm::sys::TimePoint<> Start) {
  std::vector<std::string> Found;
  std::error_code E;
  for (fs::directory_iterator It(path::parent_path(Output), E), End;
       !E && It != End; It.increment(E)) {
    std::string Name = path::filename(It->path()).str();
    fs::file_status Status;
    bool Matches = llvm::any_of(Patterns, [&](const std::string &P) {
      return !fnmatch(P.c_str(), Name.c_str(), FNM_PERIOD);
    });
    if (Matches && !fs::status(It->path(), Status) &&
        fs::is_regular_file(Status) &&
        Status.getLastModificationTime() >= Start &&
        (Status.getSize() || It->path() == Output) &&
        trace::isReplaceable(It->path()))
      Found.push_back(It->path());
  }
  llvm::sort(Found, [Output](const std::string &A, const std::string &B) {
    return std::pair(A != Output, A) < std::pair(B != Output, B);
  });
  return Found;
}

/// A zombie has ended.
static bool isRunning(int64_t Pid) {
  auto Stat = llvm::MemoryBuffer::getFileAsStream("/proc/" + llvm::Twine(Pid) +
                                                  "/stat");
  if (Pid <= 0 || !Stat)
    return false;
  const StringRef State = (*Stat)->getBuffer().rsplit(") ").second;
  return !State.empty() && !StringRef("ZX").contains(State[0]);
}

std::vector<RunTrace> cli::surveyTraces(llvm::ArrayRef<std::string> Paths) {
  std::vector<RunTrace> Result;
  for (const std::string &Path : Paths) {
    const trace::Survey Content = trace::survey(Path);
    Result.push_back({Path, Content, isRunning(Content.Pid)});
  }
  const bool HasRanks = llvm::any_of(
      Result, [](const RunTrace &T) { return T.Content.Rank.has_value(); });
  auto Order = [HasRanks](const RunTrace &T) {
    const uint64_t Work = T.Content.Operations;
    return std::pair(!Work, HasRanks ? 0 : -int64_t(Work));
  };
  llvm::stable_sort(Result, [Order](const RunTrace &A, const RunTrace &B) {
    return Order(A) < Order(B);
  });
  return Result;
}

size_t cli::removeIdle(std::vector<RunTrace> &Traces) {
  const size_t Before = Traces.size();
  if (!Before || !Traces[0].Content.Operations)
    return 0;
  llvm::erase_if(Traces, [](const RunTrace &T) {
    return !T.Content.Operations && !T.IsRunning && !fs::remove(T.Path);
  });
  return Before - Traces.size();
}

/// "run.pftrace" -> "run.1234.pftrace"
static std::string withPid(StringRef Path, int64_t Pid) {
  const StringRef Extension = path::extension(Path);
  return (Path.drop_back(Extension.size()) + "." + llvm::Twine(Pid) + Extension)
      .str();
}

void cli::giveName(std::vector<RunTrace> &Traces, StringRef Output) {
  if (Traces.empty() || !Traces[0].Content.Operations ||
      Traces[0].Path == Output)
    return;
  for (RunTrace &T : Traces)
    if (T.Path == Output) {
      const std::string Aside = withPid(Output, T.Content.Pid);
      if (fs::exists(Aside) || fs::rename(T.Path, Aside))
        return;
      T.Path = Aside;
    }
  // Not renamed, which would replace the trace of another `autoprof run` that
  // records a rank of the same job.
  if (!fs::create_hard_link(Traces[0].Path, Output)) {
    fs::remove(Traces[0].Path);
    Traces[0].Path = Output.str();
  }
}
