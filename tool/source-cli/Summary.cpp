// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source-cli/Summary.h"

#include <map>

namespace autoprof::sources {

static void printDropped(llvm::raw_ostream &OS,
                         const std::vector<Unit> &Units) {
  std::map<std::string, unsigned> Files;
  for (const Unit &U : Units)
    for (const std::string &Option : U.Dropped)
      ++Files[Option];
  if (Files.empty())
    return;
  OS << "autoprof: options unknown to clang were left out: ";
  const char *Separator = "";
  for (const auto &[Option, Count] : Files) {
    OS << Separator << Option << " (" << Count
       << (Count == 1 ? " time)" : " times)");
    Separator = ", ";
  }
  OS << '\n';
}

void printSummary(llvm::raw_ostream &OS, const Inputs &Input,
                  const RunSummary &Summary) {
  for (const std::string &Note : Input.Notes)
    OS << "autoprof: " << Note << '\n';
  printDropped(OS, Input.Units);
  OS << "autoprof: " << Summary.Done << " of " << Summary.total()
     << (Summary.total() == 1 ? " source was" : " sources were") << " read";
  if (Summary.Partly)
    OS << ", " << Summary.Partly << " in part";
  if (Summary.Failed)
    OS << ", " << Summary.Failed << " failed";
  if (Summary.Crashed)
    OS << ", " << Summary.Crashed << " crashed clang";
  if (Summary.TimedOut)
    OS << ", " << Summary.TimedOut << " took too long";
  OS << '\n';
}

} // namespace autoprof::sources
