// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// autoprof-debug-device-printf: a kernel that is launched in a loop calls
// printf.
#include "audit/rules/Elsewhere.h"

namespace autoprof::audit {

void checkDevicePrints(const Project &P, Findings &Out) {
  for (const TranslationUnit &Unit : P.units())
    for (const DevicePrint &Print : Unit.Prints)
      for (size_t I = 0; I < P.sites().size(); ++I) {
        const LinkedSite &S = P.sites()[I];
        if (S.Row || S.Model->Kernel != Print.Kernel ||
            Out.Seen[I] != SiteSeen::InLaunchingLoop)
          continue;
        Finding F;
        F.Rule = "autoprof-debug-device-printf";
        F.Location = Print.Location;
        F.Level = Severity::Low;
        F.Message = "printf in kernel " + Print.Name +
                    ", which is launched in a loop: its buffer is copied to "
                    "the host at each synchronization";
        F.Path = {{S.Model->Location, "launches " + S.Model->Callee}};
        F.Replacement = "write to a buffer, or call printf only in debug "
                        "builds";
        Out.All.push_back(std::move(F));
        break;
      }
}

} // namespace autoprof::audit
