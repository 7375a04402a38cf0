// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "plugin/Arguments.h"

#include "config/Suggestion.h"
#include "source/sites/Experiments.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
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
    return usage("invalid value '" + Value + "' for '" + Name +
                 "'; use on or off");
  Target = Value == "on";
  return Error::success();
}

Error parseFolder(StringRef Name, StringRef Value, std::string &Target) {
  if (Value.empty())
    return usage("'" + Name + "' needs a folder: " + Name + "=DIR");
  Target = Value.str();
  return Error::success();
}

/// The arguments that are not keys of the configuration.
struct Argument {
  StringRef Name, Value, Meaning;
  Error (*Parse)(StringRef Name, StringRef Value, Arguments &A);
};

const Argument Known[] = {
    {"instrument", "on|off",
     "put probes into the program (default: on); off: audit only",
     [](StringRef Name, StringRef Value, Arguments &A) {
       return parseSwitch(Name, Value, A.Instrument);
     }},
    {"audit", "on|off|GLOBS",
     "warn about hidden synchronization: the rules that .autoprof asks for, or "
     "those named by globs as in autoprof audit --checks (default: off)",
     [](StringRef, StringRef Value, Arguments &A) -> Error {
       A.Checks = Value == "on"
                      ? "autoprof-*," + A.Rewrite.AuditChecks.value_or("")
                  : Value == "off" ? ""
                                   : Value.str();
       A.ChecksOfFile = Value == "on";
       if (Value.empty() ||
           (Value != "on" && Value != "off" && !Value.contains("autoprof") &&
            !Value.contains('*')))
         return usage("invalid value '" + Value +
                      "' for 'audit'; use on, off, "
                      "or globs such as autoprof-copy-*");
       return Error::success();
     }},
    {"verify", "on|off",
     "always re-parse the rewritten text (default: off, only risky files)",
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
    {"postpone", "SITES",
     "an experiment: copies to the host return the previous call's value, "
     "synchronizations are left out; sites by FILE:LINE or id",
     [](StringRef, StringRef Value, Arguments &A) {
       return source::parseSiteNames(Value).moveInto(A.Rewrite.Postpone);
     }},
    {"nvcc-compat", "on|off",
     "compile CUDA files with stand-ins for names that nvcc has and clang "
     "lacks, host and device side (default: off)",
     [](StringRef Name, StringRef Value, Arguments &A) {
       return parseSwitch(Name, Value, A.NvccCompat);
     }},
    {"help", "", "print these lines",
     [](StringRef, StringRef, Arguments &A) -> Error {
       A.Help = true;
       return Error::success();
     }},
};

/// The keys of the configuration, then the plugin's own arguments.
template <typename Function> void forEachArgument(Function Visit) {
  for (const ConfigKey &K : configKeys())
    Visit(K.Name, K.Value, K.Meaning);
  for (const Argument &A : Known)
    Visit(A.Name, A.Value, A.Meaning);
}

Error unknown(StringRef Name) {
  std::vector<StringRef> Names;
  forEachArgument(
      [&](StringRef N, StringRef, StringRef) { Names.push_back(N); });
  std::string Closest = suggestion(Name, Names);
  return usage(
      "unknown argument '" + Name + "'" +
      (Closest.empty() ? "; known are " + llvm::join(Names, ", ") : Closest));
}

} // namespace

std::string help() {
  std::string Text;
  llvm::raw_string_ostream OS(Text);
  OS << "autoprof puts probes around kernel launches and CUDA calls.\n";
  forEachArgument([&](StringRef Name, StringRef Value, StringRef Meaning) {
    OS << "  -fplugin-arg-autoprof-" << Name << (Value.empty() ? "" : "=")
       << Value << "\n      " << Meaning << '\n';
  });
  return Text;
}

llvm::Expected<Arguments> parseArguments(const std::vector<std::string> &Args,
                                         const Config &Project) {
  Arguments Result;
  static_cast<Config &>(Result.Rewrite) = Project;
  for (StringRef Arg : Args) {
    auto [Name, Value] = Arg.split('=');
    const Argument *Found = llvm::find_if(
        Known, [Name = Name](const Argument &A) { return A.Name == Name; });
    const ConfigKey *Key = findConfigKey(Name);
    if (Found == std::end(Known) && !Key)
      return unknown(Name);
    if (Error E = Key ? setConfig(*Key, Value, Result.Rewrite)
                      : Found->Parse(Name, Value, Result))
      return std::move(E);
  }
  return Result;
}

} // namespace autoprof::plugin
