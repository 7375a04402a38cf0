// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/JsonFields.h"
#include "report/recording/JsonParts.h"

using namespace autoprof;
using namespace autoprof::report;
using namespace autoprof::analysis;
using trace::OpKind;

namespace {

constexpr llvm::StringRef OpKinds[] = {"kernel", "copy", "set", "graph",
                                       "other"};

void kernelFields(Fields &F, const Result &R, const KernelRow &Row) {
  const bool Steps = R.InSteps.has_value();
  F.field("name", "demangled, in full", Row.Name);
  F.choice("kind", "kind of operation", word(Row.Kind), OpKinds);
  F.field("count", "how often it ran", Row.Count);
  F.field("total_ns", "sum of durations", Row.Total);
  F.field("mean_ns", "mean duration", Row.mean());
  F.field("min_ns", "shortest duration", Row.Min);
  F.field("max_ns", "longest duration", Row.Max);
  F.field("steps_count",
          "those that ended in the steps that count; null without such steps",
          onlyIf(Steps, Row.StepCount));
  F.field("steps_total_ns", "sum of their durations",
          onlyIf(Steps, Row.StepTotal));
  F.field("sm_efficiency",
          "the part of the multiprocessors that its blocks can use "
          "([reports-reference.md](reports-reference.md#the-profile)); null "
          "for copies and sets, and where the launch configuration of one of "
          "them is unknown",
          Row.SmEfficiency, Bounds::Share);
}

void memoryFields(Fields &F, const MemoryRow &Row) {
  const bool IsCopy = Row.Kind == OpKind::Copy;
  constexpr llvm::StringRef Memories[] = {"pageable", "pinned", "device",
                                          "managed", ""};
  auto Known = [](auto Kind, bool IsKnown) {
    return IsKnown && unsigned(Kind) ? analysis::name(Kind) : llvm::StringRef();
  };
  F.choice("kind", "kind of operation", word(Row.Kind), {"copy", "set"});
  F.choice("direction", "of copies; null: unknown, or a set",
           Known(Row.Dir, IsCopy),
           {"HtoD", "DtoH", "DtoD", "HtoH", "PtoP", ""});
  F.choice("source", "memory read; null: unknown, or a set",
           Known(Row.Source, IsCopy), Memories);
  F.choice("destination", "memory written; null: unknown",
           Known(Row.Destination, true), Memories);
  F.field("count", "how many", Row.Count);
  F.field("bytes", "sum of sizes", Row.Bytes);
  F.field("largest_bytes", "the largest one", Row.LargestBytes);
  F.field("total_ns", "sum of durations on the GPU", Row.Total);
  F.field("mean_ns", "mean duration", Row.mean());
  F.field("min_ns", "shortest duration", Row.Min);
  F.field("max_ns", "longest duration", Row.Max);
  F.field("bytes_per_second",
          "`bytes` divided by `total_ns`; null when either is 0", Row.rate());
}

void rangeFields(Fields &F, const Input &Subject, const RangeRow &Row) {
  const bool Known = Subject.R.WaitsKnown;
  const trace::Site *Place = siteAt(Subject.T, Row.Site);
  placeFields(F, Place);
  F.field("name", "name of the range", Row.Name);
  F.choice("kind", "`nvtx` ranges have no `file`, `line` and `function`",
           Place ? Place->Kind : "", {"function", "loop", "nvtx", ""});
  F.text("domain", "NVTX domain; null: none",
         Place && Place->isUserRange() ? Place->Callee : "");
  F.field("count", "runs, or iterations", Row.Count);
  F.field("total_ns", "host time; of a recursion, that of the outermost runs",
          Row.Total);
  F.field("self_ns", "host time outside of ranges inside it", Row.Self);
  F.field("median_ns", "of one run or iteration", Row.Median);
  F.field("gpu_ns",
          "durations of the GPU operations launched inside, summed (concurrent "
          "ones count twice); null without GPU work in the trace",
          onlyIf(Known, Row.Gpu));
  F.field("gpu_self_ns",
          "the same, of operations launched in no range inside it",
          onlyIf(Known, Row.GpuSelf));
}

void operatorFields(Fields &F, const Input &Subject, const OperatorSums &S) {
  const bool Known = Subject.R.WaitsKnown,
             HasMemory = hasTensorMemory(Subject.T);
  F.field("count", "runs", S.Count);
  F.field("cpu_ns", "from their begins to their ends", S.Cpu);
  F.field("self_cpu_ns", "outside of operators and calls of CUDA inside",
          S.SelfCpu);
  F.field("gpu_ns",
          "durations of the GPU operations that their thread launched inside, "
          "summed (concurrent ones count twice); null without GPU work in the "
          "trace",
          onlyIf(Known, S.Gpu));
  F.field("self_gpu_ns", "the same, of those launched in no operator inside",
          onlyIf(Known, S.SelfGpu));
  F.field("cpu_bytes",
          "what the framework's allocator gave inside on the host, less what "
          "it took back; null: not recorded",
          onlyIf(HasMemory, S.CpuBytes), Bounds::Any);
  F.field("self_cpu_bytes", "the same, in no operator inside",
          onlyIf(HasMemory, S.SelfCpuBytes), Bounds::Any);
  F.field("gpu_bytes", "the same on GPUs", onlyIf(HasMemory, S.GpuBytes),
          Bounds::Any);
  F.field("self_gpu_bytes", "the same, in no operator inside",
          onlyIf(HasMemory, S.SelfGpuBytes), Bounds::Any);
}

void utilizationFields(Fields &F, const Result &R, const Utilization &U) {
  F.choice("of",
           "`steps`: the steps that count; `run`: there are none, from the "
           "first to the last operation",
           R.InSteps ? "steps" : "run", {"steps", "run"});
  F.field("time_ns", "summed over devices; as `steps.span_ns`", U.Time);
  F.field("kernels_ns", "time in which at least one kernel ran", U.Kernels);
  F.field("sm_efficiency",
          "over `time_ns`; null unless known for 95 % of the kernels' time",
          U.SmEfficiency, Bounds::Share);
  F.object("breakdown",
           "together with the causes in `steps.gaps[]` or `gaps[]` it adds up "
           "to `time_ns`",
           [&] {
             auto Of = [&](Work W) { return U.Parts[unsigned(W)]; };
             F.field("compute_ns", "a kernel ran that is not communication",
                     Of(Work::Compute));
             F.field("copy_ns", "a copy ran, and nothing listed before",
                     Of(Work::Copy));
             F.field("set_ns", "a set ran, and nothing listed before",
                     Of(Work::Set));
             F.field("communication_ns",
                     "a communication kernel ran, and nothing listed before",
                     Of(Work::Communication));
             F.field("other_ns",
                     "another operation ran, and nothing listed before",
                     Of(Work::Other));
             F.field("idle_ns", "no operation ran", U.Time - U.busy());
           });
}

void deviceMemoryFields(Fields &F, const Input &Subject,
                        const DeviceMemory &M) {
  auto Holder = [&](const MemoryHolder &H) {
    placeFields(F, siteAt(Subject.T, H.Site));
    F.text("call", "the call that allocated", H.Call);
    F.field("count", "blocks", H.Count);
    F.field("bytes", "their sizes", H.Bytes);
  };
  F.field("device", "CUDA's device number", M.Device);
  F.field("allocations", "blocks allocated", M.Allocations);
  F.field("releases", "blocks freed", M.Releases);
  F.field(
      "unmatched_releases",
      "of memory whose allocation is not in the trace: the sums are too small",
      M.Unmatched);
  F.field("peak_bytes", "the most that was allocated at one time", M.PeakBytes);
  F.field("peak_at_ns", "when, since the trace's start", M.PeakTime);
  F.field("peak_step",
          "the step in which it was, counted from 1; null: in none",
          M.PeakStep);
  F.list("at_peak", "who held memory then, by bytes", M.AtPeak, Holder);
  F.list("not_freed", "who held what was left when the recording ended",
         M.NotFreed, Holder);
  F.list("curve",
         "the bytes allocated, from each time on; of more than 2,000 changes, "
         "the maximum of each group of them",
         M.Curve, [&](const auto &Point) {
           F.field("at_ns", "since the trace's start", Point.first);
           F.field("bytes", "allocated from then on", Point.second);
         });
}

} // namespace

void report::profileFields(Fields &F, const Input &Subject) {
  const Result &R = Subject.R;
  F.list(
      "apis", "calls by name, by total time", R.Calls, [&](const CallRow &Row) {
        F.field("name", "the call", Row.Name);
        F.field("count", "how often it was made", Row.Count);
        F.field("total_ns", "host time inside, nested calls included",
                Row.Total);
        F.field("self_ns", "without nested calls", Row.Self);
        F.field("wait_ns", "sum of its waits", onlyIf(R.WaitsKnown, Row.Wait));
      });
  F.list("kernels",
         "GPU operations by name (copies and sets too), by total time",
         R.Kernels, [&](const KernelRow &Row) { kernelFields(F, R, Row); });
  F.list("memory_operations",
         "copies and sets by what they move between, by total time", R.Memory,
         [&](const MemoryRow &Row) { memoryFields(F, Row); });
  F.list("ranges",
         "functions, loops, and the program's own NVTX ranges, by total time",
         R.Ranges, [&](const RangeRow &Row) { rangeFields(F, Subject, Row); });
  F.list("operators",
         "a framework's operators by name, by `self_gpu_ns`, then by "
         "`self_cpu_ns`; a run directly inside one of the same name is part of "
         "it",
         R.Operators, [&](const OperatorRow &Row) {
           F.field("name", "\"aten::add\"", Row.Name);
           operatorFields(F, Subject, Row.All);
           F.list("by_shapes", "the same by the shapes of the inputs",
                  Row.ByShapes, [&](const auto &One) {
                    F.text("shapes", "\"[[64, 128], []]\"; null: not recorded",
                           One.first);
                    operatorFields(F, Subject, One.second);
                  });
         });
  F.object("utilization",
           "what the GPUs did with their time "
           "([reports-reference.md](reports-reference.md#the-profile)); null "
           "without GPU work",
           R.Used.Time ? &R.Used : nullptr,
           [&](const Utilization &U) { utilizationFields(F, R, U); });
  F.listOrNull(
      "device_memory",
      "who holds how much of each GPU's memory "
      "([reports.md](reports.md#device-memory)); null where allocations were "
      "not recorded",
      R.Memories.empty() ? nullptr : &R.Memories,
      [&](const DeviceMemory &M) { deviceMemoryFields(F, Subject, M); });
}
