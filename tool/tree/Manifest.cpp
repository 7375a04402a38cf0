// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tree/Manifest.h"

#include "config/ParseJson.h"

#include <map>

using llvm::StringRef;
using llvm::json::OStream;

namespace autoprof::tree {

/// JSON is UTF-8, but names of files may not be.
static std::string utf8(StringRef Text) {
  return llvm::json::isUTF8(Text) ? Text.str() : llvm::json::fixUTF8(Text);
}

template <typename PlaceT> static void printPlace(OStream &J, const PlaceT &P) {
  J.attribute("file", utf8(P.Location.File));
  J.attribute("line", P.Location.Line);
  J.attribute("column", P.Location.Column);
  J.attribute("function", utf8(P.Function));
  if (P.Callee.empty())
    J.attribute("callee", nullptr);
  else
    J.attribute("callee", utf8(P.Callee));
  J.attribute("kind", P.Kind);
}

void Manifest::printJson(llvm::raw_ostream &OS) const {
  OStream J(OS, 2);
  J.objectBegin();
  J.attribute("schema", "autoprof-sites/1");
  J.attributeArray("sites", [&] {
    for (const source::Site &S : Sites)
      J.object([&] {
        J.attribute("id", source::hex(S.Id));
        printPlace(J, S);
      });
  });
  J.attributeArray("not_instrumented", [&] {
    for (const source::Skipped &S : NotInstrumented)
      J.object([&] {
        printPlace(J, S);
        J.attribute("reason", utf8(S.Reason));
      });
  });
  J.attributeArray("files", [&] {
    for (const File &F : Files)
      J.object([&] {
        J.attribute("file", utf8(F.Name));
        J.attribute("result", F.Result);
        J.attribute("probes", F.Probes);
      });
  });
  J.attribute("units", Units);
  auto PrintUnread = [&](StringRef Key, const std::vector<Unread> &Units) {
    J.attributeArray(Key, [&] {
      for (const Unread &U : Units)
        J.object([&] {
          J.attribute("file", utf8(U.Name));
          J.attribute("error", utf8(U.Error));
        });
    });
  };
  PrintUnread("skipped", Skipped);
  PrintUnread("partly", Partly);
  J.objectEnd();
  OS << '\n';
}

/// Whether a reason applies to all places of a file.
static bool isOfFile(StringRef Reason) {
  return Reason.starts_with("excluded by exclude-files: ") ||
         Reason.starts_with("its file ");
}

void Manifest::printProblems(llvm::raw_ostream &OS) const {
  std::map<std::pair<StringRef, StringRef>, unsigned> Places;
  for (const source::Skipped &S : NotInstrumented)
    ++Places[{S.Location.File, S.Reason}];
  for (const source::Skipped &S : NotInstrumented) {
    if (isOfFile(S.Reason)) {
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
