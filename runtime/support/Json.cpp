// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/support/Json.h"

#include <cstdio>

namespace autoprof::runtime {

std::string quoted(std::string_view Text) {
  std::string Result = "\"";
  for (char C : Text) {
    if (C == '"' || C == '\\') {
      Result += '\\';
      Result += C;
    } else if (static_cast<unsigned char>(C) < 0x20) {
      char Escape[8];
      snprintf(Escape, sizeof Escape, "\\u%04x", static_cast<unsigned>(C));
      Result += Escape;
    } else {
      Result += C;
    }
  }
  return Result + "\"";
}

JsonObject &JsonObject::raw(std::string_view Key, std::string_view Value) {
  if (!Body.empty())
    Body += ',';
  Body += quoted(Key);
  Body += ':';
  Body += Value;
  return *this;
}

} // namespace autoprof::runtime
