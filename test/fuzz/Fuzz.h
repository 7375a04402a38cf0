// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef AUTOPROF_TEST_FUZZ_FUZZ_H
#define AUTOPROF_TEST_FUZZ_FUZZ_H

#include "trace/Timeline.h"

#include "llvm/Support/Error.h"

#include <cstdlib>

namespace autoprof::fuzz {

/// How many inputs were traces, so that a replay shows that it tried the
/// readers and not only what stands in front of them.
inline unsigned Traces = 0;

/// Aborts where a reader breaks what every analysis relies on: indices lie in
/// their tables, slices are sorted and end after they start.
inline void use(llvm::Expected<trace::Timeline> T) {
  if (!T) {
    llvm::consumeError(T.takeError());
    return;
  }
  ++Traces;
  auto Check = [](bool Holds) {
    if (!Holds)
      abort();
  };
  const trace::HostEvents &H = T->Host;
  for (size_t I = 0; I < H.size(); ++I) {
    Check(H.Start[I] <= H.End[I] && (!I || H.Start[I - 1] <= H.Start[I]));
    Check(H.Name[I] < T->Strings.size() && H.Thread[I] < T->Threads.size());
    Check(H.Where[I] == trace::None || H.Where[I] < T->Sites.size());
  }
  const trace::GpuOps &O = T->Ops;
  for (size_t I = 0; I < O.size(); ++I) {
    Check(O.Start[I] <= O.End[I] && (!I || O.Start[I - 1] <= O.Start[I]));
    Check(O.Queue[I] < T->Queues.size() && O.Stage[I] < T->Stages.size());
    Check(O.Launch[I] == trace::None || O.Launch[I] < H.size());
  }
}

} // namespace autoprof::fuzz

#endif // AUTOPROF_TEST_FUZZ_FUZZ_H
