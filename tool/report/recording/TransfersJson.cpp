// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/JsonFields.h"
#include "report/recording/JsonParts.h"

using namespace autoprof;
using namespace autoprof::report;
using namespace autoprof::analysis;
namespace json = llvm::json;

namespace {

bool isKnown(trace::MemoryKind M) {
  return M == trace::MemoryKind::Pageable || M == trace::MemoryKind::Pinned;
}

void writeSums(json::OStream &J, const TransferSums &S) {
  J.attribute("count", S.Count);
  J.attribute("bytes", S.Bytes);
  J.attribute("host_ns", S.Host);
  J.attribute("wait_ns", S.Waiting);
  J.attribute("gpu_ns", S.Gpu);
}

void writeRow(json::OStream &J, const Input &Subject, const TransferRow &Row) {
  sitePlace(J, siteAt(Subject.T, Row.Site));
  J.attribute("call", json::fixUTF8(Row.Call));
  J.attribute("direction", analysis::name(Row.Dir));
  text(J, "memory", isKnown(Row.Memory) ? analysis::name(Row.Memory) : "");
  J.attribute("blocks", Row.Blocks);
  writeSums(J, Row.Run);
  if (Row.Steps)
    J.attributeObject("steps", [&] { writeSums(J, *Row.Steps); });
  else
    J.attribute("steps", nullptr);
  if (!Row.Pinned)
    return J.attribute("pinned", nullptr);
  J.attributeObject("pinned", [&] {
    J.attribute("low_ns", Row.Pinned->Short);
    J.attribute("high_ns", Row.Pinned->Long);
    J.attribute("source", analysis::name(Row.Pinned->From));
  });
}

} // namespace

void report::writeTransfers(json::OStream &J, const Input &Subject) {
  J.attributeArray("transfers", [&] {
    for (const TransferRow &Row : Subject.R.Transfers)
      J.object([&] { writeRow(J, Subject, Row); });
  });
  const std::optional<ReplayConstants> &C = Subject.R.Constants;
  if (!C)
    return J.attribute("replay_constants", nullptr);
  J.attributeObject("replay_constants", [&] {
    for (bool ChangesEngine : {false, true})
      J.attribute(ChangesEngine ? "pause_between_kernel_and_copy"
                                : "pause_between_kernels",
                  analysis::name(C->Pauses[ChangesEngine]));
    J.attribute("collectives", C->Collectives);
  });
}
