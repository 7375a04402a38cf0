// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/waits/Successors.h"

#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace autoprof;
using namespace autoprof::analysis;
using trace::Timeline;

namespace {

/// So many calls after a wait are considered.
constexpr size_t MaxSuccessors = 3;

/// How often calls of a group came after the waits of another group.
struct Follower {
  uint32_t Group;
  size_t Count;
};

class Finder {
  const Timeline &T;
  const Attribution &A;
  const WaitList &List;
  /// By thread, in order of the calls: its waits and latent waits.
  std::vector<std::vector<const Wait *>> OfThread;

  uint32_t groupOfCall(const Wait &W) const { return groupOf(T, A, W.Call); }
  bool wouldWaitFor(const Wait &Later, const Wait &Earlier) const;
  std::vector<uint32_t> after(llvm::ArrayRef<const Wait *> Events,
                              size_t I) const;

public:
  Finder(const Timeline &T, const Attribution &A, const WaitList &List);
  std::map<uint32_t, std::vector<uint32_t>> run() const;
};

Finder::Finder(const Timeline &T, const Attribution &A, const WaitList &List)
    : T(T), A(A), List(List), OfThread(T.Threads.size()) {
  for (const std::vector<Wait> *Waits : {&List.Waits, &List.Latent})
    for (const Wait &W : *Waits)
      OfThread[T.Host.Thread[W.Call]].push_back(&W);
  for (std::vector<const Wait *> &Events : OfThread)
    llvm::sort(Events,
               [](const Wait *A, const Wait *B) { return A->Call < B->Call; });
}

/// Whether the later call, which did not have to wait, also waits for what the
/// earlier one waited for.
bool Finder::wouldWaitFor(const Wait &Later, const Wait &Earlier) const {
  const trace::Queue &Waited = T.Queues[T.Ops.Queue[Earlier.LastOp]];
  switch (Later.Scope) {
  case WaitScope::Device:
    return Later.Device == Waited.Device;
  case WaitScope::Stream:
  case WaitScope::Legacy:
    return isOrderedWith(T.Queues[Later.Queue], Waited);
  case WaitScope::Operation:
    break;
  }
  return false; // Which operation it would wait for is not known.
}

/// Of the wait Events[I]; up to the next call that does wait.
std::vector<uint32_t> Finder::after(llvm::ArrayRef<const Wait *> Events,
                                    size_t I) const {
  const uint32_t Own = groupOfCall(*Events[I]);
  std::vector<uint32_t> Found;
  for (const Wait *Later : Events.drop_front(I + 1)) {
    const uint32_t Group = groupOfCall(*Later);
    if (Later->length() || Group == Own || Found.size() == MaxSuccessors)
      break;
    if (Later->Certain && wouldWaitFor(*Later, *Events[I]) &&
        !llvm::is_contained(Found, Group))
      Found.push_back(Group);
  }
  return Found;
}

std::map<uint32_t, std::vector<uint32_t>> Finder::run() const {
  std::map<uint32_t, size_t> Waits;
  std::map<uint32_t, std::vector<Follower>> Followers;
  for (llvm::ArrayRef<const Wait *> Events : OfThread)
    for (size_t I = 0; I < Events.size(); ++I) {
      if (!Events[I]->length())
        continue;
      const uint32_t Own = groupOfCall(*Events[I]);
      ++Waits[Own];
      std::vector<Follower> &Known = Followers[Own];
      for (uint32_t Group : after(Events, I)) {
        auto It = llvm::find_if(
            Known, [&](const Follower &F) { return F.Group == Group; });
        if (It == Known.end())
          Known.push_back({Group, 1});
        else
          ++It->Count;
      }
    }
  std::map<uint32_t, std::vector<uint32_t>> Result;
  for (const auto &[Group, Known] : Followers)
    for (const Follower &F : Known)
      if (2 * F.Count >= Waits[Group])
        Result[Group].push_back(F.Group);
  return Result;
}

} // namespace

std::map<uint32_t, std::vector<uint32_t>>
autoprof::analysis::findSuccessors(const Timeline &T, const Attribution &A,
                                   const WaitList &List) {
  return Finder(T, A, List).run();
}
