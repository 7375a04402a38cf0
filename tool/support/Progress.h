// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The progress of a long job: one line on a terminal, or in a log a line from
// time to time.
#pragma once

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

/// The progress of a job of several sources, for logs. A short job has no line.
class ProgressLog {
public:
  using Clock = std::chrono::steady_clock;

  ProgressLog(unsigned Total, Clock::time_point Start,
              Clock::duration Interval = std::chrono::seconds(30))
      : Total(Total), Start(Start), Last(Start), Interval(Interval) {}

  /// "120 of 800 sources done, about 3 min left"; "" if the previous line was
  /// less than the interval ago, or nothing is left.
  std::string lineAt(Clock::time_point Now, unsigned Done);

private:
  unsigned Total;
  Clock::time_point Start, Last;
  Clock::duration Interval;
};

/// For a job of several sources.
class Progress {
public:
  Progress(llvm::StringRef Verb, unsigned Total)
      : Verb(Verb), Total(Total), Log(Total, ProgressLog::Clock::now()) {}

  /// "[3/80] Reading main.cu"
  void show(unsigned Done, llvm::StringRef Name);

  /// Before anything else is printed.
  void clear() { Line.clear(); }

private:
  llvm::StringRef Verb;
  unsigned Total;
  StatusLine Line;
  ProgressLog Log; ///< If the line is not possible.
};

/// For one file that takes more than about a second.
class FileProgress {
public:
  /// `Path` must outlive this.
  explicit FileProgress(llvm::StringRef Path);

  /// "Reading base.pftrace: 42 % of 4.6 GB, 412 MB/s". `Part`: from 0 to 1.
  void read(double Part);
  /// "Analysing base.pftrace": only if reading took long.
  void analyse();

  /// Before anything else is printed.
  void clear() { Line.clear(); }

private:
  using Clock = std::chrono::steady_clock;
  llvm::StringRef Path;
  double Bytes = 0;
  Clock::time_point Start = Clock::now(), Shown = Start;
  StatusLine Line;
};

} // namespace autoprof::support
