// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compilation/NvccArgs.h"

#include "support/LLVMVersion.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/StringSaver.h"

using llvm::StringRef;

namespace autoprof::sources {

std::vector<std::string> splitWords(StringRef Text) {
  llvm::BumpPtrAllocator Memory;
  llvm::StringSaver Saver(Memory);
  llvm::SmallVector<const char *, 16> Found;
  llvm::cl::TokenizeGNUCommandLine(Text, Saver, Found);
  return std::vector<std::string>(Found.begin(), Found.end());
}

namespace {

enum class Form { Flag, Value, List, Joined };
enum class Action {
  Drop,
  As,
  Define,
  Host,
  Include,
  Language,
  Arch,
  PerThread,
  File,
  Output,
  HostCompiler,
  DeviceOnly,
  Dependencies,
  NotSource,
  Runs
};

struct Row {
  StringRef Long, Short;
  Form Spelling;
  Action Meaning;
  StringRef Text;
};

const Row Rows[] = {
#define NVCC(LONG, SHORT, FORM, ACTION, TEXT)                                  \
  {LONG, SHORT, Form::FORM, Action::ACTION, TEXT},
#include "compilation/NvccArgs.def"
#undef NVCC
};

/// The row that `Name` (the part before a '=') spells, or of which `Argument`
/// is a joined form: "-Iinclude".
const Row *find(StringRef Name, StringRef Argument) {
  const Row *Joined = nullptr;
  for (const Row &R : Rows) {
    if (Name == R.Long || Name == R.Short)
      return &R;
    if (R.Spelling == Form::Joined && Argument.starts_with(R.Short))
      Joined = &R;
  }
  return Argument.starts_with("--") ? nullptr : Joined;
}

/// Splits at commas, as nvcc does: not within double quotes, which remain, and
/// the character after a backslash is an ordinary one.
std::vector<std::string> splitList(StringRef Value) {
  std::vector<std::string> Items(1);
  bool IsQuoted = false;
  for (size_t I = 0; I < Value.size(); ++I) {
    IsQuoted ^= Value[I] == '"';
    if (Value[I] == '\\' && I + 1 < Value.size())
      Items.back() += Value[++I];
    else if (Value[I] == ',' && !IsQuoted)
      Items.emplace_back();
    else
      Items.back() += Value[I];
  }
  llvm::erase_if(Items, [](const std::string &Item) { return Item.empty(); });
  return Items;
}

class Reader {
public:
  explicit Reader(StringRef Directory) : Directory(Directory) {}

  llvm::Error read(llvm::ArrayRef<std::string> Args);

  NvccCommand Result;

private:
  llvm::Error readFile(StringRef Name);
  llvm::Error apply(const Row &R, llvm::ArrayRef<std::string> Values);
  void define(StringRef Macro) {
    Result.HostOptions.push_back(("-D" + Macro).str());
  }
  void addArchitectures(StringRef Text);

  StringRef Directory;
  unsigned Depth = 0; ///< Nesting depth of options files.
};

llvm::Error Reader::readFile(StringRef Name) {
  llvm::SmallString<256> Path(Name);
  makeAbsolute(Directory, Path);
  auto Text = llvm::MemoryBuffer::getFile(Path, /*IsText=*/true);
  if (!Text)
    return llvm::createStringError("cannot read the options file '" + Path +
                                   "': " + Text.getError().message());
  if (Depth == 20)
    return llvm::createStringError("the options file '" + Path +
                                   "' includes itself");
  ++Depth;
  llvm::Error E = read(splitWords((*Text)->getBuffer()));
  --Depth;
  return E;
}

/// Adds the numbers in "arch=compute_90a", "code=[sm_80,sm_90]" or "sm_90".
void Reader::addArchitectures(StringRef Text) {
  for (StringRef Rest = Text; !Rest.empty();) {
    size_t Underscore = Rest.find('_');
    if (Underscore == StringRef::npos)
      return;
    StringRef Kind = Rest.take_front(Underscore);
    Rest = Rest.drop_front(Underscore + 1);
    unsigned Number = 0;
    if ((Kind.ends_with("sm") || Kind.ends_with("compute")) &&
        !Rest.consumeInteger(10, Number))
      Result.Architectures.insert(Number * 10);
  }
}

llvm::Error Reader::apply(const Row &R, llvm::ArrayRef<std::string> Values) {
  for (const std::string &Value : Values) {
    switch (R.Meaning) {
    case Action::As:
      Result.HostOptions.push_back((R.Text + Value).str());
      break;
    case Action::Define:
      if (Value == "true" || R.Spelling == Form::Flag)
        define(R.Text);
      break;
    case Action::Host:
      llvm::append_range(Result.HostOptions, splitWords(Value));
      break;
    case Action::Include:
      Result.IncludeFolders.push_back(Value);
      break;
    case Action::Language:
      Result.Language = Value;
      break;
    case Action::Arch:
      addArchitectures(Value);
      break;
    case Action::PerThread:
      if (Value == "per-thread")
        define(R.Text);
      break;
    case Action::File:
      if (llvm::Error E = readFile(Value))
        return E;
      break;
    case Action::Output:
      Result.Output = Value;
      break;
    case Action::HostCompiler:
      Result.HostCompiler = Value;
      break;
    case Action::DeviceOnly:
      Result.DeviceOnly = true;
      break;
    case Action::Dependencies:
      Result.WritesDependencies = true;
      break;
    case Action::NotSource:
      Result.CompilesNothing = true;
      break;
    case Action::Runs:
      Result.RunsProgram = true;
      break;
    case Action::Drop:
      break;
    }
  }
  return llvm::Error::success();
}

llvm::Error Reader::read(llvm::ArrayRef<std::string> Args) {
  for (size_t I = 0; I < Args.size(); ++I) {
    StringRef Argument = Args[I];
    if (Argument.size() > 1 && Argument.consume_front("@")) {
      if (llvm::Error E = readFile(Argument))
        return E;
      continue;
    }
    if (Argument.size() < 2 || Argument[0] != '-') {
      Result.Inputs.push_back(Argument.str());
      continue;
    }
    auto [Name, Value] = Argument.split('=');
    const Row *R = find(Name, Argument);
    if (!R) {
      Result.HostOptions.push_back(Argument.str());
      continue;
    }
    if (R->Spelling == Form::Flag)
      Value = "";
    else if (Name != R->Long && Name != R->Short)
      Value = Argument.drop_front(R->Short.size());
    else if (!Argument.contains('=') && I + 1 < Args.size())
      Value = Args[++I];
    const bool IsList =
        R->Spelling == Form::List || R->Spelling == Form::Joined;
    if (llvm::Error E =
            apply(*R, IsList ? splitList(Value)
                             : std::vector<std::string>{Value.str()}))
      return E;
  }
  return llvm::Error::success();
}

} // namespace

bool NvccCommand::isCuda(StringRef Input) const {
  return Language.empty() ? Input.ends_with(".cu") : Language == "cu";
}

bool NvccCommand::isC(StringRef Input) const {
  return Language.empty() ? Input.ends_with(".c") : Language == "c";
}

llvm::Expected<NvccCommand> readNvcc(llvm::ArrayRef<std::string> Args,
                                     StringRef Directory) {
  Reader R(Directory);
  if (llvm::Error E = R.read(Args))
    return std::move(E);
  return std::move(R.Result);
}

} // namespace autoprof::sources
