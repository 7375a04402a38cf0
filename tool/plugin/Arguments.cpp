// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "plugin/Arguments.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/raw_ostream.h"

using llvm::Error;
using llvm::StringRef;

namespace autoprof::plugin {

namespace {

Error usage(const llvm::Twine &Message) {
  return llvm::createStringError(Message);
}

Error parseSwitch(StringRef Name, StringRef Value, bool &Target) {
  if (Value != "on" && Value != "off")
    return usage("'" + Value + "' is no value of '" + Name +
                 "'; write on or off");
  Target = Value == "on";
  return Error::success();
}

Error parseRegex(StringRef Name, StringRef Value,
                 std::optional<std::string> &Target) {
  std::string Why;
  if (!llvm::Regex(Value).isValid(Why))
    return usage("'" + Value + "' of '" + Name +
                 "' is no regular expression: " + Why);
  Target = Value.str();
  return Error::success();
}

Error parseFolder(StringRef Name, StringRef Value, std::string &Target) {
  if (Value.empty())
    return usage("'" + Name + "' needs a folder: " + Name + "=DIR");
  Target = Value.str();
  return Error::success();
}

struct Argument {
  StringRef Name, Value, Meaning;
  Error (*Parse)(StringRef Name, StringRef Value, Arguments &A);
};

const Argument Known[] = {
    {"root", "DIR",
     "what paths in site tables are relative to (default: the nearest folder "
     "above the main file with .autoprof or .git)",
     [](StringRef Name, StringRef Value, Arguments &A) {
       if (!Value.empty() && !llvm::sys::fs::is_directory(Value))
         return usage("'" + Value + "' of 'root' is no folder");
       return parseFolder(Name, Value, A.Rewrite.Root.emplace());
     }},
    {"header-filter", "REGEX",
     "headers to instrument, by absolute path (default: those under root); "
     "never system headers",
     [](StringRef Name, StringRef Value, Arguments &A) {
       return parseRegex(Name, Value, A.Rewrite.HeaderFilter);
     }},
    {"exclude", "REGEX", "headers to leave alone, by absolute path",
     [](StringRef Name, StringRef Value, Arguments &A) {
       return parseRegex(Name, Value, A.Rewrite.Exclude);
     }},
    {"ranges", "on|off", "probes for functions and loops (default: on)",
     [](StringRef Name, StringRef Value, Arguments &A) {
       return parseSwitch(Name, Value, A.Rewrite.Ranges);
     }},
    {"verify", "on|off",
     "parse the rewritten text before it is compiled, in any case (default: "
     "off, only where it is most at risk)",
     [](StringRef Name, StringRef Value, Arguments &A) {
       return parseSwitch(Name, Value, A.Rewrite.Verify);
     }},
    {"list", "on|off",
     "print each probe, and each place that got none and why (default: off)",
     [](StringRef Name, StringRef Value, Arguments &A) {
       return parseSwitch(Name, Value, A.List);
     }},
    {"emit", "DIR", "also write the rewritten files into this folder",
     [](StringRef Name, StringRef Value, Arguments &A) {
       return parseFolder(Name, Value, A.EmitFolder);
     }},
    {"help", "", "print these lines",
     [](StringRef, StringRef, Arguments &A) -> Error {
       A.Help = true;
       return Error::success();
     }},
};

} // namespace

std::string help() {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  OS << "autoprof puts probes around kernel launches and CUDA calls.\n";
  for (const Argument &A : Known)
    OS << "  -fplugin-arg-autoprof-" << A.Name << (A.Value.empty() ? "" : "=")
       << A.Value << "\n      " << A.Meaning << '\n';
  return Text;
}

llvm::Expected<Arguments> parseArguments(const std::vector<std::string> &Args) {
  Arguments Result;
  for (StringRef Arg : Args) {
    auto [Name, Value] = Arg.split('=');
    const Argument *Found = llvm::find_if(
        Known, [Name = Name](const Argument &A) { return A.Name == Name; });
    if (Found == std::end(Known)) {
      std::string Names;
      for (const Argument &A : Known)
        Names += (Names.empty() ? "" : ", ") + A.Name.str();
      return usage("unknown argument '" + Name + "'; known are " + Names);
    }
    if (Error E = Found->Parse(Name, Value, Result))
      return std::move(E);
  }
  return Result;
}

} // namespace autoprof::plugin
