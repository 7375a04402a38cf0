// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text with the little markup that every format has: code, emphasis, links.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace autoprof::report {

struct Span {
  enum Form : uint8_t { Plain, Code, Strong };
  std::string Text;
  Form Kind = Plain;
  std::string Link; ///< "#id" of the same page, or an address; "": none.
};

class Phrase {
public:
  Phrase() = default;
  // Implicit: most phrases are plain.
  Phrase(std::string Text) { append({std::move(Text), Span::Plain, ""}); }
  Phrase(const char *Text) : Phrase(std::string(Text)) {}
  Phrase(llvm::StringRef Text) : Phrase(Text.str()) {}
  Phrase(Span One) { append(std::move(One)); }

  Phrase &operator+=(Phrase More) {
    for (Span &One : More.Spans)
      append(std::move(One));
    return *this;
  }
  friend Phrase operator+(Phrase A, Phrase B) {
    A += std::move(B);
    return A;
  }

  bool empty() const { return Spans.empty(); }
  const std::vector<Span> &spans() const { return Spans; }
  /// Without markup.
  std::string text() const {
    std::string Result;
    for (const Span &One : Spans)
      Result += One.Text;
    return Result;
  }

private:
  void append(Span One) {
    if (!One.Text.empty())
      Spans.push_back(std::move(One));
  }
  std::vector<Span> Spans;
};

inline Phrase code(std::string Text, std::string Link = "") {
  return Span{std::move(Text), Span::Code, std::move(Link)};
}
inline Phrase strong(std::string Text) {
  return Span{std::move(Text), Span::Strong, ""};
}
inline Phrase link(std::string Text, std::string Target) {
  return Span{std::move(Text), Span::Plain, std::move(Target)};
}

/// Whether it is on the web, and not a command.
inline bool isAddress(llvm::StringRef Text) {
  return Text.starts_with("http://") || Text.starts_with("https://");
}

} // namespace autoprof::report
