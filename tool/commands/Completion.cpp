// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "commands/Commands.h"

#include "llvm/ADT/StringExtras.h"

using namespace autoprof;
using namespace autoprof::commands;
using llvm::StringRef;
using support::Manual;
using support::Option;

namespace {

std::string commandNames() {
  std::string Names;
  for (const Manual *M : all())
    Names += std::string(Names.empty() ? "" : " ") + M->Name;
  return Names;
}

/// Adds its name to `Words`.
void printBashOption(llvm::raw_ostream &OS, const Option &O,
                     std::string &Words) {
  Words += std::string("--") + O.Name + (O.Value ? "= " : " ");
  if (!O.Value)
    return;
  const StringRef Value = O.Value;
  OS << "        ";
  if (O.Short)
    OS << '-' << O.Short << '|';
  OS << "--" << O.Name << ") ";
  if (O.Choices) {
    std::string Choices = O.Choices;
    std::replace(Choices.begin(), Choices.end(), '|', ' ');
    OS << "_autoprof_words \"" << Choices << "\"; ";
  } else if (Value == "DIR" || Value == "FOLDER") {
    OS << "_autoprof_files -d; ";
  } else if (Value == "FILE" || Value == "PATH" || Value == "OUT" ||
             Value == "TRACE") {
    OS << "_autoprof_files -f; ";
  }
  OS << "return;;\n";
}

void printBashCommand(llvm::raw_ostream &OS, const Manual &M) {
  std::string Words;
  OS << "    " << M.Name << ")\n      case $option in\n";
  for (const Option &O : M.all())
    if (O.Help)
      printBashOption(OS, O, Words);
  OS << "      esac\n      options=\"" << Words << "--help\";;\n";
}

} // namespace

/// With and without the package bash-completion; '=' may be in
/// COMP_WORDBREAKS or not.
void commands::printCompletion(llvm::raw_ostream &OS) {
  OS << R"(# Completion of autoprof for bash; generated.
_autoprof_words() { mapfile -t COMPREPLY < <(compgen -W "$1" -- "$current"); }
_autoprof_files() {
  mapfile -t COMPREPLY < <(compgen "$1" -- "$current")
  compopt -o filenames 2>/dev/null
}
_autoprof() {
  local current=${COMP_WORDS[COMP_CWORD]} option="" options="" i
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    _autoprof_words ")"
     << commandNames() << R"( help --help --version"
    return
  fi
  for ((i = 2; i < COMP_CWORD; ++i)); do
    # What comes after belongs to another program.
    if [[ ${COMP_WORDS[i]} == -- ]]; then _autoprof_files -f; return; fi
  done
  if [[ $current == --*=* ]]; then
    option=${current%%=*} current=${current#*=}
  elif [[ $current == = ]]; then
    option=${COMP_WORDS[COMP_CWORD-1]} current=""
  elif [[ ${COMP_WORDS[COMP_CWORD-1]} == = ]]; then
    option=${COMP_WORDS[COMP_CWORD-2]}
  else
    option=${COMP_WORDS[COMP_CWORD-1]}
  fi
  case ${COMP_WORDS[1]} in
    help) _autoprof_words ")"
     << commandNames() << R"("; return;;
)";
  for (const Manual *M : all())
    printBashCommand(OS, *M);
  OS << R"(  esac
  if [[ $current == -* ]]; then
    _autoprof_words "$options"
    [[ ${COMPREPLY[0]-} == *= ]] && compopt -o nospace 2>/dev/null
  else
    _autoprof_files -f
  fi
  return 0
}
complete -F _autoprof autoprof
)";
}
