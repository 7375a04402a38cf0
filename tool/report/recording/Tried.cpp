// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/recording/Tried.h"

#include "config/ParseJson.h"
#include "report/Format.h"
#include "report/recording/Experiments.h"

#include <fmt/format.h>

using namespace autoprof;
using namespace autoprof::report;
using namespace autoprof::analysis;
using llvm::StringRef;
namespace json = llvm::json;

static StringRef textIn(const json::Object &O, StringRef Key) {
  return O.getString(Key).value_or("");
}

/// Places without a line are known by their call, if only one has that.
static std::optional<uint32_t>
rowOf(const json::Object &Place, const trace::Timeline &T, const Result &R) {
  const StringRef Id = textIn(Place, "id"), Call = textIn(Place, "call");
  std::optional<uint32_t> Found;
  for (uint32_t I = 0; I < R.Sites.size(); ++I) {
    const SiteRow &Row = R.Sites[I];
    const uint64_t Known = Row.Site == trace::None ? 0 : T.Sites[Row.Site].Id;
    if (Row.Call != Call || (Known ? fmt::format("{:#018x}", Known) : "") != Id)
      continue;
    if (Found)
      return std::nullopt;
    Found = I;
  }
  return Found;
}

static std::optional<Switched> switchedNamed(StringRef Name) {
  for (unsigned I = 0; I <= unsigned(Switched::NotWaiting); ++I)
    if (name(Switched(I)) == Name)
      return Switched(I);
  return std::nullopt;
}

static void addChange(Tried &To, const json::Object &E,
                      const trace::Timeline &T, const Result &R) {
  const json::Array *Places = E.getArray("sites");
  const json::Object *Judged = E.getObject("result");
  const std::optional<double> Low = E.getNumber("saved_low_ns"),
                              High = E.getNumber("saved_high_ns");
  const std::optional<Switched> How = switchedNamed(textIn(E, "how"));
  if (!Places || Places->empty() || !Judged || !How || !Low || !High)
    return;
  if (const json::Object *First = Places->front().getAsObject())
    if (const std::optional<uint32_t> Row = rowOf(*First, T, R))
      To.Changes.push_back({*Row,
                            *How,
                            textIn(*Judged, "verdict").str(),
                            textIn(E, "output").str(),
                            {*Low, *High}});
}

llvm::Expected<Tried>
report::readTried(StringRef Path, const trace::Timeline &T, const Result &R) {
  auto Failure = [Path](const llvm::Twine &Reason) {
    return llvm::createStringError("cannot use '" + Path +
                                   "' for --try: " + Reason);
  };
  llvm::Expected<json::Value> V = parseJsonFile(Path);
  if (!V)
    return Failure(llvm::toString(V.takeError()));
  const json::Object *O = V->getAsObject();
  const json::Array *All = O ? O->getArray("experiments") : nullptr;
  if (!All || textIn(*O, "schema") != ExperimentsSchema)
    return Failure("it is not the try.json that 'autoprof try' writes");
  Tried Found;
  Found.Answer = textIn(*O, "answer").str();
  for (const json::Value &E : *All)
    if (const json::Object *One = E.getAsObject())
      addChange(Found, *One, T, R);
  if (Found.Changes.empty())
    return Failure("nothing that was measured there is in this "
                   "recording; it needs one of the same program, such as "
                   "base.pftrace in the same folder");
  return Found;
}

std::string report::triedText(const TriedChange &C) {
  const char *Output = C.Output == "equal"       ? "; the output is equal"
                       : C.Output == "different" ? "; the output differs"
                                                 : "";
  const std::string Words = switchedWords(C.How), Range = savedRange(C.Saved);
  if (C.Verdict == "no_change")
    return "measured: " + Words + " saves nothing" + Output;
  if (C.Verdict == "unclear")
    return fmt::format("measured: {}, not certain ({} per step){}", Words,
                       Range, Output);
  return fmt::format("measured: {} saves {} per step{}", Words, Range, Output);
}
