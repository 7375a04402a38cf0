// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "source-cli/UnusedChoices.h"

#include "config/FilePattern.h"
#include "config/StepName.h"
#include "config/Suggestion.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

using namespace autoprof;
using llvm::StringRef;

/// Paths from the root are required, so the folder is often missing.
static std::string nearestFile(StringRef Pattern,
                               llvm::ArrayRef<std::string> Files) {
  for (const std::string &File : Files)
    if (llvm::sys::path::filename(File) == Pattern)
      return "; did you mean '" + File + "'?";
  return suggestion(Pattern,
                    std::vector<StringRef>(Files.begin(), Files.end()));
}

std::vector<std::string>
sources::unusedPatterns(llvm::ArrayRef<std::string> Patterns,
                        llvm::ArrayRef<std::string> Files) {
  std::vector<std::string> Result;
  // Those that are not globs were reported when they were read.
  for (const FilePattern &Pattern : filePatterns(Patterns.vec()))
    if (llvm::none_of(Files,
                      [&](const std::string &F) { return Pattern.match(F); }))
      Result.push_back("warning: '" + Pattern.text() +
                       "' of 'exclude-files' matches no file of the project" +
                       nearestFile(Pattern.text(), Files));
  return Result;
}

std::string sources::unusedStep(StringRef Step,
                                llvm::ArrayRef<std::string> Functions) {
  const StepName Name(Step);
  if (Step.empty() || Name.Loops || Name.Ranges ||
      llvm::any_of(Functions,
                   [&](const std::string &F) { return Name.meansFunction(F); }))
    return "";
  std::vector<StringRef> Known;
  for (StringRef F : Functions) {
    const StringRef Bare = F.split('(').first;
    Known.push_back(Bare);
    Known.push_back(Bare.rsplit("::").second);
  }
  llvm::erase(Known, "");
  const std::string Nearest = nearest(Name.Text, Known).str();
  return ("warning: '" + Step + "' of 'step' names no function of the project" +
          (Nearest.empty() ? "" : "; did you mean 'function:" + Nearest + "'?"))
      .str();
}
