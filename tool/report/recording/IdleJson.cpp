// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/JsonFields.h"
#include "report/recording/BusyCpu.h"
#include "report/recording/JsonParts.h"

using namespace autoprof;
using namespace autoprof::report;
using namespace autoprof::analysis;
namespace json = llvm::json;

namespace {

/// What took most of the time between the calls: a range, or an operator; "":
/// nothing did.
std::string insideName(const trace::Timeline &T, const BusyRow &Row) {
  if (Row.Inside == trace::None)
    return "";
  const trace::Site &S = T.Sites[Row.Inside];
  return S.isOperator() ? S.Callee : rangeNameOf(S);
}

void placeJson(json::OStream &J, const char *Key, const trace::Timeline &T,
               const CallPlace &P) {
  if (!P.isKnown())
    return J.attribute(Key, nullptr);
  const trace::Site *S = siteAt(T, P.Site);
  J.attributeObject(Key, [&] {
    text(J, "file", S ? S->File : "");
    optional(J, "line",
             S && S->Line ? std::optional<int64_t>(S->Line) : std::nullopt);
    text(J, "name", P.isOwn() ? llvm::StringRef(S->Callee) : T.Strings[P.Name]);
    text(J, "range", S && !P.isOwn() ? rangeNameOf(*S) : "");
  });
}

} // namespace

void report::busyEndsJson(json::OStream &J, const Input &Subject,
                          uint32_t Row) {
  const BusyRow *Busy = Row == trace::None ? nullptr : &Subject.R.Busy[Row];
  placeJson(J, "before", Subject.T, Busy ? Busy->Before : CallPlace());
  placeJson(J, "after", Subject.T, Busy ? Busy->After : CallPlace());
}

void report::busyCpuJson(json::OStream &J, const Input &Subject,
                         BusySums BusyRow::*Of) {
  const trace::Timeline &T = Subject.T;
  J.attributeArray("cpu_busy", [&] {
    for (const BusyRow *Row : byIdle(Subject.R, Of))
      J.object([&] {
        placeJson(J, "before", T, Row->Before);
        placeJson(J, "after", T, Row->After);
        text(J, "call", Row->Call == trace::None ? "" : T.Strings[Row->Call]);
        text(J, "inside", insideName(T, *Row));
        J.attribute("count", (Row->*Of).Count);
        J.attribute("cpu_ns", (Row->*Of).Cpu);
        J.attribute("idle_ns", (Row->*Of).Idle);
      });
  });
}
