// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A process that works for this one: a worker with requests and replies in
// lines, or a compiler. POSIX; one thread.
#ifndef AUTOPROF_CALIBRATE_CHILD_H
#define AUTOPROF_CALIBRATE_CHILD_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <csignal>
#include <memory>
#include <string>
#include <sys/types.h>
#include <vector>

namespace autoprof::calibrate {

class Child {
public:
  enum class Priority { Normal, Low };
  /// Names of environment variables, and what they are set to.
  using Variables = std::vector<std::pair<std::string, std::string>>;
  /// Runs `Program` with requests on its standard input and replies on its file
  /// 3; its other output is discarded. It is a process group of its own and
  /// ends when this process does.
  static llvm::Expected<std::unique_ptr<Child>>
  start(const std::string &Program, const std::vector<std::string> &Arguments,
        const Variables &Environment, Priority P = Priority::Normal);
  /// Ends the worker, which has a few seconds to release the GPU.
  ~Child();
  Child(const Child &) = delete;
  Child &operator=(const Child &) = delete;

  enum class Outcome { Line, Late, Ended, Interrupted };
  /// Writes a request, and waits for a line. Late: not within `LimitMs`.
  /// Interrupted: `*Interrupt` became true.
  void ask(llvm::StringRef Request);
  Outcome read(std::string &Line, int LimitMs,
               const volatile std::sig_atomic_t *Interrupt);

  /// Ends the requests, gives the worker `GraceMs` to end by itself, kills the
  /// group, and returns how it ended: "crashed (Segmentation fault)", "ended
  /// with code 3".
  std::string end(int GraceMs);

private:
  Child(pid_t Pid, int Requests, int Replies)
      : Pid(Pid), Requests(Requests), Replies(Replies) {}
  pid_t Pid; ///< 0: it has been waited for.
  int Requests, Replies;
  std::string Pending;
};

} // namespace autoprof::calibrate

#endif // AUTOPROF_CALIBRATE_CHILD_H
