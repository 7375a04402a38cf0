// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One run of a program, with the kernel's figures about it.
#pragma once

#include "llvm/Support/Error.h"

#include <csignal>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace autoprof::cli {

struct RunRequest {
  std::string Program;                            ///< A file.
  std::vector<std::string> Arguments;             ///< The first is its name.
  std::map<std::string, std::string> Environment; ///< Added to this one's.
  std::string Output, Errors;                     ///< Files for what it prints.
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

/// Runs it and waits. Interrupts from the terminal reach the program.
llvm::Expected<RunOutcome> runProgram(const RunRequest &Request);

} // namespace autoprof::cli
