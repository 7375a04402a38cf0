// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sites/BuildObjects.h"

#include "catalogue/Catalogue.h"
#include "config/Config.h"
#include "config/FilePattern.h"
#include "config/ParseJson.h"
#include "sites/SiteTables.h"
#include "source/project/Project.h"
#include "support/Databases.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Object/ELFObjectFile.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <set>

using namespace autoprof;
using namespace autoprof::sites;
using llvm::StringRef;
namespace fs = llvm::sys::fs;
namespace json = llvm::json;
namespace object = llvm::object;
namespace path = llvm::sys::path;

namespace {

using Words = std::vector<std::string>;

/// Whether source code calls it, and the call gets a probe (isSite() in
/// source/ast/Calls.cpp). nvcc adds calls of cudaLaunchKernel and of functions
/// that begin with __cuda to each kernel; only __cudaPushCallConfiguration is
/// part of a launch (<<<>>>).
bool getsProbe(StringRef Symbol) {
  using catalogue::CallClass;
  if (Symbol == "__cudaPushCallConfiguration" ||
      Symbol == "__hipPushCallConfiguration")
    return true;
  const catalogue::Row *Call = catalogue::lookup(Symbol);
  if (!Call || Call->Name == "cudaLaunchKernel" ||
      Call->Name == "hipLaunchKernel")
    return false;
  return catalogue::mayWait(Call->Wait) ||
         (Call->Class != CallClass::Query && Call->Class != CallClass::Other);
}

/// Whether `exclude-files` of the project's `.autoprof` leaves out the source,
/// an absolute path; `Start` is the folder in which it is compiled. A file that
/// cannot be read excludes nothing.
bool isExcluded(StringRef Source, StringRef Start) {
  const StringRef Folder = path::parent_path(Source);
  llvm::Expected<Config> Chosen = loadConfig(Folder);
  if (!Chosen) {
    llvm::consumeError(Chosen.takeError());
    return false;
  }
  if (Chosen->ExcludeFiles.empty())
    return false;
  llvm::SmallString<256> Root(
      Chosen->Root.value_or(source::Project::findRoot(Folder, Start)));
  path::remove_dots(Root, /*remove_dot_dot=*/true);
  const source::Project Project(Root.str().str());
  return firstMatch(filePatterns(Chosen->ExcludeFiles),
                    Project.relative(Source)) != nullptr;
}

bool hasSites(const object::ObjectFile &File) {
  for (const object::SymbolRef &S : File.symbols()) {
    llvm::Expected<uint32_t> Flags = S.getFlags();
    llvm::Expected<StringRef> Name = S.getName();
    if (Flags && Name && (*Flags & object::SymbolRef::SF_Undefined) &&
        getsProbe(*Name))
      return true;
    llvm::consumeError(Flags.takeError());
    llvm::consumeError(Name.takeError());
  }
  return false;
}

std::string absolute(StringRef Folder, StringRef File) {
  llvm::SmallString<256> Result(File);
  path::make_absolute(Folder, Result);
  path::remove_dots(Result, /*remove_dot_dot=*/true);
  return Result.str().str();
}

std::string textOf(const json::Object &Entry, StringRef Key) {
  return Entry.getString(Key).value_or("").str();
}

Words wordsOf(const json::Object &Entry) {
  Words Result;
  if (const json::Array *Given = Entry.getArray("arguments")) {
    for (const json::Value &Word : *Given)
      Result.push_back(Word.getAsString().value_or("").str());
    return Result;
  }
  llvm::BumpPtrAllocator Memory;
  llvm::StringSaver Saver(Memory);
  llvm::SmallVector<const char *> Tokens;
  llvm::cl::TokenizeGNUCommandLine(textOf(Entry, "command"), Saver, Tokens);
  Result.assign(Tokens.begin(), Tokens.end());
  return Result;
}

/// What follows an option, or "".
std::string valueOf(const Words &Command, StringRef Option) {
  for (size_t I = 0; I + 1 < Command.size(); ++I)
    if (Command[I] == Option)
      return Command[I + 1];
  return "";
}

/// The object that a command writes; "": unknown.
std::string outputOf(const json::Object &Entry, const Words &Command) {
  const std::string Output = textOf(Entry, "output");
  return Output.empty() ? valueOf(Command, "-o") : Output;
}

bool isCuda(StringRef Source, const Words &Command) {
  const std::string Language = valueOf(Command, "-x");
  return Source.ends_with(".cu") || Source.ends_with(".hip") ||
         Language == "cu" || Language == "cuda" || Language == "hip" ||
         llvm::is_contained(Command, "-x=cu");
}

class Reader {
  BuildObjects Result;
  std::set<std::string> Seen;

public:
  void read(const json::Object &Entry);
  BuildObjects finish();
};

void Reader::read(const json::Object &Entry) {
  const Words Command = wordsOf(Entry);
  const std::string Folder = textOf(Entry, "directory");
  const std::string Output = outputOf(Entry, Command);
  const std::string Full = absolute(Folder, Output);
  if (!Output.empty() && !Seen.insert(Full).second)
    return;
  auto Binary = object::ObjectFile::createObjectFile(Full);
  if (Output.empty() || !Binary) {
    llvm::consumeError(Binary.takeError());
    ++Result.Missing;
    return;
  }
  ++Result.Read;
  if (!hasSites(*Binary->getBinary()))
    return;
  llvm::Expected<std::vector<Row>> Rows = readSites(Full);
  if (!Rows || !Rows->empty())
    return llvm::consumeError(Rows.takeError());
  const std::string Source = absolute(Folder, textOf(Entry, "file"));
  (isExcluded(Source, Folder) ? Result.Excluded : Result.WithoutProbes)
      .push_back({Source, Full, isCuda(Source, Command)});
}

BuildObjects Reader::finish() {
  for (auto *List : {&Result.WithoutProbes, &Result.Excluded})
    llvm::sort(*List, [](const auto &A, const auto &B) {
      return std::tie(A.Source, A.Path) < std::tie(B.Source, B.Path);
    });
  return std::move(Result);
}

/// The reason for which `Path` cannot be a database, or success.
llvm::Error checkKind(StringRef Path, StringRef Text) {
  if (!Text.starts_with("\x7f"
                        "ELF") &&
      !Text.starts_with("!<arch>"))
    return llvm::Error::success();
  return llvm::createStringError("-p takes a build folder, and '" + Path +
                                 "' is a binary; name it without -p");
}

} // namespace

llvm::Expected<BuildObjects> sites::readBuildObjects(StringRef Path) {
  llvm::Expected<std::string> File = support::databaseAt(Path);
  if (!File)
    return File.takeError();
  auto Text = llvm::MemoryBuffer::getFile(*File);
  if (!Text)
    return llvm::createStringError("cannot read '" + *File +
                                   "': " + Text.getError().message());
  if (llvm::Error E = checkKind(Path, (*Text)->getBuffer()))
    return std::move(E);
  llvm::Expected<json::Value> Parsed = parseJson((*Text)->getBuffer());
  if (!Parsed)
    return llvm::createStringError("cannot read '" + *File +
                                   "': " + llvm::toString(Parsed.takeError()));
  Reader Objects;
  if (const json::Array *Entries = Parsed->getAsArray())
    for (const json::Value &Item : *Entries)
      if (const json::Object *Entry = Item.getAsObject())
        Objects.read(*Entry);
  return Objects.finish();
}
