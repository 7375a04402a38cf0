// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "commands/Commands.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Format.h"

using namespace autoprof;
using namespace autoprof::commands;
using llvm::StringRef;
using support::Manual;
using support::Option;

namespace {

constexpr size_t Width = 79;
/// Where an option's help begins.
constexpr size_t HelpColumn = 22;

/// Fills `Text` from column `Indent` on; the cursor is there already.
void fill(llvm::raw_ostream &OS, StringRef Text, size_t Indent) {
  llvm::SmallVector<StringRef> Lines;
  Text.split(Lines, '\n');
  for (StringRef Line : Lines) {
    if (Line.data() != Text.data())
      OS.indent(Indent);
    size_t Column = Indent;
    llvm::SmallVector<StringRef> Words;
    Line.split(Words, ' ', -1, /*KeepEmpty=*/false);
    for (StringRef Word : Words) {
      if (Column != Indent && Column + 1 + Word.size() > Width) {
        OS << '\n';
        OS.indent(Indent);
        Column = Indent;
      }
      if (Column != Indent) {
        OS << ' ';
        ++Column;
      }
      OS << Word;
      Column += Word.size();
    }
    OS << '\n';
  }
}

void printText(llvm::raw_ostream &OS, const char *Text) {
  llvm::SmallVector<StringRef> Paragraphs;
  StringRef(Text ? Text : "")
      .split(Paragraphs, "\n\n", -1, /*KeepEmpty=*/false);
  for (StringRef Paragraph : Paragraphs) {
    OS << '\n';
    if (Paragraph.starts_with(" "))
      OS << Paragraph << '\n';
    else
      fill(OS, Paragraph, 0);
  }
}

void printOption(llvm::raw_ostream &OS, const Option &O) {
  std::string Head = "  ";
  if (O.Short)
    Head += std::string("-") + O.Short + ", ";
  Head += std::string("--") + O.Name;
  if (O.Value)
    Head += std::string("=") + O.Value;
  OS << Head;
  if (Head.size() + 1 > HelpColumn) {
    OS << '\n';
    Head.clear();
  }
  OS.indent(HelpColumn - Head.size());
  fill(OS, O.Help, HelpColumn);
}

void printOptions(llvm::raw_ostream &OS, const char *Heading,
                  llvm::ArrayRef<Option> Options) {
  if (Options.empty())
    return;
  OS << '\n';
  fill(OS, std::string(Heading) + ":", 0);
  for (const Option &O : Options)
    if (O.Help)
      printOption(OS, O);
}

void printLines(llvm::raw_ostream &OS, StringRef Lines, StringRef First,
                StringRef Others) {
  while (!Lines.empty()) {
    StringRef Line;
    std::tie(Line, Lines) = Lines.split('\n');
    OS << First << Line << '\n';
    First = Others;
  }
}

} // namespace

void commands::printHelp(llvm::raw_ostream &OS, const Manual &M) {
  printLines(OS, M.Usage, "Usage: ", "       ");
  printText(OS, M.Description);
  printOptions(OS, M.Heading, M.Options);
  printOptions(OS, M.MoreHeading, M.MoreOptions);
  printText(OS, M.Notes);
  if (M.ExitCode)
    printText(OS, (std::string("Exit code: ") + M.ExitCode).c_str());
  if (!M.Examples)
    return;
  OS << "\nExamples:\n";
  printLines(OS, M.Examples, "  ", "  ");
}

void commands::printOverview(llvm::raw_ostream &OS) {
  OS << "Usage: autoprof COMMAND [OPTIONS] ...\n"
        "\n"
        "Finds hidden CPU-GPU synchronization in CUDA C++ programs and "
        "measures its cost.\n"
        "\n"
        "Commands:\n";
  for (const Manual *M : all())
    OS << "  " << llvm::left_justify(M->Name, 11) << M->Purpose << '\n';
  OS << "\n"
        "  autoprof COMMAND --help   options and examples of a command\n"
        "  autoprof --version        version and build configuration\n"
        "\n"
        "Instrument a program so that reports name source lines:\n"
        "  clang++ -fplugin=autoprof ...           with clang\n"
        "  cmake -DCMAKE_CUDA_COMPILER_LAUNCHER=autoprof-nvcc ...\n"
        "  make NVCC=autoprof-nvcc                 with nvcc (autoprof-nvcc "
        "--help)\n"
        "  autoprof sites ./train                  check the result\n"
        "\n"
        "Typical use:\n"
        "  autoprof run -o base.pftrace -- ./train --print-loss\n"
        "  autoprof report base.pftrace\n"
        "  autoprof run -o new.pftrace -- ./train --deferred-loss\n"
        "  autoprof diff base.pftrace new.pftrace\n"
        "\n"
        "Exit codes: 0 success; 1 findings (of 'audit', and of 'report' with "
        "--exit-code)\n"
        "or a failed check; 2 wrong usage or an internal failure. 'run' "
        "returns the\n"
        "program's exit code.\n";
}
