// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The progress of a long job: one line on a terminal.
#ifndef AUTOPROF_SUPPORT_PROGRESS_H
#define AUTOPROF_SUPPORT_PROGRESS_H

#include "llvm/ADT/StringRef.h"

#include <chrono>
#include <string>

namespace autoprof::support {

/// The line itself. Writes to standard error; does nothing if that is not a
/// terminal.
class StatusLine {
  unsigned Width = 0; ///< Of the terminal; 0: there is none.
  bool Shown = false;

public:
  StatusLine();
  StatusLine(const StatusLine &) = delete;
  ~StatusLine() { clear(); }

  bool isPossible() const { return Width; }
  void show(std::string Text);
  /// Before anything else is printed.
  void clear();
};

/// For a job of several sources.
class Progress {
public:
  Progress(llvm::StringRef Verb, unsigned Total) : Verb(Verb), Total(Total) {}

  /// "[3/80] Reading main.cu"
  void show(unsigned Done, llvm::StringRef Name);

  /// Before anything else is printed.
  void clear() { Line.clear(); }

private:
  llvm::StringRef Verb;
  unsigned Total;
  StatusLine Line;
};

/// For one file that takes more than about a second.
class FileProgress {
public:
  /// `Path` must outlive this.
  explicit FileProgress(llvm::StringRef Path) : Path(Path) {}

  /// "Reading base.pftrace: 42 %". `Part`: from 0 to 1.
  void read(double Part);
  /// "Analysing base.pftrace": only if reading took long.
  void analyse();

  /// Before anything else is printed.
  void clear() { Line.clear(); }

private:
  using Clock = std::chrono::steady_clock;
  llvm::StringRef Path;
  Clock::time_point Start = Clock::now(), Shown = Start;
  StatusLine Line;
};

} // namespace autoprof::support

#endif // AUTOPROF_SUPPORT_PROGRESS_H
