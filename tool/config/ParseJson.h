// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's parser of JSON for texts of unknown origin.
#pragma once

#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

namespace autoprof {

/// Whether lists and objects are nested deeper than in any document that
/// autoprof reads. Text that is not JSON may count, too.
inline bool isNestedTooDeeply(llvm::StringRef Text) {
  constexpr int MostLevels = 64;
  int Level = 0;
  bool InText = false;
  for (size_t I = 0; I < Text.size(); ++I) {
    char C = Text[I];
    if (InText) {
      I += C == '\\';
      InText = C != '"';
    } else if (C == '"') {
      InText = true;
    } else if (C == '{' || C == '[') {
      if (++Level > MostLevels)
        return true;
    } else if (C == '}' || C == ']') {
      --Level;
    }
  }
  return false;
}

/// As llvm::json::parse, which calls itself for each level: a hostile text
/// would use up the stack.
inline llvm::Expected<llvm::json::Value> parseJson(llvm::StringRef Text) {
  if (isNestedTooDeeply(Text))
    return llvm::createStringError("it is nested too deeply");
  return llvm::json::parse(Text);
}

/// The contents of a file.
inline llvm::Expected<llvm::json::Value> parseJsonFile(llvm::StringRef Path) {
  auto File = llvm::MemoryBuffer::getFile(Path);
  if (!File)
    return llvm::createStringError(File.getError().message());
  return parseJson((*File)->getBuffer());
}

} // namespace autoprof
