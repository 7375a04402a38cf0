// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "commands/Commands.h"
#include "commands/Text.h"

#include "llvm/ADT/SmallVector.h"

using namespace autoprof;
using namespace autoprof::commands;
using llvm::StringRef;
using support::Manual;
using support::Option;
using support::OptionGroup;

namespace {

/// As text that roff shows as it is, one source line for each line.
std::string escape(StringRef Text) {
  std::string Result;
  bool AtStart = true;
  for (char C : Text) {
    if (AtStart && (C == '.' || C == '\''))
      Result += "\\&";
    if (C == '\\')
      Result += "\\e";
    else if (C == '-')
      Result += "\\-";
    else if (C == '\'')
      Result += "\\(aq";
    else if (C == '~')
      Result += "\\(ti";
    else if (C == '^')
      Result += "\\(ha";
    else if (C == '`')
      Result += "\\(ga";
    else
      Result += C;
    AtStart = C == '\n';
  }
  return Result;
}

void printVerbatim(llvm::raw_ostream &OS, StringRef Lines) {
  OS << ".nf\n" << escape(Lines) << "\n.fi\n";
}

/// `First`: no space is needed before it, as after a heading.
void printParagraph(llvm::raw_ostream &OS, StringRef Paragraph, bool First) {
  if (!First)
    OS << ".PP\n";
  if (Paragraph.starts_with(" "))
    printVerbatim(OS, Paragraph);
  else
    OS << escape(Paragraph) << '\n';
}

void printOption(llvm::raw_ostream &OS, const Option &O) {
  OS << ".TP\n";
  if (O.Short)
    OS << "\\fB\\-" << O.Short << "\\fR, ";
  OS << "\\fB" << escape(std::string("--") + O.Name) << "\\fR";
  if (O.Value)
    OS << "=\\fI" << escape(O.Value) << "\\fR";
  OS << '\n';
  llvm::SmallVector<StringRef> Lines;
  StringRef(O.Help).split(Lines, '\n');
  for (StringRef Line : Lines) {
    if (Line.data() != O.Help)
      OS << ".br\n";
    OS << escape(Line) << '\n';
  }
}

void printHeader(llvm::raw_ostream &OS, StringRef Title, StringRef Purpose,
                 StringRef Date) {
  OS << ".\\\" Generated from autoprof's table of options.\n.TH "
     << escape(Title.upper()) << " 1 \"" << Date
     << "\" \"autoprof " AUTOPROF_VERSION "\" \"autoprof\"\n.SH NAME\n"
     << escape(Title) << " \\- " << escape(Purpose) << "\n";
}

} // namespace

std::string commands::titleOf(const Manual &M) {
  return std::string("autoprof-") + M.Name;
}

void commands::printManPage(llvm::raw_ostream &OS, const Manual &M,
                            StringRef Date) {
  printHeader(OS, titleOf(M), M.Purpose, Date);
  OS << ".SH SYNOPSIS\n";
  printVerbatim(OS, M.Usage);
  OS << ".SH DESCRIPTION\n";
  for (StringRef Paragraph : paragraphs(M.Description))
    printParagraph(OS, Paragraph, Paragraph.data() == M.Description);
  for (const OptionGroup &G : M.Groups) {
    if (&G == M.Groups.begin())
      OS << ".SH OPTIONS\n";
    else
      OS << ".PP\n" << escape(G.Heading) << ":\n";
    for (const Option &O : G.Options)
      if (O.Help)
        printOption(OS, O);
  }
  if (M.ExitCode)
    OS << ".SH EXIT STATUS\n" << escape(M.ExitCode) << '\n';
  if (M.Notes)
    OS << ".SH NOTES\n";
  for (StringRef Paragraph : paragraphs(M.Notes))
    printParagraph(OS, Paragraph, Paragraph.data() == M.Notes);
  if (M.Examples) {
    OS << ".SH EXAMPLES\n";
    printVerbatim(OS, M.Examples);
  }
  OS << ".SH SEE ALSO\n\\fBautoprof\\fR(1)\n";
}

void commands::printMainPage(llvm::raw_ostream &OS, StringRef Date) {
  printHeader(OS, "autoprof",
              "finds and prices hidden CPU-GPU synchronization in CUDA C++ "
              "programs",
              Date);
  OS << ".SH SYNOPSIS\n.B autoprof\n\\fICOMMAND\\fR [\\fIOPTIONS\\fR] ...\n"
        ".br\n.B autoprof\n\\-\\-help | \\-\\-version\n"
        ".SH DESCRIPTION\n"
        "Records what a CUDA program launches and where its CPU waits for the "
        "GPU, reports what each wait costs by source line, and finds such "
        "waits in sources without a GPU.\n"
        ".SH COMMANDS\n";
  for (const Manual *M : all())
    OS << ".TP\n\\fB" << escape(titleOf(*M)) << "\\fR(1)\n"
       << escape(M->Purpose) << '\n';
  OS << ".SH EXIT STATUS\n"
        "0 fine; 1 findings, where \\-\\-exit\\-code asks for it, or a failed "
        "check; 2 wrong usage or a failure of autoprof. \\fBautoprof run\\fR "
        "passes on the program\\(aqs.\n"
        ".SH ENVIRONMENT\n"
        ".TP\nAUTOPROF_DISABLE\nany value but 0: nothing is recorded, and "
        "\\fBautoprof\\-nvcc\\fR(1) runs nvcc as it is.\n"
        ".TP\nAUTOPROF_MODE\nwhat \\fBautoprof run\\fR records where "
        "\\-\\-mode does not tell. Its other options are variables, too: "
        "\\-\\-steps is AUTOPROF_STEPS.\n"
        ".TP\nAUTOPROF_SEMANTICS\nthe default of \\-\\-semantics.\n"
        ".TP\nNO_COLOR\nwhere it is set, nothing is colored.\n"
        ".SH FILES\n.TP\n.I .autoprof\nin a folder at or above the sources: "
        "what is instrumented and audited there, and the program\\(aqs step.\n"
        ".SH EXAMPLES\n";
  printVerbatim(OS, "autoprof run -o base.pftrace -- ./train --print-loss\n"
                    "autoprof report base.pftrace\n"
                    "autoprof run -o new.pftrace -- ./train --deferred-loss\n"
                    "autoprof diff base.pftrace new.pftrace");
  OS << ".SH SEE ALSO\n\\fBautoprof\\-nvcc\\fR(1)\n";
}
