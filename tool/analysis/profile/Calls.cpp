// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/profile/HostTables.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

using namespace autoprof;
using namespace autoprof::analysis;
using trace::HostEvents;

std::vector<CallRow>
autoprof::analysis::sumCalls(const trace::Timeline &T,
                             const std::vector<Wait> &Waits) {
  const HostEvents &H = T.Host;
  std::vector<CallRow> Rows(T.Strings.size());
  std::vector<llvm::SmallVector<uint32_t, 4>> Open(T.Threads.size());
  for (uint32_t I = 0; I < H.size(); ++I) {
    if (!H.isCall(I))
      continue;
    int64_t Ns = H.End[I] - H.Start[I];
    CallRow &Row = Rows[H.Name[I]];
    ++Row.Count;
    Row.Total += Ns;
    Row.Self += Ns;
    auto &Stack = Open[H.Thread[I]];
    while (!Stack.empty() && H.End[Stack.back()] <= H.Start[I])
      Stack.pop_back();
    if (!Stack.empty())
      Rows[H.Name[Stack.back()]].Self -= Ns;
    Stack.push_back(I);
  }
  for (const Wait &W : Waits)
    Rows[H.Name[W.Call]].Wait += W.length();

  std::vector<CallRow> Result;
  for (uint32_t I = 0; I < Rows.size(); ++I) {
    if (!Rows[I].Count)
      continue;
    Rows[I].Name = T.Strings[I].str();
    Result.push_back(std::move(Rows[I]));
  }
  llvm::sort(Result, [](const CallRow &A, const CallRow &B) {
    return std::tie(B.Total, A.Name) < std::tie(A.Total, B.Name);
  });
  return Result;
}
