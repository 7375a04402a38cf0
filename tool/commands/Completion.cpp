// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "commands/Commands.h"
#include "commands/Text.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace autoprof;
using namespace autoprof::commands;
using llvm::StringRef;
using support::Manual;
using support::Option;
using support::OptionGroup;

namespace {

void forEachOption(const Manual &M,
                   llvm::function_ref<void(const Option &)> Visit) {
  for (const OptionGroup &G : M.Groups)
    for (const Option &O : G.Options)
      if (O.Help)
        Visit(O);
}

std::string commandNames() {
  std::string Names;
  for (const Manual *M : all())
    Names += std::string(Names.empty() ? "" : " ") + M->Name;
  return Names;
}

/// What comes before the first full stop, semicolon or line, in at most 60
/// characters.
std::string shortHelp(const Option &O) {
  StringRef Text = StringRef(O.Help).take_until(
      [](char C) { return C == ';' || C == '\n'; });
  Text = Text.split(". ").first;
  if (Text.size() > 60)
    Text = Text.take_front(Text.take_front(60).rfind(' '));
  return Text.str();
}

bool namesFile(const Option &O) {
  const StringRef Value = O.Value ? O.Value : "";
  return !O.Choices && (Value == "FILE" || Value == "PATH" || Value == "OUT" ||
                        Value == "TRACE");
}

bool namesFolder(const Option &O) {
  return O.Value &&
         (StringRef(O.Value) == "DIR" || StringRef(O.Value) == "FOLDER");
}

std::string choicesOf(const Option &O) {
  std::string Words = O.Choices;
  std::replace(Words.begin(), Words.end(), '|', ' ');
  return Words;
}

/// "-o|--output".
std::string spellings(const Option &O) {
  return (O.Short ? std::string("-") + O.Short + "|" : "") + "--" + O.Name;
}

void printBashCommand(llvm::raw_ostream &OS, const Manual &M) {
  std::string Words;
  OS << "    " << M.Name << ")\n      case $option in\n";
  forEachOption(M, [&](const Option &O) {
    Words += std::string("--") + O.Name + (O.Value ? "= " : " ");
    if (!O.Value)
      return;
    OS << "        " << spellings(O) << ") ";
    if (O.Choices)
      OS << "_autoprof_words \"" << choicesOf(O) << "\"; ";
    else if (namesFolder(O))
      OS << "_autoprof_files -d; ";
    else if (namesFile(O))
      OS << "_autoprof_files -f; ";
    OS << "return;;\n";
  });
  OS << "      esac\n      options=\"" << Words << "--help\";;\n";
}

/// With and without the package bash-completion; '=' may be in
/// COMP_WORDBREAKS or not.
void printBash(llvm::raw_ostream &OS) {
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

/// Within single quotes.
std::string quote(StringRef Text) {
  std::string Result;
  for (char C : Text)
    Result += C == '\'' ? "'\\''" : std::string(1, C);
  return Result;
}

/// Also for what _arguments reads in brackets and after colons.
std::string zshText(StringRef Text) {
  std::string Result;
  for (char C : Text) {
    if (C == ':' || C == '[' || C == ']' || C == '\\')
      Result += '\\';
    Result += C;
  }
  return quote(Result);
}

void printZshOption(llvm::raw_ostream &OS, const Option &O) {
  std::string Rest = "[" + zshText(shortHelp(O)) + "]";
  if (O.Value) {
    Rest += ":" + zshText(O.Value) + ":";
    if (O.Choices)
      Rest += "(" + choicesOf(O) + ")";
    else if (namesFolder(O))
      Rest += "_files -/";
    else if (namesFile(O))
      Rest += "_files";
  }
  OS << "        '*--" << O.Name << (O.Value ? "=" : "") << Rest << "' \\\n";
  if (O.Short)
    OS << "        '*-" << O.Short << (O.Value ? "+" : "") << Rest << "' \\\n";
}

void printZsh(llvm::raw_ostream &OS) {
  OS << R"(#compdef autoprof
# Completion of autoprof for zsh; generated.
_autoprof() {
  local curcontext=$curcontext state line
  local -a commands=(
)";
  for (const Manual *M : all())
    OS << "    '" << M->Name << ":" << zshText(M->Purpose) << "'\n";
  OS << R"(  )
  _arguments -C '--help[what there is]' '--version[the version]' \
    '1: :->command' '*:: :->arguments'
  case $state in
    command) _describe -t commands command commands;;
    arguments)
      curcontext=${curcontext%:*:*}:autoprof-$line[1]:
      case $line[1] in
)";
  for (const Manual *M : all()) {
    OS << "      " << M->Name << ")\n        _arguments -s \\\n";
    forEachOption(*M, [&OS](const Option &O) { printZshOption(OS, O); });
    OS << "        '--help[what it takes]' '*:file:_files';;\n";
  }
  OS << R"(      esac;;
  esac
}
# Sourced it only defines itself; autoloaded it completes.
if [[ $funcstack[1] == _autoprof ]]; then
  _autoprof "$@"
else
  compdef _autoprof autoprof
fi
)";
}

/// Fish reads \' and \\ within single quotes.
std::string fishText(StringRef Text) {
  std::string Result;
  for (char C : Text) {
    if (C == '\'' || C == '\\')
      Result += '\\';
    Result += C;
  }
  return Result;
}

void printFish(llvm::raw_ostream &OS) {
  OS << "# Completion of autoprof for fish; generated.\n"
        "complete -c autoprof -n __fish_use_subcommand -l help -f\n"
        "complete -c autoprof -n __fish_use_subcommand -l version -f\n";
  for (const Manual *M : all()) {
    OS << "complete -c autoprof -n __fish_use_subcommand -f -a " << M->Name
       << " -d '" << fishText(M->Purpose) << "'\n";
    forEachOption(*M, [&](const Option &O) {
      OS << "complete -c autoprof -n '__fish_seen_subcommand_from " << M->Name
         << "' -l " << O.Name;
      if (O.Short)
        OS << " -s " << O.Short;
      if (O.Choices)
        OS << " -x -a '" << choicesOf(O) << "'";
      else if (O.Value)
        OS << (namesFile(O) || namesFolder(O) ? " -r" : " -x");
      OS << " -d '" << fishText(shortHelp(O)) << "'\n";
    });
  }
}

} // namespace

bool commands::printCompletion(llvm::raw_ostream &OS, StringRef Shell) {
  if (Shell == "bash")
    printBash(OS);
  else if (Shell == "zsh")
    printZsh(OS);
  else if (Shell == "fish")
    printFish(OS);
  else
    return false;
  return true;
}
