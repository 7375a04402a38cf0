// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prices/AuditRules.h"

#include "config/ParseJson.h"

using namespace autoprof::prices;
using llvm::StringRef;
namespace json = llvm::json;

namespace {

std::string text(const json::Object &O, StringRef Key) {
  return O.getString(Key).value_or("").str();
}

Place readPlace(const json::Object &O) {
  return {parseId(text(O, "id")),
          text(O, "file"),
          unsigned(O.getInteger("line").value_or(0)),
          unsigned(O.getInteger("column").value_or(0)),
          text(O, "function"),
          text(O, "call")};
}

} // namespace

llvm::Expected<AuditRules> AuditRules::read(StringRef Json) {
  llvm::Expected<json::Value> Document = parseJson(Json);
  if (!Document)
    return llvm::createStringError("it is damaged JSON: " +
                                   llvm::toString(Document.takeError()));
  const json::Object *Audit = Document->getAsObject();
  if (!Audit || text(*Audit, "schema") != "autoprof-audit/1")
    return llvm::createStringError(
        "it is not an audit (schema autoprof-audit/1); 'autoprof audit "
        "--format=json -o FILE' writes one");
  const json::Array *Sites = Audit->getArray("sites"),
                    *Findings = Audit->getArray("findings");
  if (!Sites || !Findings)
    return llvm::createStringError(
        "the audit is damaged: it has no 'sites' or no 'findings'");
  AuditRules Result;
  Result.Places = std::make_unique<std::vector<Place>>();
  for (const json::Value &V : *Sites)
    if (const json::Object *Site = V.getAsObject())
      Result.Places->push_back(readPlace(*Site));
  Result.Index = std::make_unique<PlaceIndex>(*Result.Places);
  for (const json::Value &V : *Findings)
    if (const json::Object *Finding = V.getAsObject())
      if (uint64_t Id = parseId(text(*Finding, "site")))
        Result.Rules.try_emplace(Id, text(*Finding, "rule"));
  return Result;
}

StringRef AuditRules::find(const Place &Recorded) const {
  const std::optional<Match> Found = Index->find(Recorded);
  if (!Found)
    return "";
  auto It = Rules.find((*Places)[Found->Index].Id);
  return It == Rules.end() ? StringRef() : StringRef(It->second);
}
