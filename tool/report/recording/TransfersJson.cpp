// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/JsonFields.h"
#include "report/recording/JsonParts.h"

using namespace autoprof;
using namespace autoprof::report;
using namespace autoprof::analysis;
using trace::MemoryKind;

namespace {

void sumFields(Fields &F, const TransferSums &S) {
  F.field("count", "copies", S.Count);
  F.field("bytes", "in all", S.Bytes);
  F.field("host_ns", "host time in the calls", S.Host);
  F.field("wait_ns",
          "of it waiting for earlier work; the rest is the copy itself: the "
          "driver's copying of pageable memory, and waiting for the transfer",
          S.Waiting);
  F.field("gpu_ns", "time of the copies on the GPU", S.Gpu);
}

void rowFields(Fields &F, const Input &Subject, const TransferRow &Row) {
  callFields(F, siteAt(Subject.T, Row.Site), Row.Call);
  F.choice("direction", "to the GPU, or to the host", name(Row.Dir),
           {"HtoD", "DtoH"});
  F.choice("memory", "the host's; null: not known, or managed",
           Row.Memory == MemoryKind::Pageable ||
                   Row.Memory == MemoryKind::Pinned
               ? name(Row.Memory)
               : "",
           {"pageable", "pinned", ""});
  F.field("blocks", "whether the host goes on only when the copy is done",
          Row.Blocks);
  sumFields(F, Row.Run);
  F.object("steps", "the same of the steps that count; null without steps",
           Row.Steps, [&](const TransferSums &S) { sumFields(F, S); });
  F.object(
      "pinned",
      "what a copy of the mean size would take on the GPU from or to pinned "
      "memory; null unless the memory is pageable and was asked about",
      Row.Pinned, [&](const PinnedCopies::Estimate &E) {
        F.field("low_ns", "at least", E.Short);
        F.field("high_ns", "at most", E.Long);
        F.choice("source",
                 "measured in this recording, by `autoprof calibrate` on its "
                 "machine, or built in (an H200)",
                 E.From, ConstantSource::BuiltIn);
      });
}

} // namespace

void report::transferFields(Fields &F, const Input &Subject) {
  F.list("transfers",
         "copies between host and GPU that calls of their own make, by site, "
         "direction and kind of memory; what changing them saves is in "
         "`what_if[]`. Empty where waits are not known",
         Subject.R.Transfers,
         [&](const TransferRow &Row) { rowFields(F, Subject, Row); });
  F.object("replay_constants",
           "where the pauses that the replay adds come from; null where "
           "nothing was replayed",
           Subject.R.Constants, [&](const ReplayConstants &C) {
             F.choice("pause_between_kernels",
                      "measured in this recording, by `autoprof calibrate` on "
                      "its machine, or built in (an H200)",
                      C.Pauses[false], ConstantSource::BuiltIn);
             F.choice("pause_between_kernel_and_copy",
                      "measured in this recording, by `autoprof calibrate` on "
                      "its machine, or built in (an H200)",
                      C.Pauses[true], ConstantSource::BuiltIn);
             F.field("collectives",
                     "kernels of NCCL in the run, which wait for other ranks; "
                     "0 in a run of one rank",
                     C.Collectives);
           });
}
