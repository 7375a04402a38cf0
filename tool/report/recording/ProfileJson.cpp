// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/JsonFields.h"
#include "report/recording/JsonParts.h"

using namespace autoprof;
using namespace autoprof::report;
using namespace autoprof::analysis;
namespace json = llvm::json;

namespace {

void calls(json::OStream &J, const Result &R) {
  J.attributeArray("apis", [&] {
    for (const CallRow &Row : R.Calls)
      J.object([&] {
        J.attribute("name", json::fixUTF8(Row.Name));
        J.attribute("count", Row.Count);
        J.attribute("total_ns", Row.Total);
        J.attribute("self_ns", Row.Self);
        optional(J, "wait_ns",
                 R.WaitsKnown ? std::optional(Row.Wait) : std::nullopt);
      });
  });
}

llvm::StringRef word(trace::OpKind K) {
  constexpr llvm::StringLiteral Words[] = {"kernel", "copy", "set", "graph",
                                           "other"};
  return Words[unsigned(K)];
}

void kernels(json::OStream &J, const Result &R) {
  J.attributeArray("kernels", [&] {
    for (const KernelRow &Row : R.Kernels)
      J.object([&] {
        J.attribute("name", json::fixUTF8(Row.Name));
        J.attribute("kind", word(Row.Kind));
        J.attribute("count", Row.Count);
        J.attribute("total_ns", Row.Total);
        J.attribute("mean_ns", Row.mean());
        J.attribute("min_ns", Row.Min);
        J.attribute("max_ns", Row.Max);
        auto OfSteps = [&](auto Sum) {
          return R.InSteps ? std::optional(Sum) : std::nullopt;
        };
        optional(J, "steps_count", OfSteps(Row.StepCount));
        optional(J, "steps_total_ns", OfSteps(Row.StepTotal));
        optional(J, "sm_efficiency", Row.SmEfficiency);
        optional(J, "occupancy", Row.Occupancy);
      });
  });
}

void memory(json::OStream &J, const Result &R) {
  J.attributeArray("memory_operations", [&] {
    for (const MemoryRow &Row : R.Memory)
      J.object([&] {
        bool IsCopy = Row.Kind == trace::OpKind::Copy;
        auto Word = [](auto Kind) {
          llvm::StringRef Name = analysis::name(Kind);
          return Name == "unknown" ? llvm::StringRef() : Name;
        };
        J.attribute("kind", word(Row.Kind));
        text(J, "direction", IsCopy ? Word(Row.Dir) : "");
        text(J, "source", IsCopy ? Word(Row.Source) : "");
        text(J, "destination", Word(Row.Destination));
        J.attribute("count", Row.Count);
        J.attribute("bytes", Row.Bytes);
        J.attribute("largest_bytes", Row.LargestBytes);
        J.attribute("total_ns", Row.Total);
        J.attribute("mean_ns", Row.mean());
        J.attribute("min_ns", Row.Min);
        J.attribute("max_ns", Row.Max);
        optional(J, "bytes_per_second", Row.rate());
      });
  });
}

void ranges(json::OStream &J, const Input &Subject) {
  auto Gpu = [&](int64_t Ns) {
    return Subject.R.WaitsKnown ? std::optional(Ns) : std::nullopt;
  };
  J.attributeArray("ranges", [&] {
    for (const RangeRow &Row : Subject.R.Ranges)
      J.object([&] {
        sitePlace(J, siteAt(Subject.T, Row.Site));
        J.attribute("name", json::fixUTF8(Row.Name));
        const trace::Site &S = Subject.T.Sites[Row.Site];
        text(J, "kind", S.Kind);
        text(J, "domain", S.isUserRange() ? S.Callee : "");
        J.attribute("count", Row.Count);
        J.attribute("total_ns", Row.Total);
        J.attribute("self_ns", Row.Self);
        J.attribute("median_ns", Row.Median);
        optional(J, "gpu_ns", Gpu(Row.Gpu));
        optional(J, "gpu_self_ns", Gpu(Row.GpuSelf));
      });
  });
}

void utilization(json::OStream &J, const Result &R) {
  if (!R.Used.Time)
    return J.attribute("utilization", nullptr);
  const Utilization &U = R.Used;
  J.attributeObject("utilization", [&] {
    J.attribute("of", R.InSteps ? "steps" : "run");
    J.attribute("time_ns", U.Time);
    J.attribute("kernels_ns", U.Kernels);
    optional(J, "sm_efficiency", U.SmEfficiency);
    optional(J, "occupancy", U.Occupancy);
    J.attributeObject("breakdown", [&] {
      for (unsigned W = 0; W < NumWorks; ++W)
        J.attribute((analysis::name(Work(W)) + "_ns").str(), U.Parts[W]);
      J.attribute("idle_ns", U.Time - U.busy());
    });
  });
}

} // namespace

void report::profileJson(json::OStream &J, const Input &Subject) {
  calls(J, Subject.R);
  kernels(J, Subject.R);
  memory(J, Subject.R);
  ranges(J, Subject);
  utilization(J, Subject.R);
}
