// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/recording/Graphs.h"

#include "analysis/common/Words.h"

#include <fmt/format.h>

using namespace autoprof;
using namespace autoprof::report;
using analysis::count;

static std::string launches(size_t Count) {
  return Count == 1 ? "1 launch of a CUDA graph was"
                    : count(Count) + " launches of CUDA graphs were";
}

std::vector<std::string> report::graphLines(const Input &Subject) {
  const analysis::GraphLaunches &Graphs = Subject.R.Graphs;
  const bool IsOurs = Subject.T.Info.Source.Producer.empty();
  std::vector<std::string> Lines;
  if (Graphs.Whole)
    Lines.push_back(fmt::format(
        "{} recorded as one operation each, so {} kernels are not listed{}.",
        launches(Graphs.Whole), Graphs.Whole == 1 ? "its" : "their",
        IsOurs ? "; 'autoprof run --graphs=node' records them" : ""));
  if (Graphs.ByNode && IsOurs && Subject.T.Info.Mode == "full")
    Lines.push_back(fmt::format(
        "{} recorded node by node, which makes launches several times as "
        "expensive, so savings in an unrecorded run are unknown. 'autoprof run "
        "--graphs=graph' records a launch as one operation.",
        launches(Graphs.ByNode)));
  return Lines;
}
