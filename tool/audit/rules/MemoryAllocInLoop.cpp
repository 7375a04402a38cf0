// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// autoprof-memory-alloc-in-loop: memory, plans, and handles that are created
// or freed in each iteration of a launching loop.
#include "audit/rules/Common.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace autoprof::audit {

using catalogue::CallClass;
using catalogue::Waits;
using llvm::StringRef;

/// Library plans and handles have class "other".
static bool makesPlanOrHandle(const LinkedSite &S) {
  StringRef Name = S.cudaRow();
  if (S.kind() != CallClass::Other || S.Effects.Wait == Waits::No)
    return false;
  return Name.contains("Plan") || Name.contains("Create") ||
         Name.contains("Destroy");
}

/// `needed > size`, `capacity < needed`, `!(size >= needed)`: the smaller side
/// is the present size. `size > 0` and `n < MAX_SIZE` do not indicate growth.
static bool comparesWithPresent(StringRef Condition) {
  bool LeftIsLess = Condition.contains('<');
  if (Condition.consume_front("!("))
    LeftIsLess = !LeftIsLess;
  auto [Left, Right] = Condition.split(Condition.contains('<') ? '<' : '>');
  const StringRef Present = (LeftIsLess ? Left : Right).trim(" =()");
  const StringRef Needed = (LeftIsLess ? Right : Left).trim(" =()");
  if (Present.empty() || Needed.empty() || llvm::isDigit(Needed.front()))
    return false;
  return Present.contains_insensitive("size") ||
         Present.contains_insensitive("capacity") ||
         Present.contains_insensitive("alloc");
}

/// `if (needed > size) allocate`: it grows at first, then no longer.
static bool onlyGrows(const Hot &H) {
  return llvm::any_of(H.Guards, [](const Scope *S) {
    return S->Class == Scope::Condition && comparesWithPresent(S->Text);
  });
}

static bool isAllocation(const LinkedSite &S) {
  // Stream-ordered forms never wait; another rule covers hidden destructors.
  if (S.Model->Hidden || S.cudaRow().contains("Async"))
    return false;
  if (S.kind() == CallClass::Alloc)
    return S.Effects.Wait != Waits::No; // Managed memory is mapped later.
  if (S.kind() == CallClass::Free)
    return catalogue::mayWait(S.Effects.Wait);
  return makesPlanOrHandle(S);
}

void checkMemoryAllocInLoop(const Project &P, std::vector<Finding> &Out) {
  for (const LinkedSite &S : P.sites()) {
    if (!isAllocation(S))
      continue;
    Hot H = P.hot(S);
    if (!H.IsHot || onlyGrows(H))
      continue;
    const bool IsSlow = S.Effects.Wait == Waits::Slow;
    Finding F = findingAt(P, S, H, IsSlow ? Cost::AsWait : Cost::OfWait);
    if (IsSlow) {
      F.Level = std::min(F.Level, Severity::Medium);
      F.Message = S.Model->Callee + " allocates " + eachIteration(P, H) +
                  because(S.Effects.Reason);
    } else {
      F.Message =
          S.Model->Callee +
          (S.Effects.Wait == Waits::Yes ? " waits for " : " may wait for ") +
          whatIsWaitedFor(P, S) + " " + eachIteration(P, H) +
          (S.Effects.Wait == Waits::Yes ? because(S.Effects.Reason)
           : S.Effects.Reason.empty()   ? ""
                                        : ": " + S.Effects.Reason);
    }
    Out.push_back(std::move(F));
  }
}

} // namespace autoprof::audit
