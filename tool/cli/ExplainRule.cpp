// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/ExplainRule.h"

#include "config/Suggestion.h"
#include "report/Formats.h"
#include "report/audit/RulePages.h"
#include "support/Command.h"

#include "llvm/ADT/STLExtras.h"

using namespace autoprof;
using namespace autoprof::cli;
using namespace autoprof::support;
using llvm::StringRef;

namespace {

/// Markdown is text that people read; the title needs no mark.
void writeTerminal(llvm::raw_ostream &OS, const std::string &Page,
                   const report::TextStyle &Style) {
  auto [Title, Rest] = StringRef(Page).split('\n');
  Title.consume_front("# ");
  if (Style.Color)
    OS.changeColor(llvm::raw_ostream::SAVEDCOLOR, /*Bold=*/true);
  OS << Title;
  if (Style.Color)
    OS.resetColor();
  OS << '\n' << Rest;
}

void writeMarkdown(llvm::raw_ostream &OS, const std::string &Page,
                   const report::TextStyle &) {
  OS << Page;
}

constexpr report::Format<std::string> Formats[] = {{"terminal", writeTerminal},
                                                   {"markdown", writeMarkdown}};

} // namespace

std::optional<std::string> cli::findPage(const Arguments &A) {
  if (A.Positional.size() != 1)
    return std::nullopt;
  if (const report::RulePage *Page = report::findRulePage(A.Positional[0]))
    return Page->Text.str();
  return report::findFindingPage(A.Positional[0]);
}

std::string cli::unknownRule(StringRef Name) {
  std::vector<StringRef> Rules;
  for (const report::RulePage &Page : report::rulePages())
    Rules.push_back(Page.Rule);
  const std::string Near = suggestion(Name, Rules);
  return ("unknown rule '" + Name + "'" +
          (Near.empty() ? "; 'autoprof audit --list-checks' has their names"
                        : Near))
      .str();
}

int cli::printPage(const std::string &Page, const Arguments &A) {
  llvm::Expected<Output> Out = openOutput(A, Formats);
  if (!Out)
    return fail(llvm::toString(Out.takeError()));
  Out->write(Formats, Page);
  if (llvm::Error E = Out->finish())
    return fail(llvm::toString(std::move(E)));
  return Fine;
}
