// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `autoprof explain`: a call, or the page of a rule of the audit, a finding or
// a term.
#include "catalogue/Catalogue.h"
#include "catalogue/TorchNames.h"
#include "cli/SubCommands.h"
#include "commands/Commands.h"
#include "config/Suggestion.h"
#include "report/Formats.h"
#include "report/Output.h"
#include "report/audit/RulePages.h"
#include "report/catalogue/Calls.h"
#include "report/catalogue/Formats.h"
#include "report/recording/Sentences.h"
#include "support/Command.h"
#include "support/SemanticsFile.h"

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

/// The page, in Markdown, about the rule of the audit ("autoprof-" may be left
/// out), the finding or the term that the only argument names; nullopt: none.
std::optional<std::string> findPage(const Arguments &A) {
  if (A.Positional.size() != 1)
    return std::nullopt;
  if (const report::RulePage *Page = report::findRulePage(A.Positional[0]))
    return Page->Text.str();
  if (std::optional<std::string> Page =
          report::findFindingPage(A.Positional[0]))
    return Page;
  return report::findTermPage(A.Positional[0]);
}

/// Returns the exit code.
int printPage(const std::string &Page, const Arguments &A) {
  if (const std::string Format = A.get("format", "terminal");
      Format != "terminal" && Format != "markdown")
    return fail("--format=" + Format + " is for calls; '" + A.Positional[0] +
                "' is a page of text, printed as terminal or markdown");
  if (llvm::Error E = report::print(A, Formats, Page))
    return fail(std::move(E));
  return Fine;
}

/// The name in what people paste: "::cudaMemcpy(dst, src, n, kind);".
std::string nameIn(StringRef Text) {
  unsigned Line;
  if (Text.contains("<<<"))
    return "cudaLaunchKernel";
  // Reports print "loss.item() > cudaMemcpyAsync": the call is the innermost.
  Text = Text.rsplit(" > ").second.empty() ? Text : Text.rsplit(" > ").second;
  // A place of idle time: "loop at train.cu:84: launch of gemm".
  Text = Text.rsplit(": ").second.empty() ? Text : Text.rsplit(": ").second;
  if (Text.trim().starts_with(report::LaunchOf))
    return "cudaLaunchKernel";
  // A site without a line: "(no source line) cudaStreamSynchronize".
  if (Text = Text.trim(); Text.starts_with("(") && Text.contains(") "))
    Text = Text.split(") ").second;
  // And "train.cu:88 cudaMemcpy".
  if (auto [Place, Call] = Text.trim().split(' ');
      !Call.empty() && llvm::to_integer(Place.rsplit(':').second, Line))
    Text = Call;
  Text = Text.trim().take_until([](char C) { return C == '('; }).rtrim("; ");
  Text.consume_front("::");
  return catalogue::withoutTemplateArguments(Text);
}

/// libtorch has many names in both of its namespaces.
const catalogue::Row *find(const std::string &Name) {
  if (const catalogue::Row *R = catalogue::lookup(Name))
    return R;
  StringRef Rest = Name;
  if (Rest.consume_front("torch::"))
    return catalogue::lookup(("at::" + Rest).str());
  if (Rest.consume_front("at::"))
    return catalogue::lookup(("torch::" + Rest).str());
  return nullptr;
}

/// The error about a name that is neither a call nor a page.
std::string unknownName(StringRef Name) {
  std::vector<StringRef> Known = report::termNames();
  llvm::append_range(Known, report::findingNames());
  for (const report::RulePage &Page : report::rulePages())
    Known.push_back(Page.Rule);
  for (const catalogue::Row &R : catalogue::rows())
    if (R.General && !R.Name.ends_with("*"))
      Known.push_back(R.Name);
  std::string Near = suggestion(Name, Known);
  if (Near.empty() && Name.starts_with("aten::"))
    Near = "; the operators of PyTorch that are known to wait are in 'autoprof "
           "explain --all' (at::), and the others queue their work and return";
  // Not a name of C++ or Python.
  else if (Near.empty() && Name.find_first_of(".:") == StringRef::npos)
    Near = "; the terms are " + llvm::join(report::termPages(), ", ") +
           "; the findings, " + llvm::join(report::findingNames(), ", ") +
           "; 'autoprof audit --list-checks' lists the rules of the audit";
  return ("unknown call or term '" + Name + "'" + Near).str();
}

int run(Arguments &A) {
  if (A.Positional.size() != (A.has("all") ? 0 : 1))
    return failUsage(ExplainCommand,
                     A.has("all") ? "--all takes no call"
                                  : "explain takes one call or rule, not " +
                                        llvm::Twine(A.Positional.size()));
  if (std::optional<std::string> Page = findPage(A))
    return printPage(*Page, A);
  std::string Name;
  const catalogue::Row *General = nullptr;
  const catalogue::TorchName *InPython = nullptr;
  if (!A.has("all")) {
    const std::string Asked = A.Positional[0];
    Name = nameIn(Asked);
    if (Name.empty())
      return failUsage(ExplainCommand, "explain takes the name of a call");
    // "bool(Tensor)" and "Tensor[mask]" are names, not calls with arguments.
    if ((InPython = catalogue::findTorchName(StringRef(Asked).trim())))
      Name = StringRef(Asked).trim().str();
    else
      InPython = catalogue::findTorchName(Name);
    General = InPython ? catalogue::lookup(InPython->Call) : find(Name);
    // "may be more: launch-bound", as a report prints it.
    if (!General)
      if (std::optional<std::string> Page = report::findTermPage(Name))
        return printPage(*Page, A);
    if (!General)
      return failUsage(ExplainCommand, unknownName(Name));
  }
  llvm::Expected<std::unique_ptr<catalogue::Semantics>> Measured =
      openSemantics(A);
  if (!Measured)
    return fail(Measured.takeError());
  if (llvm::Error E =
          General ? report::print(A, report::CallFormats,
                                  report::CallInput{Name, *General,
                                                    Measured->get(), InPython})
                  : report::print(A, report::CatalogueFormats,
                                  report::CatalogueInput{Measured->get()}))
    return fail(std::move(E));
  return Fine;
}

} // namespace

const Command cli::ExplainCommand = {commands::Explain, nullptr, run};
