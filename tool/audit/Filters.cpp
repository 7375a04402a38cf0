// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/Filters.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

using llvm::StringRef;

namespace autoprof::audit {

NameGlobs::NameGlobs(StringRef Text) {
  llvm::SmallVector<StringRef, 8> Parts;
  llvm::SplitString(Text, Parts, ",\n");
  for (StringRef Part : Parts) {
    Part = Part.trim();
    const bool Takes = !Part.consume_front("-");
    if (Part.empty())
      continue;
    std::string Pattern = "^";
    for (char C : Part)
      Pattern += C == '*' ? ".*" : llvm::Regex::escape(StringRef(&C, 1));
    All.push_back({Takes, llvm::Regex(Pattern + "$")});
  }
}

bool NameGlobs::contains(StringRef Name) const {
  bool Result = false;
  for (const Glob &G : All)
    if (G.Pattern.match(Name))
      Result = G.Takes;
  return Result;
}

llvm::Expected<LineFilter> LineFilter::parse(StringRef Text) {
  const auto Wrong = [] {
    return llvm::createStringError(
        "write the line filter as "
        "[{\"name\": \"file.cu\", \"lines\": [[1, 3]]}]");
  };
  llvm::Expected<llvm::json::Value> Parsed = llvm::json::parse(Text);
  if (!Parsed) {
    llvm::consumeError(Parsed.takeError());
    return Wrong();
  }
  const llvm::json::Array *Files = Parsed->getAsArray();
  if (!Files)
    return Wrong();
  LineFilter Result;
  for (const llvm::json::Value &Entry : *Files) {
    const llvm::json::Object *O = Entry.getAsObject();
    std::optional<StringRef> Name = O ? O->getString("name") : std::nullopt;
    if (!Name)
      return Wrong();
    File F{Name->str(), {}};
    if (const llvm::json::Array *Lines = O->getArray("lines"))
      for (const llvm::json::Value &Range : *Lines) {
        const llvm::json::Array *Pair = Range.getAsArray();
        if (!Pair || Pair->size() != 2 || !(*Pair)[0].getAsInteger() ||
            !(*Pair)[1].getAsInteger())
          return Wrong();
        F.Lines.push_back({unsigned(*(*Pair)[0].getAsInteger()),
                           unsigned(*(*Pair)[1].getAsInteger())});
      }
    Result.Files.push_back(std::move(F));
  }
  return Result;
}

bool LineFilter::contains(const Place &Location) const {
  if (Files.empty())
    return true;
  return llvm::any_of(Files, [&](const File &F) {
    return StringRef(Location.File).ends_with(F.Name) &&
           (F.Lines.empty() || llvm::any_of(F.Lines, [&](auto Range) {
              return Range.first <= Location.Line &&
                     Location.Line <= Range.second;
            }));
  });
}

bool LineFilter::containsAll(StringRef Path) const {
  return Files.empty() || llvm::any_of(Files, [&](const File &F) {
           return Path.ends_with(F.Name) && F.Lines.empty();
         });
}

} // namespace autoprof::audit
