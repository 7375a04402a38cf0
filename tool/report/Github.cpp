// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/Github.h"

std::string autoprof::report::escapeGithub(llvm::StringRef Text,
                                           bool Property) {
  std::string Result;
  for (char C : Text)
    if (C == '%')
      Result += "%25";
    else if (C == '\r')
      Result += "%0D";
    else if (C == '\n')
      Result += "%0A";
    else if (Property && C == ':')
      Result += "%3A";
    else if (Property && C == ',')
      Result += "%2C";
    else
      Result += C;
  return Result;
}
