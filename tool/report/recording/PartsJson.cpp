// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/JsonFields.h"
#include "report/recording/JsonParts.h"
#include "report/recording/Sentences.h"

using namespace autoprof;
using namespace autoprof::report;
using namespace autoprof::analysis;
namespace json = llvm::json;

namespace {

template <typename Value>
std::optional<Value> ifKnown(const RecorderEffect &E, Value V) {
  return E.Source == RecorderSource::Unknown ? std::nullopt : std::optional(V);
}

void holders(json::OStream &J, llvm::StringRef Key, const Input &Subject,
             const std::vector<MemoryHolder> &All) {
  J.attributeArray(Key, [&] {
    for (const MemoryHolder &H : All)
      J.object([&] {
        sitePlace(J, siteAt(Subject.T, H.Site));
        text(J, "call", H.Call);
        J.attribute("count", H.Count);
        J.attribute("bytes", H.Bytes);
      });
  });
}

void device(json::OStream &J, const Input &Subject, const DeviceMemory &M) {
  J.attribute("device", M.Device);
  J.attribute("allocations", M.Allocations);
  J.attribute("releases", M.Releases);
  J.attribute("unmatched_releases", M.Unmatched);
  J.attribute("peak_bytes", M.PeakBytes);
  J.attribute("peak_at_ns", M.PeakTime);
  optional(J, "peak_step", M.PeakStep);
  holders(J, "at_peak", Subject, M.AtPeak);
  holders(J, "not_freed", Subject, M.NotFreed);
  J.attributeArray("curve", [&] {
    for (const auto &Point : M.Curve)
      J.object([&] {
        J.attribute("at_ns", Point.first);
        J.attribute("bytes", Point.second);
      });
  });
}

} // namespace

void report::recorderJson(json::OStream &J, const Input &Subject) {
  const RecorderEffect &E = Subject.R.Recorder;
  J.attributeObject("recorder", [&] {
    optional(J, "factor", E.factor());
    text(J, "source", analysis::name(E.Source));
    text(J, "why_unknown", E.Why);
    optional(J, "recorded_step_median_ns", E.RecordedStep);
    optional(J, "unrecorded_step_median_ns", E.UnrecordedStep);
    optional(J, "unrecorded_step_low_ns", ifKnown(E, E.Low));
    optional(J, "unrecorded_step_high_ns", ifKnown(E, E.High));
    J.attribute("unrecorded_steps", E.UnrecordedSteps);
    optional(J, "first_unrecorded_step",
             E.UnrecordedSteps ? std::optional(E.FirstUnrecorded)
                               : std::nullopt);
    J.attributeObject("added", [&] {
      J.attribute("measured", E.Cost.Measured);
      J.attribute("launch_low_ns", E.Cost.Least.Launch);
      J.attribute("launch_high_ns", E.Cost.Most.Launch);
      J.attribute("call_low_ns", E.Cost.Least.Call);
      J.attribute("call_high_ns", E.Cost.Most.Call);
    });
  });
}

void report::deviceMemoryJson(json::OStream &J, const Input &Subject) {
  if (Subject.R.Memories.empty())
    return J.attribute("device_memory", nullptr);
  J.attributeArray("device_memory", [&] {
    for (const DeviceMemory &M : Subject.R.Memories)
      J.object([&] { device(J, Subject, M); });
  });
}

namespace {

/// A wait that is worth a change.
void finding(json::OStream &J, const Input &Subject, const SiteRow &Row) {
  J.attribute("rule", "exposed-wait");
  J.attribute("severity", analysis::name(Severity::Warning));
  sitePlace(J, siteAt(Subject.T, Row.Site));
  J.attribute("call", json::fixUTF8(Row.Call));
  J.attribute("message", json::fixUTF8(verdictLine(Subject, Row)));
  text(J, "advice", judgementText(Row));
  J.attribute("doubt", adviceDoubt(Row));
  J.attributeObject("evidence", [&] {
    const report::Promise P = promise(Subject, Row);
    J.attribute("change", analysis::name(P.Change));
    J.attribute("gain_low_ns", P.Sums.Low);
    J.attribute("gain_high_ns", P.Sums.High);
  });
}

void finding(json::OStream &J, const Input &Subject, const Finding &F) {
  J.attribute("rule", F.Rule);
  J.attribute("severity", analysis::name(F.Severity));
  sitePlace(J, siteAt(Subject.T, F.Site));
  text(J, "call", F.Site == trace::None ? "" : Subject.T.Sites[F.Site].Callee);
  J.attribute("message", json::fixUTF8(F.Message));
  text(J, "advice", F.Advice);
  text(J, "doubt", F.Doubt);
  J.attribute("evidence", json::Object(F.Evidence));
}

} // namespace

void report::findingsJson(json::OStream &J, const Input &Subject) {
  J.attributeArray("findings", [&] {
    for (const SiteRow &Row : Subject.R.Sites)
      if (isFinding(Row))
        J.object([&] { finding(J, Subject, Row); });
    for (const Finding &F : Subject.R.Findings)
      J.object([&] { finding(J, Subject, F); });
  });
}
