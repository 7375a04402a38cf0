// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/Progress.h"

#include "llvm/ADT/Twine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>
#include <sys/ioctl.h>
#include <unistd.h>

namespace autoprof::support {

StatusLine::StatusLine() {
  const char *Terminal = std::getenv("TERM");
  if (!isatty(STDERR_FILENO) || !Terminal ||
      llvm::StringRef(Terminal) == "dumb")
    return;
  winsize Size;
  const bool Known = !ioctl(STDERR_FILENO, TIOCGWINSZ, &Size) && Size.ws_col;
  Width = Known ? Size.ws_col : 80;
}

void StatusLine::show(std::string Text) {
  if (!Width)
    return;
  // A longer line would wrap, and could not be erased.
  if (Text.size() >= Width)
    Text.resize(Width - 1);
  llvm::errs() << "\r\033[K" << Text;
  Shown = true;
}

void StatusLine::clear() {
  if (Shown)
    llvm::errs() << "\r\033[K";
  Shown = false;
}

/// "about 40 s", "about 3 min"
static std::string roughly(double Seconds) {
  return Seconds < 90
             ? llvm::formatv("about {0} s", 10 * (int(Seconds / 10) + 1)).str()
             : llvm::formatv("about {0:F0} min", Seconds / 60).str();
}

std::string ProgressLog::lineAt(Clock::time_point Now, unsigned Done) {
  if (Now - Last < Interval || Done >= Total)
    return "";
  Last = Now;
  std::string Line = llvm::formatv("{0} of {1} sources done", Done, Total);
  const double Seconds = std::chrono::duration<double>(Now - Start).count();
  if (Done)
    Line += ", " + roughly(Seconds / Done * (Total - Done)) + " left";
  return Line;
}

void Progress::show(unsigned Done, llvm::StringRef Name) {
  if (Line.isPossible())
    return Line.show(("[" + llvm::Twine(Done) + "/" + llvm::Twine(Total) +
                      "] " + Verb + " " + Name)
                         .str());
  const std::string Text = Log.lineAt(ProgressLog::Clock::now(), Done);
  if (!Text.empty())
    llvm::errs() << "autoprof: " << Text << '\n';
}

FileProgress::FileProgress(llvm::StringRef Path) : Path(Path) {
  uint64_t Size = 0;
  if (!llvm::sys::fs::file_size(Path, Size))
    Bytes = double(Size);
}

static std::string amount(double Bytes) {
  return Bytes < 1e9 ? llvm::formatv("{0:F0} MB", Bytes / 1e6)
                     : llvm::formatv("{0:F1} GB", Bytes / 1e9);
}

void FileProgress::read(double Part) {
  using namespace std::chrono_literals;
  const Clock::time_point Now = Clock::now();
  if (!Line.isPossible() || Now - Start < 1s || Now - Shown < 100ms)
    return;
  Shown = Now;
  const double Seconds = std::chrono::duration<double>(Now - Start).count();
  Line.show(llvm::formatv("Reading {0}: {1:F0} % of {2}, {3}/s",
                          llvm::sys::path::filename(Path), 100 * Part,
                          amount(Bytes), amount(Part * Bytes / Seconds)));
}

void FileProgress::analyse() {
  if (Shown != Start)
    Line.show(("Analysing " + llvm::sys::path::filename(Path)).str());
}

} // namespace autoprof::support
