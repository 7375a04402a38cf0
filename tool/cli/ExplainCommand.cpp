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

#include <algorithm>

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
  if (std::optional<std::string> Page = report::findTermPage(A.Positional[0]))
    return Page;
  return operatorPage(A.Positional[0]);
}

/// The error about an unknown name that begins with "autoprof-".
std::string unknownRule(StringRef Name) {
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

/// Returns the exit code.
int printPage(const std::string &Page, const Arguments &A) {
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

/// "vector<pair<int, int>>::size" -> "vector::size".
std::string withoutTemplateArguments(StringRef Name) {
  std::string Result;
  unsigned Depth = 0;
  for (char C : Name) {
    Depth += C == '<';
    if (!Depth)
      Result += C;
    Depth -= C == '>' && Depth;
  }
  return Result;
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
  return withoutTemplateArguments(Text);
}

/// The row of Tensor.item for "loss.item() > cudaMemcpyAsync", and for a path
/// of operators; null where what is around the call is not known. Sets
/// `Expression` to it.
const catalogue::TorchName *nameAround(StringRef Text,
                                       std::string &Expression) {
  StringRef Path = Text.rsplit(" > ").first;
  if (Path == Text)
    return nullptr;
  Expression = Path.trim().str();
  if (const catalogue::TorchName *Known = catalogue::torchNameIn(Path))
    return Known;
  StringRef Method = Path.rsplit(" > ").second;
  Method = (Method.empty() ? Path : Method).trim();
  Method = Method.take_until([](char C) { return C == '(' || C == '<'; });
  return Method.contains('.')
             ? catalogue::findTorchName(
                   ("Tensor." + Method.rsplit('.').second).str())
             : nullptr;
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

StringRef unqualified(StringRef Name) {
  size_t Colons = Name.rfind("::");
  return Colons == StringRef::npos ? Name : Name.drop_front(Colons + 2);
}

/// "; did you mean 'a', 'b' or 'c'?" of the nearest names, or "".
std::string nearest(StringRef Name) {
  std::vector<std::pair<unsigned, StringRef>> Candidates;
  for (const catalogue::Row &R : catalogue::rows()) {
    if (!R.General || R.Name.ends_with("*"))
      continue;
    unsigned Distance = std::min(
        StringRef(R.Name).edit_distance_insensitive(Name),
        1 + unqualified(R.Name).edit_distance_insensitive(unqualified(Name)));
    // A larger distance is not a typing error.
    if (Distance <= std::max<size_t>(2, Name.size() / 4))
      Candidates.push_back({Distance, R.Name});
  }
  llvm::sort(Candidates);
  if (Candidates.empty())
    return "";
  std::string Result = "; did you mean ";
  size_t Count = std::min<size_t>(Candidates.size(), 3);
  for (size_t I = 0; I < Count; ++I)
    Result += (I ? I + 1 == Count ? " or '" : ", '" : "'") +
              Candidates[I].second.str() + "'";
  return Result + "?";
}

/// The error about a name that is neither a call nor a term. A term or a
/// finding that is nearly that comes first: short words resemble many calls.
std::string unknownName(const std::string &Name) {
  std::string Near;
  std::vector<StringRef> Terms = report::termNames();
  llvm::append_range(Terms, report::findingNames());
  for (StringRef Term : Terms)
    if (Near.empty() && Term.edit_distance_insensitive(Name) <= Term.size() / 5)
      Near = ("; did you mean '" + Term + "'?").str();
  if (Near.empty())
    Near = nearest(Name);
  // Not a name of C++ or Python.
  if (Near.empty() && StringRef(Name).find_first_of(".:") == StringRef::npos)
    Near = "; the terms are " + llvm::join(report::termPages(), ", ") +
           "; the findings, " + llvm::join(report::findingNames(), ", ") +
           "; 'autoprof audit --list-checks' lists the rules of the audit";
  return "unknown call or term '" + Name + "'" + Near;
}

int run(llvm::ArrayRef<StringRef> Args) {
  llvm::Expected<Arguments> A = parse(Args, commands::Explain);
  if (!A)
    return failUsage(ExplainCommand, llvm::toString(A.takeError()));
  if (A->Positional.size() != (A->has("all") ? 0 : 1))
    return failUsage(ExplainCommand,
                     A->has("all") ? "--all takes no call"
                                   : "explain takes one call or rule, not " +
                                         llvm::Twine(A->Positional.size()));
  if (std::optional<std::string> Page = findPage(*A))
    return printPage(*Page, *A);
  if (!A->has("all") && StringRef(A->Positional[0]).starts_with("autoprof-"))
    return failUsage(ExplainCommand, unknownRule(A->Positional[0]));
  std::string Name;
  const catalogue::Row *General = nullptr;
  const catalogue::TorchName *InPython = nullptr, *Around = nullptr;
  std::string Expression;
  if (!A->has("all")) {
    const std::string Asked = A->Positional[0];
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
        return printPage(*Page, *A);
    if (!General)
      return failUsage(ExplainCommand, unknownName(Name));
    Around = nameAround(Asked, Expression);
  }
  llvm::Expected<std::unique_ptr<catalogue::Semantics>> Measured =
      openSemantics(*A);
  if (!Measured)
    return fail(llvm::toString(Measured.takeError()));
  llvm::Expected<report::Output> Out = report::openOutput(*A);
  if (!Out)
    return fail(llvm::toString(Out.takeError()));
  if (General)
    Out->write(report::CallFormats,
               report::CallInput{Name, *General, Measured->get(), InPython,
                                 Around, Expression});
  else
    Out->write(report::CatalogueFormats,
               report::CatalogueInput{Measured->get()});
  if (llvm::Error E = Out->finish())
    return fail(llvm::toString(std::move(E)));
  return Fine;
}

} // namespace

const Command cli::ExplainCommand = {commands::Explain, run};
