// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/rules/Outstanding.h"

#include "audit/rules/Thrust.h"

#include "llvm/ADT/STLExtras.h"

#include <set>

namespace autoprof::audit {

using catalogue::CallClass;
using catalogue::Fact;
using catalogue::Waits;
using catalogue::WaitsFor;
using llvm::StringRef;

StreamUse streamOfWork(const Project &P, const LinkedSite &S) {
  if (!isThrustAlgorithm(S))
    return streamOf(P, S);
  StreamUse Result{S.Known[Fact::Stream], ""};
  if (const Arg *Policy = policyOf(S)) {
    StringRef Name = policyText(*Policy).split(".on(").second;
    if (Name.consume_back(")") && isFixedName(Name))
      Result.Name = Name.str();
  }
  return Result;
}

/// The stream of a site in a called function, with the name that the call gives
/// it; without a name if the call does not pass it.
static StreamUse streamAsPassed(const Project &P, const LinkedSite &S,
                                const Call *Made) {
  StreamUse Result = streamOfWork(P, S);
  Result.Name.clear();
  const Value &From = S.Model->StreamVal;
  if (!Made || From.Unknown || From.Mask || From.Slots.size() != 1 ||
      !StringRef(From.Slots.front()).starts_with("P:"))
    return Result;
  unsigned I = 0;
  const std::vector<std::string> &Params = P.functionOf(S).Params;
  if (StringRef(From.Slots.front()).rsplit('#').second.getAsInteger(10, I) ||
      I >= Params.size() || Params[I] != S.Model->Stream ||
      I >= Made->Streams.size() || !isFixedName(Made->Streams[I]))
    return Result;
  Result.Name = Made->Streams[I];
  return Result;
}

std::vector<StreamUse> streamsOfCall(const Project &P, const Moment &Call) {
  if (Call.Callee < 0 || Call.Effects.CallsUnknown)
    return {StreamUse()};
  std::vector<StreamUse> Result;
  std::vector<unsigned> Worklist = {unsigned(Call.Callee)};
  std::set<unsigned> Seen = {unsigned(Call.Callee)};
  while (!Worklist.empty()) {
    const bool IsDirect = int(Worklist.back()) == Call.Callee;
    const LinkedFunction &F = P.functions()[Worklist.back()];
    Worklist.pop_back();
    for (unsigned I : F.Sites)
      if (P.sites()[I].QueuesWork)
        Result.push_back(
            streamAsPassed(P, P.sites()[I], IsDirect ? Call.Made : nullptr));
    for (const std::vector<unsigned> &Callees : F.Callees)
      for (unsigned Callee : Callees)
        if (Seen.insert(Callee).second)
          Worklist.push_back(Callee);
  }
  return Result;
}

/// Whether a call of the API that queues on, or waits for, `Own` waits for all
/// work on the stream.
static bool waitsFor(const LinkedSite &S, const StreamUse &Own,
                     const StreamUse &Stream) {
  if (S.Effects.Wait != Waits::Yes || S.OnErrorPath)
    return false;
  return S.Effects.Target == WaitsFor::Device ||
         (S.Effects.Target == WaitsFor::Stream && covers(Own, Stream));
}

/// Whether work that the call itself queues may run when it returns: a copy to
/// the GPU may still be in a staging buffer.
static bool leavesWork(const LinkedSite &S) {
  const bool IsDone = S.kind() == CallClass::Copy && isToHost(S) &&
                      S.Effects.Wait == Waits::Yes;
  return S.QueuesWork && !IsDone;
}

bool completes(const Project &P, const Moment &M, const StreamUse &Stream) {
  if (M.Linked)
    return waitsFor(*M.Linked, streamOfWork(P, *M.Linked), Stream);
  if (M.Class != Moment::Call || M.Callee < 0 || M.Uncertain || M.Virtual ||
      !P.functions()[M.Callee].Effects.Waits)
    return false;
  auto Waits = [&](const Moment &Inner) {
    return Inner.Linked && !leavesWork(*Inner.Linked) &&
           waitsFor(*Inner.Linked, streamAsPassed(P, *Inner.Linked, M.Made),
                    Stream);
  };
  const std::vector<Moment> Last =
      Neighbors(P, M.Callee).beforeEnd([&](const Moment &Inner) {
        return queuesNothing(Inner) && !Waits(Inner);
      });
  return !Last.empty() && llvm::all_of(Last, Waits);
}

/// Whether a path leads back from the wait to such work, and nothing on it
/// waits for the stream.
static bool findsBefore(const Project &P, const LinkedSite &Wait,
                        const StreamUse &Stream,
                        llvm::function_ref<bool(const Moment &)> IsWork) {
  bool Found = false;
  Neighbors(P, Wait.Function).preceding(Wait, [&](const Moment &M) {
    if (M.Class == Moment::Edge)
      return false;
    if (M.Linked ? leavesWork(*M.Linked) : !completes(P, M, Stream))
      Found |= IsWork(M);
    return !Found && !completes(P, M, Stream);
  });
  return Found;
}

bool isOutstanding(const Project &P, const LinkedSite &Wait,
                   const StreamUse &Stream) {
  auto IsStream = [&](const StreamUse &Use) {
    return Use.Kind == Stream.Kind && Use.Name == Stream.Name;
  };
  return findsBefore(P, Wait, Stream, [&](const Moment &M) {
    if (M.Linked)
      return IsStream(streamOfWork(P, *M.Linked));
    return M.Class == Moment::Call && M.Effects.MayLaunch &&
           llvm::any_of(streamsOfCall(P, M), IsStream);
  });
}

bool isOutstanding(const Project &P, const LinkedSite &Wait,
                   const LinkedSite &Work) {
  return findsBefore(P, Wait, streamOfWork(P, Work),
                     [&](const Moment &M) { return M.Linked == &Work; });
}

} // namespace autoprof::audit
