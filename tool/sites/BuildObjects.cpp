// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sites/BuildObjects.h"

#include "config/ParseJson.h"
#include "sites/SiteTables.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
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

/// Whether source code calls it. nvcc adds calls of cudaLaunchKernel and of
/// functions that begin with __cuda to each kernel; only
/// __cudaPushCallConfiguration is part of a launch (<<<>>>).
bool isGpuCall(StringRef Symbol) {
  if (Symbol == "__cudaPushCallConfiguration" ||
      Symbol == "__hipPushCallConfiguration")
    return true;
  for (StringRef Prefix : {"cuda", "cu", "hip"})
    if (StringRef Rest = Symbol;
        Rest.consume_front(Prefix) && !Rest.empty() && llvm::isUpper(Rest[0]))
      return !Rest.starts_with("LaunchKernel");
  return false;
}

bool callsGpu(const object::ObjectFile &File) {
  for (const object::SymbolRef &S : File.symbols()) {
    llvm::Expected<uint32_t> Flags = S.getFlags();
    llvm::Expected<StringRef> Name = S.getName();
    if (Flags && Name && (*Flags & object::SymbolRef::SF_Undefined) &&
        isGpuCall(*Name))
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

/// The object that a command writes; "": unknown.
std::string outputOf(const json::Object &Entry) {
  if (const std::string Output = textOf(Entry, "output"); !Output.empty())
    return Output;
  std::vector<std::string> Words;
  if (const json::Array *Given = Entry.getArray("arguments")) {
    for (const json::Value &Word : *Given)
      Words.push_back(Word.getAsString().value_or("").str());
  } else {
    llvm::BumpPtrAllocator Memory;
    llvm::StringSaver Saver(Memory);
    llvm::SmallVector<const char *> Tokens;
    llvm::cl::TokenizeGNUCommandLine(textOf(Entry, "command"), Saver, Tokens);
    Words.assign(Tokens.begin(), Tokens.end());
  }
  for (size_t I = 0; I + 1 < Words.size(); ++I)
    if (Words[I] == "-o")
      return Words[I + 1];
  return "";
}

} // namespace

llvm::Expected<BuildObjects> sites::readBuildObjects(StringRef Path) {
  llvm::SmallString<256> File(Path);
  if (fs::is_directory(Path))
    path::append(File, "compile_commands.json");
  auto Text = llvm::MemoryBuffer::getFile(File);
  if (!Text)
    return llvm::createStringError("cannot read '" + File +
                                   "': " + Text.getError().message());
  llvm::Expected<json::Value> Parsed = parseJson((*Text)->getBuffer());
  if (!Parsed)
    return llvm::createStringError("cannot read '" + File +
                                   "': " + llvm::toString(Parsed.takeError()));
  BuildObjects Result;
  std::set<std::string> Seen;
  const json::Array *Entries = Parsed->getAsArray();
  for (const json::Value &Item : Entries ? *Entries : json::Array()) {
    const json::Object *Entry = Item.getAsObject();
    if (!Entry)
      continue;
    const std::string Folder = textOf(*Entry, "directory");
    const std::string Output = outputOf(*Entry);
    const std::string Full = absolute(Folder, Output);
    if (!Output.empty() && !Seen.insert(Full).second)
      continue;
    auto Binary = object::ObjectFile::createObjectFile(Full);
    if (Output.empty() || !Binary) {
      llvm::consumeError(Binary.takeError());
      ++Result.Missing;
      continue;
    }
    ++Result.Read;
    if (!callsGpu(*Binary->getBinary()))
      continue;
    llvm::Expected<std::vector<Row>> Rows = readSites(Full);
    if (Rows && Rows->empty())
      Result.WithoutProbes.push_back(
          {absolute(Folder, textOf(*Entry, "file")), Full});
    llvm::consumeError(Rows.takeError());
  }
  llvm::sort(Result.WithoutProbes, [](const auto &A, const auto &B) {
    return std::tie(A.Source, A.Path) < std::tie(B.Source, B.Path);
  });
  return Result;
}
