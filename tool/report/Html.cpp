// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/Html.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Base64.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/SHA256.h"

using llvm::StringRef;

namespace autoprof::report {

/// U+202A to U+202E, U+2066 to U+2069: they change the order in which text is
/// displayed.
static bool changesDirection(StringRef Text) {
  return Text.size() >= 3 && Text[0] == '\xE2' &&
         ((Text[1] == '\x80' && Text[2] >= '\xAA' && Text[2] <= '\xAE') ||
          (Text[1] == '\x81' && Text[2] >= '\xA6' && Text[2] <= '\xA9'));
}

std::string readable(StringRef Text) {
  std::string Result = llvm::json::fixUTF8(Text);
  for (size_t I = 0; (I = Result.find('\xE2', I)) != std::string::npos; ++I)
    if (changesDirection(StringRef(Result).substr(I)))
      Result.replace(I, 3, "\xEF\xBF\xBD");
  return Result;
}

std::string escapeHtml(StringRef Text) {
  std::string Result;
  Result.reserve(Text.size());
  for (char C : readable(Text))
    switch (C) {
    case '&':
      Result += "&amp;";
      break;
    case '<':
      Result += "&lt;";
      break;
    case '>':
      Result += "&gt;";
      break;
    case '"':
      Result += "&quot;";
      break;
    case '\t':
    case '\n':
      Result += C;
      break;
    default:
      if (static_cast<unsigned char>(C) < 0x20)
        (Result += "\xE2\x90") += static_cast<char>(0x80 + C);
      else if (C == 0x7F)
        Result += "\xE2\x90\xA1";
      else
        Result += C;
    }
  return Result;
}

/// The hash that the page's policy allows: this text and no other.
static std::string hashOf(StringRef Text) {
  return "'sha256-" +
         llvm::encodeBase64(
             llvm::SHA256::hash(llvm::arrayRefFromStringRef(Text))) +
         "'";
}

std::string htmlPage(StringRef Title, StringRef Style, StringRef Body,
                     StringRef Script) {
  return ("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
          "<meta charset=\"utf-8\">\n"
          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
          "'none'; base-uri 'none'; form-action 'none'; style-src " +
          hashOf(Style) + "; script-src " + hashOf(Script) +
          "\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, "
          "initial-scale=1\">\n"
          "<title>" +
          escapeHtml(Title) + "</title>\n<style>" + Style +
          "</style>\n</head>\n<body>\n" + Body + "<script>" + Script +
          "</script>\n</body>\n</html>\n")
      .str();
}

} // namespace autoprof::report
