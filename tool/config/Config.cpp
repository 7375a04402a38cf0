// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "config/Config.h"

#include "config/ErrorKind.h"
#include "config/StepName.h"
#include "config/Suggestion.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/GlobPattern.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/YAMLParser.h"

using namespace autoprof;
using llvm::Error;
using llvm::StringRef;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

namespace {

using Values = llvm::ArrayRef<std::string>;

Error sentence(const llvm::Twine &Message) {
  return llvm::createStringError(Message);
}

Error setRegex(StringRef Name, Values V, std::optional<std::string> &Out) {
  std::string Reason;
  if (!llvm::Regex(V[0]).isValid(Reason))
    return sentence("'" + V[0] + "' of '" + Name +
                    "' is not a regular expression: " + Reason);
  Out = V[0];
  return Error::success();
}

Error setGlobs(StringRef Name, Values V, std::vector<std::string> &Out) {
  for (const std::string &Glob : V) {
    llvm::Expected<llvm::GlobPattern> Pattern =
        llvm::GlobPattern::create(Glob, /*MaxSubPatterns=*/1024);
    if (!Pattern)
      return sentence("'" + Glob + "' of '" + Name +
                      "' is not a pattern: " + toString(Pattern.takeError()));
  }
  Out.assign(V.begin(), V.end());
  return Error::success();
}

Error setSwitch(StringRef Name, Values V, bool &Out) {
  if (V[0] != "on" && V[0] != "off")
    return sentence("invalid value '" + V[0] + "' for '" + Name +
                    "'; use on or off");
  Out = V[0] == "on";
  return Error::success();
}

Error setNumber(StringRef Name, Values V, unsigned &Out) {
  if (StringRef(V[0]).getAsInteger(10, Out))
    return sentence("invalid value '" + V[0] + "' for '" + Name +
                    "'; use a whole number, 0 or more");
  return Error::success();
}

/// A mistaken kind of step: the text before a colon that is almost one, or that
/// comes before FILE:LINE. Other names may have colons (std::sort, train.cu:88,
/// "epoch: train").
StringRef mistakenKind(StringRef Step) {
  auto [Kind, Rest] = Step.split(':');
  if (Rest.empty() || Rest.starts_with(":") ||
      llvm::is_contained(StepName::Kinds, Kind))
    return "";
  auto [File, Line] = Rest.rsplit(':');
  unsigned Number = 0;
  const bool IsPlace = !File.empty() && !Line.getAsInteger(10, Number);
  return IsPlace || !nearest(Kind, StepName::Kinds).empty() ? Kind : "";
}

Error setStep(StringRef Name, Values V, std::string &Out) {
  if (const StringRef Kind = mistakenKind(V[0]); !Kind.empty()) {
    const std::string Closest = suggestion(Kind, StepName::Kinds);
    return sentence("'" + Kind + "' in '" + V[0] + "' of '" + Name +
                    "' is not a kind of step" +
                    (Closest.empty() ? "; use function:NAME, range:NAME or "
                                       "loop:FILE:LINE"
                                     : Closest));
  }
  StepName Step(V[0]);
  bool OnlyLoops = Step.Loops && !Step.Functions;
  auto [File, Line] = Step.Text.rsplit(':');
  unsigned Number = 0;
  if (V[0].empty() || (OnlyLoops && Line.getAsInteger(10, Number)))
    return sentence("'" + V[0] + "' of '" + Name +
                    "' does not name a step; use function:NAME, range:NAME or "
                    "loop:FILE:LINE");
  Out = V[0];
  return Error::success();
}

const ConfigKey Keys[] = {
    {"root", false,
     [](StringRef Name, Values V, Config &Out) -> Error {
       if (!V[0].empty() && !fs::is_directory(V[0]))
         return sentence(Name + ": '" + V[0] + "' is not a folder");
       if (V[0].empty())
         return sentence("'" + Name + "' needs a folder: " + Name + "=DIR");
       Out.Root = V[0];
       return Error::success();
     }},
    {"exclude-files", true,
     [](StringRef Name, Values V, Config &Out) {
       return setGlobs(Name, V, Out.ExcludeFiles);
     }},
    {"include-functions", true,
     [](StringRef Name, Values V, Config &Out) {
       return setGlobs(Name, V, Out.IncludeFunctions);
     }},
    {"exclude-functions", true,
     [](StringRef Name, Values V, Config &Out) {
       return setGlobs(Name, V, Out.ExcludeFunctions);
     }},
    {"ranges", false,
     [](StringRef Name, Values V, Config &Out) {
       return setSwitch(Name, V, Out.Ranges);
     }},
    {"min-statements", false,
     [](StringRef Name, Values V, Config &Out) {
       return setNumber(Name, V, Out.MinStatements);
     }},
    {"step", false,
     [](StringRef Name, Values V, Config &Out) {
       return setStep(Name, V, Out.Step);
     }},
};

Error setSeverity(StringRef Name, Values V, std::optional<std::string> &Out) {
  constexpr StringRef Known[] = {"high", "medium", "low", "note", "never"};
  if (!llvm::is_contained(Known, V[0]))
    return sentence("'" + V[0] + "' of '" + Name +
                    "' is not a severity; use high, medium, low, note or "
                    "never");
  Out = V[0];
  return Error::success();
}

Error setList(Values V, std::optional<std::string> &Out) {
  Out = llvm::join(V, ",");
  return Error::success();
}

constexpr StringRef AuditKey = "audit";
const ConfigKey AuditKeys[] = {
    {"checks", true,
     [](StringRef, Values V, Config &Out) {
       return setList(V, Out.AuditChecks);
     }},
    {"header-filter", false,
     [](StringRef Name, Values V, Config &Out) {
       return setRegex(Name, V, Out.AuditHeaderFilter);
     }},
    {"warnings-as-errors", true,
     [](StringRef, Values V, Config &Out) {
       return setList(V, Out.AuditWarningsAsErrors);
     }},
    {"fail-on", false,
     [](StringRef Name, Values V, Config &Out) {
       return setSeverity(Name, V, Out.AuditFailOn);
     }},
};

const ConfigKey *keyNamed(llvm::ArrayRef<ConfigKey> Keys, StringRef Name) {
  const ConfigKey *Found =
      llvm::find_if(Keys, [&](const ConfigKey &K) { return K.Name == Name; });
  return Found == Keys.end() ? nullptr : Found;
}

/// The usual mistake: a pattern or a regular expression in a file.
constexpr char Quotes[] = "; values with special characters need single quotes";

/// Turns a file's nodes into keys and values.
class Reader {
  llvm::SourceMgr SM;
  std::string Path, Problem;
  Config &Out;

  Error at(const llvm::yaml::Node *N, const llvm::Twine &Message) {
    // Of a damaged file, nodes may lie nowhere.
    llvm::SMLoc Loc = N ? N->getSourceRange().Start : llvm::SMLoc();
    unsigned Line = Loc.isValid() && SM.FindBufferContainingLoc(Loc)
                        ? SM.getLineAndColumn(Loc).first
                        : 1;
    return sentence(Path + ":" + llvm::Twine(Line) + ": " + Message);
  }
  Error readEntry(llvm::yaml::KeyValueNode &Entry,
                  llvm::ArrayRef<ConfigKey> Known);
  Error readMap(llvm::yaml::Node *N, llvm::ArrayRef<ConfigKey> Known);
  llvm::Expected<std::vector<std::string>>
  readValues(const ConfigKey &Key, llvm::yaml::Node *Name, llvm::yaml::Node *N);

public:
  Reader(StringRef Path, Config &Out) : Path(Path), Out(Out) {
    SM.setDiagHandler(
        [](const llvm::SMDiagnostic &D, void *Context) {
          auto &Self = *static_cast<Reader *>(Context);
          if (Self.Problem.empty())
            Self.Problem = (Self.Path + ":" + llvm::Twine(D.getLineNo()) +
                            ": this is not YAML: " + D.getMessage() + Quotes)
                               .str();
        },
        this);
  }
  Error read(StringRef Text);
};

llvm::Expected<std::vector<std::string>>
Reader::readValues(const ConfigKey &Key, llvm::yaml::Node *Name,
                   llvm::yaml::Node *N) {
  std::vector<std::string> Result;
  llvm::SmallString<64> Storage;
  if (auto *Scalar = llvm::dyn_cast_or_null<llvm::yaml::ScalarNode>(N)) {
    const StringRef Text = Scalar->getValue(Storage);
    if (!Key.IsList)
      return std::vector<std::string>{Text.str()};
    // As in an argument of the plugin.
    for (StringRef Part : llvm::split(Text, ','))
      if (!Part.trim().empty())
        Result.push_back(Part.trim().str());
    return Result;
  }
  auto *List = llvm::dyn_cast_or_null<llvm::yaml::SequenceNode>(N);
  if (!List || !Key.IsList)
    return at(Name,
              "'" + Key.Name + "' takes " +
                  (Key.IsList ? "a value or a list of values" : "one value") +
                  Quotes);
  for (llvm::yaml::Node &Item : *List) {
    auto *Scalar = llvm::dyn_cast<llvm::yaml::ScalarNode>(&Item);
    if (!Scalar)
      return at(&Item,
                "'" + Key.Name + "' takes a list of plain values" + Quotes);
    Result.push_back(Scalar->getValue(Storage).str());
  }
  return Result;
}

Error Reader::readEntry(llvm::yaml::KeyValueNode &Entry,
                        llvm::ArrayRef<ConfigKey> Known) {
  llvm::SmallString<64> Storage;
  auto *Name = llvm::dyn_cast_or_null<llvm::yaml::ScalarNode>(Entry.getKey());
  if (!Name)
    return at(Entry.getKey(), "expected 'key: value'");
  StringRef KeyText = Name->getValue(Storage);
  const bool Inner = Known.data() == AuditKeys;
  if (!Inner && KeyText == AuditKey) {
    if (llvm::isa_and_nonnull<llvm::yaml::ScalarNode>(Entry.getValue()))
      return at(Name, "'audit' takes keys below it, for example "
                      "'audit: {fail-on: low}'");
    return readMap(Entry.getValue(), AuditKeys);
  }
  const ConfigKey *Key = keyNamed(Known, KeyText);
  if (!Key) {
    std::vector<StringRef> Names;
    for (const ConfigKey &K : Known)
      Names.push_back(K.Name);
    if (!Inner)
      Names.push_back(AuditKey);
    std::string Closest = suggestion(KeyText, Names);
    return at(Name,
              "unknown key '" + KeyText + "'" +
                  (Inner ? " below 'audit'" : "") +
                  (Inner && KeyText == "exclude-dir"
                       ? "; folders are left out with the option --exclude-dir "
                         "of 'autoprof audit'"
                   : !Inner && keyNamed(AuditKeys, KeyText)
                       ? "; it belongs below 'audit'"
                   : Closest.empty() ? "; known are " + llvm::join(Names, ", ")
                                     : Closest));
  }
  llvm::yaml::Node *Value = Entry.getValue();
  if (llvm::isa_and_nonnull<llvm::yaml::NullNode>(Value))
    return at(Name, "'" + Key->Name + "' has no value");
  llvm::Expected<std::vector<std::string>> V = readValues(*Key, Name, Value);
  if (!V)
    return V.takeError();
  if (Key->Name == "root" && path::is_relative((*V)[0])) {
    llvm::SmallString<256> Full(path::parent_path(Path));
    path::append(Full, (*V)[0]);
    (*V)[0] = Full.str().str();
  }
  if (Error E = Key->Set(Key->Name, *V, Out))
    return at(Value, toString(std::move(E)));
  return Error::success();
}

Error Reader::readMap(llvm::yaml::Node *N, llvm::ArrayRef<ConfigKey> Known) {
  if (!N || llvm::isa<llvm::yaml::NullNode>(N))
    return Error::success(); // Empty: the file marks the root.
  auto *Map = llvm::dyn_cast<llvm::yaml::MappingNode>(N);
  if (!Map)
    return at(N, "expected lines of the form 'key: value'");
  llvm::StringSet<> Given;
  for (llvm::yaml::KeyValueNode &Entry : *Map) {
    llvm::SmallString<64> Storage;
    auto *Name = llvm::dyn_cast_or_null<llvm::yaml::ScalarNode>(Entry.getKey());
    if (Name && !Given.insert(Name->getValue(Storage)).second)
      return at(Name, "'" + Name->getValue(Storage) + "' is given twice");
    if (Error E = readEntry(Entry, Known))
      return E;
  }
  return Error::success();
}

Error Reader::read(StringRef Text) {
  llvm::yaml::Stream Stream(llvm::MemoryBufferRef(Text, Path), SM,
                            /*ShowColors=*/false);
  auto Document = Stream.begin();
  Error Failed = Document == Stream.end() ? Error::success()
                                          : readMap(Document->getRoot(), Keys);
  if (Problem.empty())
    return Failed;
  consumeError(std::move(Failed)); // It follows from this one.
  return sentence(Problem);
}

} // namespace

llvm::ArrayRef<ConfigKey> autoprof::configKeys() { return Keys; }

const ConfigKey *autoprof::findConfigKey(StringRef Name) {
  return keyNamed(Keys, Name);
}

Error autoprof::setConfig(const ConfigKey &Key, StringRef Value, Config &Out) {
  std::vector<std::string> Parts;
  if (!Key.IsList)
    Parts.push_back(Value.str());
  for (StringRef Part : llvm::split(Value, ','))
    if (Key.IsList && !Part.trim().empty())
      Parts.push_back(Part.trim().str());
  return Key.Set(Key.Name, Parts, Out);
}

std::string autoprof::findConfigFile(StringRef Folder) {
  for (StringRef Dir = Folder; !Dir.empty(); Dir = path::parent_path(Dir)) {
    llvm::SmallString<256> File(Dir);
    path::append(File, ".autoprof");
    if (fs::is_regular_file(File))
      return File.str().str();
  }
  return "";
}

Error autoprof::parseConfig(StringRef Text, StringRef Path, Config &Out) {
  return Reader(Path, Out).read(Text);
}

llvm::Expected<Config> autoprof::loadConfig(StringRef Folder) {
  Config Result;
  std::string File = findConfigFile(Folder);
  if (File.empty())
    return Result;
  auto Text = llvm::MemoryBuffer::getFile(File);
  if (!Text)
    return llvm::make_error<ErrorOf<Config>>("cannot read '" + File +
                                             "': " + Text.getError().message());
  if (Error E = parseConfig((*Text)->getBuffer(), File, Result))
    return llvm::make_error<ErrorOf<Config>>(toString(std::move(E)));
  return Result;
}
