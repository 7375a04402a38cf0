// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source/Experiments.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using llvm::StringRef;

namespace autoprof::source {

llvm::Expected<std::vector<std::string>> parseSiteNames(StringRef Value) {
  std::vector<std::string> Result;
  for (StringRef Name : llvm::split(Value, ',')) {
    auto [File, Line] = Name.rsplit(':');
    uint64_t Number = 0;
    const bool IsId = Name.starts_with("0x") && Name.size() == 18 &&
                      !Name.drop_front(2).getAsInteger(16, Number);
    if (!IsId && (File.empty() || Line.getAsInteger(10, Number)))
      return llvm::createStringError(
          "'" + Name +
          "' of 'postpone' names no site; write FILE:LINE, or its id: 0x and "
          "16 digits");
    Result.push_back(Name.str());
  }
  return Result;
}

bool isNamed(const Site &S, llvm::ArrayRef<std::string> Names) {
  const std::string Path = "/" + S.At.File;
  return llvm::any_of(Names, [&](StringRef Name) {
    auto [File, Line] = Name.rsplit(':');
    unsigned Number = 0;
    return Name == hex(S.Id) ||
           (!Line.getAsInteger(10, Number) && Number == S.At.Line &&
            StringRef(Path).ends_with(("/" + File).str()));
  });
}

void printExperiments(llvm::ArrayRef<Skipped> Experiments,
                      llvm::raw_ostream &OS) {
  for (const Skipped &E : Experiments) {
    OS << E.At.File << ':' << E.At.Line << ':' << E.At.Column
       << ": autoprof: " << E.Callee;
    if (!E.Reason.empty())
      OS << " stays as it is: " << E.Reason << '\n';
    else if (E.Kind == "copy")
      OS << " gives the value of the call before: an experiment, not a fix\n";
    else
      OS << " is left out: an experiment, not a fix\n";
  }
}

} // namespace autoprof::source
