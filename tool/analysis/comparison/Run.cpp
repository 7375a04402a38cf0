// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/comparison/Run.h"

using namespace autoprof;
using namespace autoprof::analysis;
using trace::Timeline;

namespace {

/// What takes a row for each event of the trace.
void dropTimelines(Result &R) {
  R.Waits = {};
  R.Stalls = {};
  R.Causes = {};
  for (DeviceActivity &D : R.Devices)
    D.Gaps = D.Unknown = {};
  if (R.InSteps)
    R.InSteps->WaitOf = R.InSteps->ExposedOf = {};
}

} // namespace

RunSummary autoprof::analysis::summarise(llvm::StringRef Path,
                                         const Timeline &T, const Result &R) {
  RunSummary S;
  S.Path = Path.str();
  S.Info = T.Info;
  for (const trace::Device &D : T.Devices)
    S.Devices.push_back(D.Name);
  S.R = R;
  S.Table = T.Sites;
  S.FileBytes = T.Unread.FileBytes;
  // Other recorders do not say how the program ended.
  S.CutOff =
      T.isCutOff() && (T.Info.Source.Producer.empty() || T.Unread.BytesDropped);
  S.Limited = T.Recorded.Limited;
  dropTimelines(S.R);
  return S;
}
