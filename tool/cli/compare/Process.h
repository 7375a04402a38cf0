// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs of programs, with the kernel's figures about them.
#pragma once

#include "support/Progress.h"

#include "llvm/Support/Error.h"

#include <chrono>
#include <csignal>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace autoprof::cli {

struct RunRequest {
  std::vector<std::string> Arguments;             ///< The first is its name.
  std::map<std::string, std::string> Environment; ///< Added to this one's.
  bool IsOwn = false;             ///< This program, whatever the name is.
  std::optional<int64_t> Limit{}; ///< ns; after that it is killed.
};

struct RunOutcome {
  int Code = 0; ///< 128 + n after signal n.
  /// ns; Cpu is that of the program and of all children it waited for.
  int64_t Wall = 0, Cpu = 0;
  uint64_t Preempted = 0; ///< Involuntary context switches.
  bool Killed = false;    ///< By RunRequest::Limit.
};

/// While it exists, an interrupt from the terminal does not end this process,
/// only the program that it runs. One at a time.
class Interrupts {
public:
  Interrupts();
  ~Interrupts();
  Interrupts(const Interrupts &) = delete;
  Interrupts &operator=(const Interrupts &) = delete;

  /// The signal that came; 0: none.
  static int seen();

private:
  struct sigaction Before[2];
};

/// "FOLDER/NAME".
std::string inFolder(llvm::StringRef Folder, llvm::StringRef Name);

/// What makes a series of runs.
class Runner {
public:
  /// The signal that ended it early; 0: none.
  static int interrupted() { return Interrupts::seen(); }

protected:
  /// `Folder`: for all files; it exists. `TimeLimit`: ns.
  Runner(std::string Folder, std::optional<int64_t> TimeLimit)
      : Folder(std::move(Folder)), TimeLimit(TimeLimit) {}

  /// Runs it and waits; what it prints is in the files stdout and stderr.
  /// Interrupts from the terminal reach the program.
  llvm::Expected<RunOutcome> runProgram(const RunRequest &Request) const;
  std::string file(llvm::StringRef Name) const {
    return inFolder(Folder, Name);
  }
  /// The last lines, without empty ones, that the program printed to standard
  /// error.
  std::vector<std::string> lastLines(size_t Count) const;
  void removePrinted() const;
  int64_t passed() const; ///< ns since the beginning.
  bool isOver() const {
    return interrupted() || (TimeLimit && passed() >= *TimeLimit);
  }

  support::StatusLine Line;
  const std::string Folder;

private:
  const std::optional<int64_t> TimeLimit;
  Interrupts Noted;
  const std::chrono::steady_clock::time_point Start =
      std::chrono::steady_clock::now();
};

/// SHA-256 of a file's content; "": it cannot be read.
std::string hashOf(const std::string &Path);

} // namespace autoprof::cli
