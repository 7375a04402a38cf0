// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "prices/Patch.h"

#include "llvm/Support/Path.h"

using namespace autoprof;
using namespace autoprof::prices;
using llvm::StringRef;
namespace json = llvm::json;

static std::string textIn(const json::Object &O, StringRef Key) {
  return O.getString(Key).value_or("").str();
}

TriedChange::TriedChange(const json::Object &E)
    : How(textIn(E, "how")), NotMeasured(textIn(E, "not_measured")),
      Output(textIn(E, "output")), SavedLow(E.getNumber("saved_low_ns")),
      SavedHigh(E.getNumber("saved_high_ns")) {
  if (const json::Object *Result = E.getObject("result"))
    Verdict = textIn(*Result, "verdict");
  const json::Array *Sites = E.getArray("sites");
  IsOne = Sites && Sites->size() == (isPool() ? 0 : 1);
  const json::Object *Site =
      Sites && !Sites->empty() ? Sites->front().getAsObject() : nullptr;
  if (Site)
    At = {parseId(textIn(*Site, "id")),
          textIn(*Site, "file"),
          unsigned(Site->getInteger("line").value_or(0)),
          0,
          textIn(*Site, "function"),
          textIn(*Site, "call")};
}

std::string TriedChange::name() const {
  if (isPool())
    return "default memory pool";
  if (At.File.empty())
    return At.Call + " without a place";
  return (llvm::sys::path::filename(At.File) + ":" + llvm::Twine(At.Line) +
          " " + At.Call)
      .str();
}

std::string TriedChange::whyNot() const {
  if (How != "left_out" && !isPool())
    return "it is neither a synchronization that is left out nor the pool";
  if (NotMeasured == "drained")
    return "nothing is gained without it alone, because an earlier call waits "
           "for the same work";
  if (!NotMeasured.empty())
    return "it was not measured";
  if (Verdict != "faster")
    return "no gain was measured";
  if (Output != "equal")
    return Output == "varying" ? "what the program prints varies between runs, "
                                 "so it cannot be compared"
                               : "the program then prints something else";
  return IsOne ? "" : "several calls were changed at once";
}

void Patch::listFields(fields::Fields &F) const {
  auto List = [&](StringRef Key, StringRef About, StringRef Why,
                  const std::vector<Entry> &All) {
    F.list(Key, About, All, [&](const Entry &E) {
      const TriedChange &C = E.Change;
      F.text("file", "as in `experiments`; null: the default memory pool",
             C.At.File);
      F.unlessZero("line", "counted from 1", C.At.Line);
      F.text("call", "the call", C.At.Call);
      F.field("how", "as in `experiments`", C.How);
      F.field("saved_low_ns", "what it saves per step; null: not known",
              C.SavedLow, fields::Bounds::Any);
      F.field("saved_high_ns", "at most", C.SavedHigh, fields::Bounds::Any);
      F.text("output", "as in `experiments`", C.Output);
      F.field("why", Why, E.Why);
    });
  };
  F.text("path", "the file; null: nothing qualified, and none was written",
         Path);
  List("changes", "what it changes", "why that is safe", Changes);
  List("declined", "what was measured and is not in it", "why not", Declined);
}
