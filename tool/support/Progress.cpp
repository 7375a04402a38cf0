// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/Progress.h"

#include "llvm/ADT/Twine.h"
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

void Progress::show(unsigned Done, llvm::StringRef Name) {
  Line.show(("[" + llvm::Twine(Done) + "/" + llvm::Twine(Total) + "] " + Verb +
             " " + Name)
                .str());
}

void FileProgress::read(double Part) {
  using namespace std::chrono_literals;
  const Clock::time_point Now = Clock::now();
  if (Now - Start < 1s || Now - Shown < 100ms)
    return;
  Shown = Now;
  Line.show(llvm::formatv("Reading {0}: {1:F0} %",
                          llvm::sys::path::filename(Path), 100 * Part));
}

void FileProgress::analyse() {
  if (Shown != Start)
    Line.show(("Analysing " + llvm::sys::path::filename(Path)).str());
}

} // namespace autoprof::support
