// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fields that several JSON reports have in common.
#ifndef AUTOPROF_REPORT_JSONFIELDS_H
#define AUTOPROF_REPORT_JSONFIELDS_H

#include "catalogue/Semantics.h"
#include "trace/timeline/Timeline.h"

#include "llvm/Support/JSON.h"

#include <fmt/format.h>

namespace autoprof::report {

/// null for an unknown value.
template <typename Value>
void optional(llvm::json::OStream &J, llvm::StringRef Key,
              const std::optional<Value> &V) {
  if (V)
    J.attribute(Key, *V);
  else
    J.attribute(Key, nullptr);
}

/// An empty string means that the trace does not have it.
inline void text(llvm::json::OStream &J, llvm::StringRef Key,
                 llvm::StringRef V) {
  if (V.empty())
    J.attribute(Key, nullptr);
  else
    J.attribute(Key, llvm::json::fixUTF8(V));
}

/// One of inputs[].
inline void input(llvm::json::OStream &J, llvm::StringRef Path,
                  const trace::Process &P, uint64_t FileBytes,
                  const catalogue::Semantics *Calibration) {
  J.attribute("path", llvm::json::fixUTF8(Path));
  text(J, "command", P.CommandLine);
  text(J, "mode", P.Mode);
  text(J, "cupti", P.CuptiState);
  text(J, "cupti_reason", P.CuptiReason);
  text(J, "recorded_by", P.Source.Producer);
  J.attributeArray("limits", [&] {
    for (const std::string &Limit : P.Source.Limits)
      J.value(llvm::json::fixUTF8(Limit));
  });
  optional(J, "ended_in_order",
           P.Source.Producer.empty() ? std::optional(!P.EndReason.empty())
                                     : std::nullopt);
  J.attribute("file_bytes", FileBytes);
  text(J, "semantics",
       Calibration && !Calibration->Observations.empty()
           ? catalogue::machine(*Calibration)
           : "");
}

/// Null for None.
inline const trace::Site *siteAt(const trace::Timeline &T, uint32_t Site) {
  return Site == trace::None ? nullptr : &T.Sites[Site];
}

/// id, file, line, function; all null without a site.
inline void sitePlace(llvm::json::OStream &J, const trace::Site *S) {
  text(J, "id", S && S->Id ? fmt::format("{:#018x}", S->Id) : "");
  text(J, "file", S ? S->File : "");
  optional(J, "line",
           S && S->Line ? std::optional<int64_t>(S->Line) : std::nullopt);
  text(J, "function", S && !S->isUserRange() ? S->Function : "");
}

/// The call of a row of ranks or of a summary.
template <typename Row> void siteCall(llvm::json::OStream &J, const Row &S) {
  sitePlace(J, &S.Place);
  J.attribute("call", llvm::json::fixUTF8(S.Call));
  J.attribute("kind", S.Kind);
}

/// Sums of such a row; null where not known.
template <typename Row> void siteSums(llvm::json::OStream &J, const Row &S) {
  J.attribute("count", S.Count);
  J.attribute("waits", S.Waits);
  optional(J, "wait_ns", S.Wait);
  optional(J, "exposed_ns", S.Exposed);
  optional(J, "gain_low_ns",
           S.Gained ? std::optional(S.Gained->Low) : std::nullopt);
  optional(J, "gain_high_ns",
           S.Gained ? std::optional(S.Gained->High) : std::nullopt);
}

} // namespace autoprof::report

#endif // AUTOPROF_REPORT_JSONFIELDS_H
