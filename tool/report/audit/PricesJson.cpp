// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What recordings measured, for programs. Integer nanoseconds; unknown values
// are null.
#include "report/audit/Prices.h"

#include "source/project/Site.h"

using namespace autoprof;
using namespace autoprof::audit;
using namespace autoprof::report;
using llvm::StringRef;
using prices::Gain;
using prices::SitePrice;
namespace json = llvm::json;

namespace {

void text(json::OStream &J, StringRef Key, StringRef V) {
  if (V.empty())
    J.attribute(Key, nullptr);
  else
    J.attribute(Key, json::fixUTF8(V));
}

void number(json::OStream &J, StringRef Key, const std::optional<int64_t> &V) {
  if (V)
    J.attribute(Key, *V);
  else
    J.attribute(Key, nullptr);
}

/// `Count`: steps, for means.
void gain(json::OStream &J, StringRef Prefix, const std::optional<Gain> &G,
          int64_t Count = 1) {
  number(J, (Prefix + "gain_low_ns").str(),
         G ? std::optional(G->Low / Count) : std::nullopt);
  number(J, (Prefix + "gain_high_ns").str(),
         G ? std::optional(G->High / Count) : std::nullopt);
}

/// Keys that findings[].price and unfound_waits[] share.
void figures(json::OStream &J, const SitePrice *S) {
  auto Of = [S](auto Member) {
    return S ? std::optional<int64_t>(int64_t(S->*Member)) : std::nullopt;
  };
  J.attribute("recordings", S ? int64_t(S->Recordings) : 0);
  number(J, "calls", Of(&SitePrice::Calls));
  number(J, "waits",
         S && S->Wait ? Of(&SitePrice::Waits) : std::optional<int64_t>());
  number(J, "host_ns", Of(&SitePrice::HostTime));
  number(J, "wait_ns", S ? S->Wait : std::nullopt);
  number(J, "exposed_ns", S ? S->Exposed : std::nullopt);
  gain(J, "", S ? S->Removed : std::nullopt);
  text(J, "verdict", S ? S->Verdict : "");
  gain(J, "advised_", S ? S->Advised : std::nullopt);
  if (!S || !S->Steps)
    return J.attribute("per_step", nullptr);
  const int64_t Count = int64_t(S->Totals->Count);
  J.attributeObject("per_step", [&] {
    J.attribute("steps", Count);
    J.attribute("wait_ns", S->Steps->Wait / Count);
    J.attribute("exposed_ns", S->Steps->Exposed / Count);
    gain(J, "", S->Steps->Removed, Count);
    gain(J, "advised_", S->Steps->Advised, Count);
  });
}

void unfound(json::OStream &J, const Audit &A, const UnfoundWait &W) {
  const prices::Place &Position = W.Site->Position;
  J.object([&] {
    text(J, "site", Position.Id ? source::hex(Position.Id) : "");
    text(J, "file",
         W.Known ? A.P.shownPath(W.Known->Model->Location) : Position.File);
    const unsigned Line =
        W.Known ? W.Known->Model->Location.Line : Position.Line;
    number(J, "line", Line ? std::optional<int64_t>(Line) : std::nullopt);
    text(J, "function", Position.Function);
    text(J, "call", Position.Call);
    figures(J, W.Site);
    J.attribute("reason", name(W.Cause));
    J.attribute("why", json::fixUTF8(W.Text));
  });
}

} // namespace

void report::priceJson(json::OStream &J, const Audit &A, const Finding &F) {
  const std::optional<FindingPrice> Price =
      A.Priced ? A.Priced->of(F) : std::nullopt;
  if (!Price)
    return J.attribute("price", nullptr);
  J.attributeObject("price", [&] {
    J.attribute("state", name(Price->State));
    text(J, "matched_by", !Price->Site ? "" : Price->ByPlace ? "place" : "id");
    figures(J, Price->Site);
  });
}

void report::pricingJson(json::OStream &J, const Audit &A) {
  if (!A.Priced) {
    J.attribute("prices", nullptr);
    return J.attribute("unfound_waits", nullptr);
  }
  const prices::Prices &Recorded = A.Priced->recorded();
  J.attributeObject("prices", [&] {
    J.attributeArray("recordings", [&] {
      for (const prices::Recording &R : Recorded.Recordings)
        J.object([&] {
          J.attribute("path", json::fixUTF8(R.Path));
          text(J, "command", R.Command);
          J.attribute("waits_known", R.WaitsKnown);
          J.attribute("is_part", R.IsPart);
        });
    });
    number(J, "gpu_span_ns", Recorded.Span);
    number(J, "wait_ns", Recorded.Waited);
    if (!Recorded.Steps)
      return J.attribute("steps", nullptr);
    J.attributeObject("steps", [&] {
      text(J, "source", Recorded.Steps->Source);
      J.attribute("measured", int64_t(Recorded.Steps->Count));
      J.attribute("span_ns", Recorded.Steps->Span);
    });
  });
  J.attributeArray("unfound_waits", [&] {
    for (const UnfoundWait &W : A.Unfound)
      unfound(J, A, W);
  });
}
