// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/rules/Streams.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace autoprof::audit {

using namespace catalogue::values;
using llvm::StringRef;

bool isFixedName(StringRef Name) {
  while (!Name.empty()) {
    auto [Before, Rest] = Name.split('[');
    if (Before.find_first_not_of(
            "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
            "0123456789_.->:]") != StringRef::npos)
      return false;
    if (Rest.empty())
      return !Name.ends_with("[");
    if (!llvm::all_of(Rest.take_until([](char C) { return C == ']'; }),
                      llvm::isDigit))
      return false;
    Name = Rest;
  }
  return true;
}

bool StreamUse::isNamed() const {
  return Kind != ~0u && !(Kind & ~uint32_t(Blocking | NonBlocking)) &&
         !Name.empty();
}

bool StreamUse::joinsLegacy() const {
  return Kind != ~0u && !(Kind & NonBlocking);
}

/// The stream set by `cublasSetStream(handle, stream)` for the handle that is
/// the call's first argument. Unknown if there are several.
static StreamUse streamOfHandle(const Project &P, const LinkedSite &S) {
  const Arg *Handle = argument(S, 0);
  const LinkedFunction &F = P.functions()[S.Function];
  StreamUse Result;
  bool Made = false, Set = false;
  for (unsigned I : F.Sites) {
    const LinkedSite &Other = P.sites()[I];
    const Arg *First = argument(Other, 0);
    if (!Handle || !First)
      continue;
    StringRef Row = Other.cudaRow(), Object = First->Text;
    if (Row.ends_with("SetStream") && Object == Handle->Text) {
      if (std::exchange(Set, true))
        return {};
      Result = {Other.Stream, Other.Model->Stream};
    }
    Made |= Row.contains("Create") && Object.consume_front("&") &&
            Object == Handle->Text;
  }
  if (Made && !Set)
    Result.Kind = Legacy; // The default stream of its handle.
  return Result;
}

StreamUse streamOf(const Project &P, const LinkedSite &S) {
  StreamUse Result{S.Stream, S.Model->Stream};
  if (S.Model->StreamVal.isNothing() && S.Stream == ~0u)
    Result = streamOfHandle(P, S);
  if (!(Result.Kind & (Blocking | NonBlocking)) || !isFixedName(Result.Name))
    Result.Name.clear();
  return Result;
}

bool covers(const StreamUse &Done, const StreamUse &Wanted) {
  if (Done.isLegacy())
    return Wanted.joinsLegacy();
  return !Done.Name.empty() && Done.Name == Wanted.Name;
}

std::vector<StreamUse> streamsOfWork(const Project &P, unsigned Function) {
  const LinkedFunction &F = P.functions()[Function];
  std::vector<StreamUse> Result;
  for (unsigned I : F.Sites)
    if (P.sites()[I].QueuesWork)
      Result.push_back(streamOf(P, P.sites()[I]));
  for (const std::vector<unsigned> &Callees : F.Callees)
    if (Callees.empty() || llvm::any_of(Callees, [&](unsigned Callee) {
          return P.functions()[Callee].Effects.MayLaunch;
        }))
      Result.push_back({});
  for (const Block &B : F.Model->Blocks)
    for (const Event &E : B.Events)
      if (E.Class == Event::UnknownCall)
        Result.push_back({});
  return Result;
}

/// The calls that the function's program makes.
static std::vector<const LinkedSite *> sitesOfProgram(const Project &P,
                                                      unsigned Function) {
  std::vector<const LinkedSite *> Result;
  for (const LinkedSite &S : P.sites())
    if (!S.OnErrorPath && P.mayShareProgram(S.Function, Function))
      Result.push_back(&S);
  return Result;
}

bool isOnlyStream(const Project &P, unsigned Function,
                  const StreamUse &Stream) {
  if (!Stream.isNamed())
    return false;
  const std::vector<const LinkedSite *> Sites = sitesOfProgram(P, Function);
  unsigned Made = 0;
  for (const LinkedSite *S : Sites)
    if (S->cudaRow().contains("StreamCreate")) {
      if (P.times(S->Function, S->Model->Scope) != 1)
        return false;
      ++Made;
    }
  return Made == 1 && llvm::all_of(Sites, [&](const LinkedSite *S) {
           return !S->QueuesWork || S->Effects.Wait == catalogue::Waits::Yes ||
                  !(streamOf(P, *S).Kind & ~uint32_t(Blocking | NonBlocking)) ||
                  !P.hot(*S).IsHot;
         });
}

static bool makesNonBlocking(const LinkedSite &S) {
  StringRef Row = S.cudaRow();
  if (Row != "cudaStreamCreateWithFlags" &&
      Row != "cudaStreamCreateWithPriority" && Row != "cuStreamCreate" &&
      Row != "cuStreamCreateWithPriority")
    return false;
  const Arg *Flags = argument(S, 1);
  return !Flags || Flags->Constant != 0;
}

bool mayHaveNonBlocking(const Project &P, unsigned Function) {
  if (llvm::any_of(P.sites(), [&](const LinkedSite &S) {
        return makesNonBlocking(S) && P.mayShareProgram(S.Function, Function);
      }))
    return true;
  // Streams from elsewhere that are passed to the function or to its callees.
  std::vector<unsigned> Worklist = {Function};
  llvm::DenseSet<unsigned> Seen = {Function};
  while (!Worklist.empty()) {
    const LinkedFunction &F = P.functions()[Worklist.back()];
    Worklist.pop_back();
    for (unsigned I : F.Sites) {
      const LinkedSite &S = P.sites()[I];
      // The stream of a library's handle, or one that is given.
      if (S.QueuesWork && (streamOf(P, S).Kind & NonBlocking))
        return true;
    }
    for (const std::vector<unsigned> &Callees : F.Callees)
      for (unsigned Callee : Callees)
        if (Seen.insert(Callee).second)
          Worklist.push_back(Callee);
  }
  return false;
}

} // namespace autoprof::audit
