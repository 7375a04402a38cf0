// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/profile/GraphLaunches.h"

#include <vector>

using namespace autoprof;
using namespace autoprof::analysis;
using trace::None;

GraphLaunches analysis::findGraphLaunches(const trace::Timeline &T,
                                          int64_t From) {
  // Many operations have few names, so answers are kept by name.
  std::vector<uint8_t> Names; // By name: 0 is not known, 1 no, 2 a launch.
  auto LaunchesGraphs = [&](uint32_t Name) {
    if (Name >= Names.size())
      Names.resize(Name + 1);
    if (!Names[Name])
      Names[Name] = T.Strings[Name].contains("GraphLaunch") ? 2 : 1;
    return Names[Name] == 2;
  };
  GraphLaunches Result;
  uint32_t Last = None;
  for (uint32_t Op : T.LaunchOrder) {
    const uint32_t Call = T.Ops.Launch[Op];
    if (Call == None || Call == Last || T.Host.Start[Call] < From)
      continue;
    Last = Call;
    if (T.Stages[T.Ops.Stage[Op]].Kind == trace::OpKind::Graph)
      ++Result.Whole;
    else if (LaunchesGraphs(T.Host.Name[Call]))
      ++Result.ByNode;
  }
  return Result;
}
