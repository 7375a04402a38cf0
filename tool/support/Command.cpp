// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/Command.h"

#include "config/Config.h"
#include "config/ErrorKind.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace autoprof;
using namespace autoprof::support;
using llvm::StringRef;

namespace {

const Option *findOption(llvm::ArrayRef<Option> Known, StringRef Argument) {
  for (const Option &O : Known) {
    if (Argument.starts_with("--")
            ? Argument.drop_front(2) == O.Name
            : Argument.size() == 2 && O.Short && Argument[1] == O.Short)
      return &O;
  }
  return nullptr;
}

struct Given {
  StringRef Name, Value;
  bool HasValue;
};

/// "--name=value", "-n", "-n=value", and "-nvalue" where -n takes one.
Given split(StringRef Argument, llvm::ArrayRef<Option> Known) {
  if (Argument.size() > 2 && Argument[1] != '-' && Argument[2] != '=')
    if (const Option *O = findOption(Known, Argument.take_front(2));
        O && O->Value)
      return {Argument.take_front(2), Argument.drop_front(2), true};
  auto [Name, Value] = Argument.split('=');
  return {Name, Value, Argument.contains('=')};
}

std::string unknownOption(StringRef Argument, llvm::ArrayRef<Option> Known) {
  std::vector<std::string> Names;
  for (const Option &O : Known)
    if (O.Help)
      Names.push_back(std::string("--") + O.Name);
  Names.push_back("--help");
  std::vector<StringRef> Refs(Names.begin(), Names.end());
  return ("unknown option '" + Argument + "'" + suggestion(Argument, Refs))
      .str();
}

/// "a, b or c" of "a|b|c".
std::string listOf(llvm::ArrayRef<StringRef> Choices) {
  std::string List;
  for (const auto &[I, Choice] : llvm::enumerate(Choices))
    List += (I == 0                   ? ""
             : I + 1 < Choices.size() ? ", "
                                      : " or ") +
            Choice.str();
  return List;
}

llvm::Error checkChoice(const Option &O, StringRef Value) {
  if (!O.Choices)
    return llvm::Error::success();
  llvm::SmallVector<StringRef> Choices;
  StringRef(O.Choices).split(Choices, '|');
  if (llvm::is_contained(Choices, Value))
    return llvm::Error::success();
  return llvm::createStringError(llvm::Twine("--") + O.Name + " takes " +
                                 listOf(Choices) + ", not '" + Value + "'");
}

} // namespace

llvm::Expected<Arguments>
autoprof::support::parse(llvm::ArrayRef<StringRef> Args, const Manual &Text,
                         bool UntilProgram) {
  const auto Known = llvm::to_vector(Text.all());
  Arguments Result;
  for (size_t I = 0; I < Args.size(); ++I) {
    StringRef Argument = Args[I];
    bool IsOption = Argument.size() > 1 && Argument[0] == '-';
    if (Argument == "--" || (!IsOption && UntilProgram)) {
      for (StringRef Rest : Args.drop_front(I + (Argument == "--")))
        Result.Positional.push_back(Rest.str());
      break;
    }
    if (!IsOption) {
      Result.Positional.push_back(Argument.str());
      continue;
    }
    auto [Name, Value, HasValue] = split(Argument, Known);
    const Option *O = findOption(Known, Name);
    if (!O)
      return llvm::createStringError(unknownOption(Name, Known));
    if (HasValue && !O->Value)
      return llvm::createStringError("the option '" + Name +
                                     "' takes no value");
    if (O->Value && !HasValue) {
      if (++I == Args.size())
        return llvm::createStringError("the option '" + Name +
                                       "' needs a value");
      Value = Args[I];
    }
    if (O->Value && Value.empty())
      return llvm::createStringError("the option '" + Name + "' needs a value");
    if (llvm::Error E = checkChoice(*O, Value))
      return std::move(E);
    Result.Options[O->Name] = Value.str();
    Result.Given.push_back({O->Name, Value.str()});
  }
  return Result;
}

int autoprof::support::fail(const llvm::Twine &Message) {
  llvm::errs() << "autoprof: " << Message << '\n';
  return Failure;
}

int autoprof::support::fail(llvm::Error E) {
  return fail(llvm::toString(std::move(E)));
}

int autoprof::support::failUsage(const Command &C, const llvm::Twine &Message) {
  return fail(Message + " (see 'autoprof " + C.Text.Name + " --help')");
}

int autoprof::support::failUsage(const Command &C, llvm::Error E) {
  // The help is about options, not about the project's file.
  if (E.isA<ErrorOf<Config>>())
    return fail(std::move(E));
  return failUsage(C, llvm::toString(std::move(E)));
}

int autoprof::support::finishOutput(int Code) {
  llvm::outs().flush();
  if (llvm::outs().has_error()) {
    std::string Reason = llvm::outs().error().message();
    llvm::outs().clear_error();
    Code = fail("cannot write the output: " + Reason);
  }
  // A stream that is destroyed with an error aborts, but if nobody reads
  // standard error, the error cannot be reported.
  llvm::errs().clear_error();
  return Code;
}
