// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// autoprof-stream-legacy-serializes: work on the legacy default stream between
// work of several named streams. It starts when their work is done, and
// their work continues when it is done.
#include "audit/Neighbors.h"
#include "audit/rules/Common.h"

#include <set>

namespace autoprof::audit {

using namespace catalogue::values;
using catalogue::CallClass;
using catalogue::WaitsFor;
using llvm::StringRef;

/// Thrust's calls have rules of their own.
static bool isWork(const LinkedSite &S) {
  const bool IsKind = S.kind() == CallClass::Launch ||
                      S.kind() == CallClass::Copy || S.kind() == CallClass::Set;
  return IsKind && S.QueuesWork && !(S.Row && S.Row->Library == "thrust");
}

/// `streams[i]` is many streams; `streams[0]` and `s` are one.
static bool isMany(StringRef Name) {
  const StringRef Index = Name.split('[').second;
  return !Index.empty() && !Index.starts_with("]") &&
         Index.find_first_not_of("0123456789]") != StringRef::npos;
}

/// The name of the work's blocking stream, or of the array of many streams.
static StringRef blockingStream(const LinkedSite &S) {
  if (S.Stream != Blocking)
    return "";
  const StringRef Name = S.Model->Stream;
  return isMany(Name) ? Name.split('[').first : Name;
}

/// The streams whose work may be running when control gets here.
static unsigned outstanding(const Neighbors &Near, const LinkedSite &S,
                            std::set<std::string> &Names) {
  std::set<std::string> Done, Repeated;
  Near.preceding(S, [&](const Moment &M) {
    if (M.Class == Moment::Edge)
      return false;
    if (!M.Linked)
      return true;
    const bool Waits = M.Linked->Effects.Wait == catalogue::Waits::Yes;
    if (Waits && (M.Linked->Effects.Target == WaitsFor::Device ||
                  M.Linked->Stream == Legacy))
      return false;
    const std::string Name = blockingStream(*M.Linked).str();
    if (Name.empty() || Done.count(Name))
      return true;
    if (M.Linked->Effects.Wait != catalogue::Waits::No)
      Done.insert(Name);
    else if (isWork(*M.Linked)) {
      Names.insert(Name);
      if (isMany(M.Linked->Model->Stream))
        Repeated.insert(Name);
    }
    return true;
  });
  return Names.size() + Repeated.size();
}

static bool shareMemory(const LinkedSite &A, const LinkedSite &B) {
  return llvm::any_of(A.Model->Args, [&](const Arg &Used) {
    return Used.Cell >= 0 && llvm::any_of(B.Model->Args, [&](const Arg &Other) {
             return Other.Cell == Used.Cell;
           });
  });
}

/// The named streams whose work uses the same memory, in the order of the text.
static std::vector<std::string> sharingStreams(const Project &P,
                                               const LinkedSite &S) {
  std::vector<std::string> Result;
  for (unsigned I : P.functions()[S.Function].Sites) {
    const LinkedSite &Other = P.sites()[I];
    const std::string &Name = Other.Model->Stream;
    if (isWork(Other) && !blockingStream(Other).empty() &&
        shareMemory(S, Other) && !llvm::is_contained(Result, Name))
      Result.push_back(Name);
  }
  return Result;
}

/// Work that shares memory with that of a stream must stay in its order.
static std::string insteadOfLegacy(const Project &P, const LinkedSite &S) {
  const std::vector<std::string> Sharing = sharingStreams(P, S);
  const std::string Form = S.kind() == CallClass::Set && !isAsynchronous(S)
                               ? "use " + S.cudaRow().str() + "Async"
                               : std::string("queue it");
  if (Sharing.empty())
    return Form + " on a separate stream, created with cudaStreamNonBlocking, "
                  "and order it with cudaEventRecord and cudaStreamWaitEvent "
                  "before and after the work that uses the same memory";
  std::string Result = Form + " on stream '" + Sharing.front() +
                       "', whose work uses the same memory";
  if (Sharing.size() > 1)
    Result += ", and order it with the work on '" + Sharing[1] +
              "' with cudaEventRecord and cudaStreamWaitEvent";
  return Result;
}

void checkStreamLegacySerializes(const Project &P, std::vector<Finding> &Out) {
  for (const LinkedSite &S : P.sites()) {
    if (!isWork(S) || S.Stream != Legacy || S.OnErrorPath)
      continue;
    const Neighbors Near(P, S.Function);
    std::set<std::string> Names;
    if (outstanding(Near, S, Names) < 2)
      continue;
    const LinkedSite *Next = nullptr;
    Near.following(S, [&](const Moment &M) {
      if (!Next && M.Linked && isWork(*M.Linked) &&
          Names.count(blockingStream(*M.Linked).str()))
        Next = M.Linked;
      return M.Class != Moment::Edge;
    });
    if (!Next)
      continue;
    const Hot H = P.hot(S);
    Finding F = findingAt(P, S, H, Cost::AsWait);
    F.Message = S.Model->Callee +
                " is on the legacy default stream: it waits for the work of "
                "all blocking streams, and later work on " +
                Next->Model->Stream + " waits for it";
    F.Replacement = insteadOfLegacy(P, S);
    F.Notes.push_back({Next->Model->Location, "this work must wait"});
    Out.push_back(std::move(F));
  }
}

} // namespace autoprof::audit
