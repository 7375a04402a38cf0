// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tree/Manifest.h"

#include "config/ParseJson.h"

#include <map>

using llvm::StringRef;

namespace autoprof::tree {

using fields::Fields;

template <typename PlaceT> static void placeFields(Fields &F, const PlaceT &P) {
  F.field("file", "relative to the tree's root", P.Location.File);
  F.field("line", "line of the original text", P.Location.Line);
  F.field("column", "column of the original text", P.Location.Column);
  F.field("function",
          "the function that contains it; empty outside of functions",
          P.Function);
  F.text("callee", "the call; null for ranges", P.Callee);
  F.choice(
      "kind",
      "class of the call ([catalogue.md](catalogue.md)), or the kind of range",
      P.Kind,
      {"launch", "copy", "set", "sync", "alloc", "free", "query", "other",
       "function", "loop"});
}

void Manifest::listFields(Fields &F) const {
  auto Source = [&](const Unread &U) {
    F.field("file", "the source", U.Name);
    F.field("error", "the first error, or why it was not read", U.Error);
  };
  F.format("autoprof-sites/1",
           "What `autoprof rewrite` did: `autoprof-sites.json` in the "
           "annotated tree.");
  F.list("sites", "the probes", Sites, [&](const source::Site &S) {
    F.id("id", "as in reports and site tables", S.Id);
    placeFields(F, S);
  });
  F.list("not_instrumented", "places without a probe", NotInstrumented,
         [&](const source::Skipped &S) {
           placeFields(F, S);
           F.field("reason", "why", S.Reason);
         });
  F.list("files", "the files of the tree", Files, [&](const File &One) {
    F.field("file", "relative to the tree's root", One.Name);
    F.choice("result", "what was done with it", One.Result,
             {"annotated", "already_annotated", "copied"});
    F.field("probes", "probes and ranges in it", One.Probes);
  });
  F.field("units", "sources that were to be read", Units);
  F.list("skipped", "sources that could not be read", Skipped, Source);
  F.list("partly",
         "sources with errors of which some functions could be read; the "
         "functions that could not are in `not_instrumented`",
         Partly, Source);
}

void Manifest::printJson(llvm::raw_ostream &OS) const {
  fields::writeFields(OS, [&](Fields &F) { listFields(F); });
}

void Manifest::printProblems(
    llvm::raw_ostream &OS, const std::vector<FilePattern> &ExcludeFiles) const {
  std::map<std::pair<StringRef, StringRef>, unsigned> Places;
  for (const source::Skipped &S : NotInstrumented)
    ++Places[{S.Location.File, S.Reason}];
  for (const source::Skipped &S : NotInstrumented) {
    if (S.IsOfFile || firstMatch(ExcludeFiles, S.Location.File)) {
      unsigned &Count = Places[{S.Location.File, S.Reason}];
      if (Count)
        OS << S.Location.File << ": not instrumented: " << S.Reason << " ("
           << Count << (Count == 1 ? " place)" : " places)") << '\n';
      Count = 0; // Printed.
      continue;
    }
    OS << S.Location.File << ':' << S.Location.Line << ':' << S.Location.Column
       << ": " << S.Kind;
    if (!S.Callee.empty())
      OS << ' ' << S.Callee;
    if (!S.Function.empty())
      OS << " in " << S.Function;
    OS << ": not instrumented: " << S.Reason << '\n';
  }
  for (const Unread &U : Partly)
    OS << U.Name << ": read in part: " << U.Error << '\n';
  for (const Unread &U : Skipped)
    OS << U.Name << ": skipped: " << U.Error << '\n';
}

std::vector<std::string> filesOf(StringRef Json) {
  std::vector<std::string> Result;
  llvm::Expected<llvm::json::Value> Parsed = parseJson(Json);
  if (!Parsed) {
    consumeError(Parsed.takeError());
    return Result;
  }
  const llvm::json::Object *Root = Parsed->getAsObject();
  const llvm::json::Array *Files = Root ? Root->getArray("files") : nullptr;
  if (!Files)
    return Result;
  for (const llvm::json::Value &F : *Files)
    if (const llvm::json::Object *File = F.getAsObject())
      if (std::optional<StringRef> Name = File->getString("file"))
        Result.push_back(Name->str());
  return Result;
}

} // namespace autoprof::tree
