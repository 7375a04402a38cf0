// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/audit/RulePages.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Twine.h"

using namespace autoprof;
using namespace autoprof::report;
using llvm::StringLiteral;
using llvm::StringRef;

static const RulePage Pages[] = {
#include "report/rule_pages.inc"
};

static constexpr StringRef Prefix = "autoprof-";

llvm::ArrayRef<RulePage> report::rulePages() { return Pages; }

const RulePage *report::findRulePage(StringRef Rule) {
  Rule.consume_front(Prefix);
  const auto *Found = llvm::find_if(Pages, [&](const RulePage &P) {
    return P.Rule.drop_front(Prefix.size()) == Rule;
  });
  return Found == std::end(Pages) ? nullptr : Found;
}

/// As names are compared.
static std::string folded(StringRef Name) {
  std::string Result = Name.trim().lower();
  for (char &C : Result)
    C = C == '-' || C == '_' ? ' ' : C;
  return Result;
}

/// The sections of docs/findings.md, with their titles.
static llvm::SmallVector<StringRef, 32> findingSections() {
  static constexpr StringLiteral Page =
#include "report/findings_page.inc"
      ;
  llvm::SmallVector<StringRef, 32> Sections;
  Page.split(Sections, "\n## ");
  Sections.erase(Sections.begin());
  // The names of findings have no spaces; other sections are about all of them.
  llvm::erase_if(Sections, [](StringRef Section) {
    return Section.split('\n').first.contains(' ');
  });
  return Sections;
}

std::optional<std::string> report::findFindingPage(StringRef Finding) {
  for (StringRef Section : findingSections())
    if (folded(Section.split('\n').first) == folded(Finding))
      return "# " + Section.rtrim().str() + "\n";
  return std::nullopt;
}

std::vector<StringRef> report::findingNames() {
  std::vector<StringRef> Result;
  for (StringRef Section : findingSections())
    Result.push_back(Section.split('\n').first);
  return Result;
}

namespace {

/// A section of docs/terms.md.
struct Term {
  llvm::SmallVector<StringRef, 8> Names;
  StringRef Text;
};

/// The words in backticks of the paragraph "In reports: `wait/step`, ...".
void addLabels(llvm::SmallVectorImpl<StringRef> &Names, StringRef Text) {
  const size_t Begin = Text.find("\nIn reports: ");
  StringRef Rest = Begin == StringRef::npos ? "" : Text.drop_front(Begin);
  while (true) {
    const size_t Open = Rest.find('`'), End = Rest.find('`', Open + 1);
    if (Open == StringRef::npos || End == StringRef::npos)
      return;
    Names.push_back(Rest.slice(Open + 1, End));
    Rest = Rest.drop_front(End + 1);
  }
}

std::vector<Term> readTerms() {
  static constexpr StringLiteral Page =
#include "report/terms_page.inc"
      ;
  llvm::SmallVector<StringRef, 32> Sections;
  Page.split(Sections, "\n## ");
  std::vector<Term> Result;
  for (StringRef Section : llvm::drop_begin(Sections)) {
    auto [Title, Text] = Section.split('\n');
    Term T;
    Title.split(T.Names, ',');
    for (StringRef &Name : T.Names)
      Name = Name.trim();
    addLabels(T.Names, Text);
    T.Text = Text.rtrim();
    Result.push_back(std::move(T));
  }
  return Result;
}

} // namespace

std::optional<std::string> report::findTermPage(StringRef Term) {
  for (const auto &T : readTerms())
    if (llvm::any_of(T.Names, [&](StringRef Name) {
          return folded(Name) == folded(Term);
        }))
      return "# " + T.Names.front().str() + "\n" + T.Text.str() + "\n";
  return std::nullopt;
}

std::vector<StringRef> report::termPages() {
  std::vector<StringRef> Result;
  for (const Term &T : readTerms())
    Result.push_back(T.Names.front());
  return Result;
}

std::vector<StringRef> report::termNames() {
  std::vector<StringRef> Result;
  for (const Term &T : readTerms())
    llvm::append_range(Result, T.Names);
  return Result;
}

std::string report::rulePageUrl(StringRef Rule) {
  StringRef Base = AUTOPROF_DOCS_URL;
  if (Base.empty())
    return "";
  return (Base.rtrim('/') + "/audit/" + Rule.drop_front(Prefix.size()) + ".md")
      .str();
}
