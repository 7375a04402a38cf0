// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Workflow commands of GitHub Actions, which show a message next to a line;
// the answer, and what has no place on a line, are in the job's log.
#include "report/document/Renderings.h"

using namespace autoprof;
using namespace autoprof::report;

/// `Property`: for the part before the message, where more characters are
/// markup.
static std::string escape(llvm::StringRef Text, bool Property) {
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

llvm::StringRef report::name(Diagnostic::Level L) {
  constexpr llvm::StringLiteral Names[] = {"error", "warning", "remark",
                                           "note"};
  return Names[L];
}

/// An annotation; notes that belong to it are part of its message.
static void annotate(llvm::raw_ostream &Out, const Diagnostic &D) {
  constexpr llvm::StringLiteral Commands[] = {"::error ", "::warning ",
                                              "::notice ", "::notice "};
  Out << Commands[D.Kind];
  if (!D.File.empty()) {
    Out << "file=" << escape(D.File, true) << ',';
    if (D.Line)
      Out << "line=" << D.Line << ',';
    if (D.Line && D.Column)
      Out << "col=" << D.Column << ',';
  }
  std::string Text = D.Text;
  for (const Diagnostic &Note : D.Notes)
    Text += "\n" + Note.Text;
  if (!D.More.empty())
    Text += "\nMore: " + D.More;
  const std::string &Title = D.Title.empty() ? D.Rule : D.Title;
  Out << "title=" << escape(Title.empty() ? "autoprof" : Title, true)
      << "::" << escape(Text, false) << '\n';
}

void report::renderGithub(llvm::raw_ostream &Out, const Document &D,
                          const TextStyle &) {
  for (const Section &S : D.Sections)
    for (const Block &B : S.Blocks)
      if (const auto *Found = std::get_if<Diagnostics>(&B.Content))
        for (const Diagnostic &One : Found->All)
          annotate(Out, One);
  for (const Block &B : D.Answer.Blocks)
    if (const auto *P = std::get_if<Paragraph>(&B.Content))
      Out << P->Text.text() << '\n';
}
