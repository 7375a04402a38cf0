// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// autoprof-stream-legacy-serializes: work on the legacy default stream between
// work of several named streams. It starts when all of theirs is done, and
// theirs goes on when it is done.
#include "audit/Neighbors.h"
#include "audit/rules/Common.h"

#include <set>

namespace autoprof::audit {

using namespace catalogue::values;
using catalogue::CallClass;
using catalogue::WaitsFor;
using llvm::StringRef;

static bool isWork(const LinkedSite &S) {
  return S.kind() == CallClass::Launch || S.kind() == CallClass::Copy ||
         S.kind() == CallClass::Set;
}

/// `streams[i]` stands for many, `streams[0]` and `s` for one.
static bool isMany(StringRef Name) {
  const StringRef Index = Name.split('[').second;
  return !Index.empty() && !Index.starts_with("]") &&
         Index.find_first_not_of("0123456789]") != StringRef::npos;
}

/// The name of the blocking stream that work is on: of many, their array's.
static StringRef blockingStream(const LinkedSite &S) {
  if (S.Stream != Blocking)
    return "";
  const StringRef Name = S.Its->Stream;
  return isMany(Name) ? Name.split('[').first : Name;
}

/// The streams whose work may be running when control gets here.
static unsigned outstanding(const Neighbors &Around, const LinkedSite &S,
                            std::set<std::string> &Names) {
  std::set<std::string> Done, Many;
  Around.before(S, [&](const Moment &M) {
    if (M.What == Moment::Edge)
      return false;
    if (!M.Its)
      return true;
    const bool Waits = M.Its->Does.Wait == catalogue::Waits::Yes;
    if (Waits &&
        (M.Its->Does.Target == WaitsFor::Device || M.Its->Stream == Legacy))
      return false;
    const std::string Name = blockingStream(*M.Its).str();
    if (Name.empty() || Done.count(Name))
      return true;
    if (M.Its->Does.Wait != catalogue::Waits::No)
      Done.insert(Name);
    else if (isWork(*M.Its)) {
      Names.insert(Name);
      if (isMany(M.Its->Its->Stream))
        Many.insert(Name);
    }
    return true;
  });
  return Names.size() + Many.size();
}

void checkStreamLegacySerializes(const Project &P, std::vector<Finding> &Out) {
  for (const LinkedSite &S : P.sites()) {
    if (!isWork(S) || S.Stream != Legacy || S.OnErrorPath)
      continue;
    const Neighbors Around(P, S.Function);
    std::set<std::string> Names;
    if (outstanding(Around, S, Names) < 2)
      continue;
    const LinkedSite *Next = nullptr;
    Around.after(S, [&](const Moment &M) {
      if (!Next && M.Its && isWork(*M.Its) &&
          Names.count(blockingStream(*M.Its).str()))
        Next = M.Its;
      return M.What != Moment::Edge;
    });
    if (!Next)
      continue;
    const Hot H = P.hot(S);
    Finding F = findingAt(P, S, H, Cost::AsWait);
    F.Message = S.Its->Callee +
                " is on the legacy default stream: it waits for the work of "
                "all blocking streams, and later work of " +
                Next->Its->Stream + " waits for it";
    F.Replacement = "give it a stream of its own, made with "
                    "cudaStreamNonBlocking, or order it with "
                    "cudaStreamWaitEvent";
    F.Notes.push_back({Next->Its->At, "this work has to wait"});
    Out.push_back(std::move(F));
  }
}

} // namespace autoprof::audit
