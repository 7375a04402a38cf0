// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/ExplainRule.h"

#include "catalogue/Catalogue.h"
#include "catalogue/TorchNames.h"
#include "config/Suggestion.h"
#include "report/Formats.h"
#include "report/audit/RulePages.h"
#include "support/Command.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace autoprof;
using namespace autoprof::cli;
using namespace autoprof::support;
using llvm::StringRef;

namespace {

/// "[text](address)" as "text": an address within the docs is of no use here.
std::string withoutLinks(StringRef Text) {
  std::string Result;
  while (!Text.empty()) {
    const size_t Open = Text.find('['), Middle = Text.find("](", Open),
                 End = Text.find(')', Middle);
    if (End == StringRef::npos)
      break;
    // The innermost bracket before the address.
    const size_t Start = Text.take_front(Middle).rfind('[');
    Result += Text.take_front(Start);
    Result += Text.slice(Start + 1, Middle);
    Text = Text.drop_front(End + 1);
  }
  return Result + Text.str();
}

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
  OS << '\n' << withoutLinks(Rest);
}

void writeMarkdown(llvm::raw_ostream &OS, const std::string &Page,
                   const report::TextStyle &) {
  OS << Page;
}

constexpr report::Format<std::string> Formats[] = {{"terminal", writeTerminal},
                                                   {"markdown", writeMarkdown}};

/// One letter, or two that changed places.
bool isTypo(StringRef Name, StringRef Known) {
  const unsigned Distance = Known.edit_distance(Name, true, 2);
  std::string A = Name.str(), B = Known.str();
  llvm::sort(A);
  llvm::sort(B);
  return Distance == 1 || (Distance == 2 && A == B);
}

/// An operator of PyTorch that is not known to wait; nullopt: it is none, or
/// its name is nearly that of one that is.
std::optional<std::string> operatorPage(StringRef Name) {
  StringRef Plain = Name.trim();
  if (!Plain.consume_front("aten::") || Plain.empty() ||
      !llvm::all_of(Plain,
                    [](char C) { return llvm::isAlnum(C) || C == '_'; }) ||
      catalogue::findTorchName(Name.trim()))
    return std::nullopt;
  for (const catalogue::Row &R : catalogue::rows())
    if (StringRef Known = R.Name; Known.consume_front("at::")) {
      Known.consume_front("Tensor::");
      // One that the catalogue has, or a typing error.
      if (Known == Plain || isTypo(Plain, Known))
        return std::nullopt;
    }
  return ("# aten::" + Plain +
          "\n\nAn operator of PyTorch that is not in the list of those that "
          "are known to wait for the GPU.\nOperators queue kernels or copies "
          "and return. One waits by itself only if the CPU needs a\nresult of "
          "the GPU, as aten::item, aten::nonzero, and copies to the host "
          "do.\n\n'autoprof explain --all' lists the operators that wait "
          "(at::). A recording shows whether a call of\nthis one waited: "
          "'autoprof run --stacks -- python train.py'.\n")
      .str();
}

} // namespace

std::optional<std::string> cli::findPage(const Arguments &A) {
  if (A.Positional.size() != 1)
    return std::nullopt;
  if (const report::RulePage *Page = report::findRulePage(A.Positional[0]))
    return Page->Text.str();
  if (std::optional<std::string> Page =
          report::findFindingPage(A.Positional[0]))
    return Page;
  if (std::optional<std::string> Page = report::findTermPage(A.Positional[0]))
    return Page;
  return operatorPage(A.Positional[0]);
}

std::string cli::unknownRule(StringRef Name) {
  std::vector<StringRef> Rules;
  for (const report::RulePage &Page : report::rulePages())
    Rules.push_back(Page.Rule);
  // `autoprof-sync` is the beginning of several names.
  std::vector<std::string> Longer;
  for (StringRef Rule : Rules)
    if (Rule.starts_with(Name) && Name != "autoprof-")
      Longer.push_back(Rule.str());
  const std::string Near = Longer.empty()
                               ? suggestion(Name, Rules)
                               : "; there are " + llvm::join(Longer, ", ");
  return ("unknown rule '" + Name + "'" +
          (Near.empty() ? "; 'autoprof audit --list-checks' has their names"
                        : Near))
      .str();
}

int cli::printPage(const std::string &Page, const Arguments &A) {
  if (const std::string Format = A.get("format");
      Format == "json" || Format == "html")
    return fail("--format=" + Format + " is for calls; '" + A.Positional[0] +
                "' is a page of text, printed as terminal or markdown");
  llvm::Expected<report::Output> Out = report::openOutput(A);
  if (!Out)
    return fail(llvm::toString(Out.takeError()));
  Out->write(Formats, Page);
  if (llvm::Error E = Out->finish())
    return fail(llvm::toString(std::move(E)));
  return Fine;
}
