// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/Progress.h"

#include "llvm/ADT/Twine.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>
#include <string>
#include <sys/ioctl.h>
#include <unistd.h>

namespace autoprof::cli {

Progress::Progress(llvm::StringRef Verb, unsigned Total)
    : Verb(Verb), Total(Total) {
  const char *Terminal = std::getenv("TERM");
  if (!isatty(STDERR_FILENO) || !Terminal ||
      llvm::StringRef(Terminal) == "dumb")
    return;
  winsize Size;
  const bool Known = !ioctl(STDERR_FILENO, TIOCGWINSZ, &Size) && Size.ws_col;
  Width = Known ? Size.ws_col : 80;
}

void Progress::show(unsigned Done, llvm::StringRef Name) {
  if (!Width)
    return;
  std::string Line = ("[" + llvm::Twine(Done) + "/" + llvm::Twine(Total) +
                      "] " + Verb + " " + Name)
                         .str();
  // A longer line would wrap, and could not be taken back.
  if (Line.size() >= Width)
    Line.resize(Width - 1);
  llvm::errs() << "\r\033[K" << Line;
  Shown = true;
}

void Progress::clear() {
  if (Shown)
    llvm::errs() << "\r\033[K";
  Shown = false;
}

} // namespace autoprof::cli
