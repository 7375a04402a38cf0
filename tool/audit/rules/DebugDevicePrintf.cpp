// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// autoprof-debug-device-printf: a kernel that is launched in a loop calls
// printf.
#include "audit/rules/Common.h"

namespace autoprof::audit {

static void checkPrint(const Project &P, const DevicePrint &Print,
                       std::vector<Finding> &Out) {
  for (const LinkedSite &S : P.sites()) {
    if (S.Row || S.Model->Kernel != Print.Kernel)
      continue;
    Hot H = P.hot(S);
    if (!H.IsHot)
      continue;
    Finding F;
    F.Location = Print.Location;
    F.Level = severityAsWait(P, S, H);
    F.HowOften = H.often();
    F.Message = "printf in kernel " + Print.Name + ", which is launched " +
                eachIteration(P, H) +
                ": its buffer is copied to the host "
                "at each synchronization";
    F.Path = H.Path;
    F.Path.push_back({S.Model->Location, "launches " + S.Model->Callee});
    F.Replacement = "write to a buffer, or call printf only in debug builds";
    Out.push_back(std::move(F));
    return;
  }
}

void checkDebugDevicePrintf(const Project &P, std::vector<Finding> &Out) {
  for (const TranslationUnit &Unit : P.units())
    for (const DevicePrint &Print : Unit.Prints)
      checkPrint(P, Print, Out);
}

} // namespace autoprof::audit
