// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "config/StepName.h"

#include "llvm/ADT/Twine.h"

using namespace autoprof;
using llvm::StringRef;

StepName::StepName(StringRef Name) : Text(Name) {
  auto [Kind, Rest] = Name.split(':');
  bool IsFunction = Kind == "function", IsRange = Kind == "range",
       IsLoop = Kind == "loop";
  // std::sort and train.cu:88 have no kind before their colon.
  if (Rest.empty() || Rest.starts_with(":") ||
      !(IsFunction || IsRange || IsLoop))
    return;
  Functions = IsFunction;
  Ranges = IsRange;
  Loops = IsLoop;
  Text = Rest;
}

bool StepName::meansFunction(StringRef Function) const {
  if (!Functions || Text.empty())
    return false;
  StringRef Bare = Function.split('(').first;
  return Text == Function || Text == Bare ||
         Bare.ends_with(("::" + Text).str());
}

bool StepName::meansLoop(StringRef File, unsigned Line) const {
  auto [Name, Number] = Text.rsplit(':');
  unsigned Asked = 0;
  if (!Loops || Number.getAsInteger(10, Asked) || Asked != Line)
    return false;
  return Name == File || File.ends_with(("/" + Name).str()) ||
         Name.ends_with(("/" + File).str());
}
