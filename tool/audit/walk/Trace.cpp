// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/walk/Trace.h"

#include "catalogue/Facts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using llvm::StringRef;

namespace autoprof::audit {

using namespace catalogue::values;

bool Trace::isLoopIn(int Inner, int Outer) const {
  for (; Inner >= 0; Inner = Loops[Inner].Parent)
    if (Inner == Outer)
      return true;
  return false;
}

bool Trace::isGuardIn(int Inner, int Outer) const {
  if (Outer < 0)
    return true;
  const Guard &O = Guards[Outer];
  for (; Inner >= 0; Inner = Guards[Inner].Parent)
    if (Inner == Outer)
      return true;
    else if (Guards[Inner].Says.implies(O.Says))
      return isGuardIn(Inner, O.Parent);
  return false;
}

bool Trace::isFrameIn(int Inner, int Outer) const {
  while (Inner >= 0 && Inner != Outer)
    Inner = Frames[Inner].Parent;
  return Inner >= 0;
}

Place Trace::seenFrom(int Frame, const Step &S, int *In) const {
  Place Result = S.Location;
  int F = S.Frame;
  for (; !isFrameIn(Frame, F) && !Frames[F].Launches; F = Frames[F].Parent)
    Result = Frames[F].Made->Location;
  if (In)
    *In = F;
  return Result;
}

void Trace::finish() {
  findExtents();
  findQuiet();
  findWaitingBranches();
  for (const Step &S : Steps)
    for (int F = leavesLaunch(S) ? S.Frame : -1; F >= 0 && !Frames[F].Launches;
         F = Frames[F].Parent)
      Frames[F].Launches = true;
  std::array<uint32_t, Step::Kinds> Nearest = {};
  for (size_t I = 0; I < Steps.size(); ++I) {
    Nearest[Steps[I].Class] = I + 1;
    Steps[I].Before = Nearest;
  }
  Nearest.fill(Steps.size());
  for (size_t I = Steps.size(); I-- > 0;) {
    Nearest[Steps[I].Class] = I;
    Steps[I].From = Nearest;
  }
}

void Trace::findQuiet() {
  std::vector<bool> Acts(Guards.size());
  for (const Step &S : Steps)
    if (S.Class != Step::Host && !isExplicitWait(S))
      for (int G = S.Guard; G >= 0 && !Acts[G]; G = Guards[G].Parent)
        Acts[G] = true;
  for (size_t I = 0; I < Guards.size(); ++I) {
    Guard &G = Guards[I];
    G.Quiet = G.Parent < 0 ? -1 : Guards[G.Parent].Quiet;
    if (G.Quiet < 0 && !Acts[I] && G.Says.All.empty() && G.Begin < G.End)
      G.Quiet = I;
  }
  for (Step &S : Steps)
    if (S.Call && S.Guard >= 0 && Guards[S.Guard].Quiet >= 0)
      S.Class = Step::Quiet;
}

void Trace::findWaitingBranches() {
  std::vector<bool> Waits(Guards.size());
  std::set<unsigned> Decisions;
  for (const Step &S : Steps)
    if (S.Guard >= 0 && S.Call && S.Call->waits()) {
      Waits[S.Guard] = true;
      Decisions.insert(Guards[S.Guard].Decision);
    }
  for (size_t G = 0; G < Guards.size(); ++G)
    Guards[G].WaitsOtherwise =
        Guards[G].Branch && !Waits[G] && Decisions.count(Guards[G].Decision);
}

void Trace::findExtents() {
  std::vector<size_t> Counts(Guards.size());
  auto Add = [&](int To, size_t Begin, size_t End, size_t Count) {
    if (To < 0 || !Count)
      return;
    Guard &G = Guards[To];
    G.Begin = Counts[To] ? std::min(G.Begin, Begin) : Begin;
    G.End = std::max(G.End, End);
    Counts[To] += Count;
  };
  for (size_t I = 0; I < Steps.size(); ++I)
    Add(Steps[I].Guard, I, I + 1, 1);
  for (size_t I = Guards.size(); I-- > 0;) { // Parents have smaller numbers.
    Guard &G = Guards[I];
    Add(G.Parent, G.Begin, G.End, Counts[I]);
    if (G.End - G.Begin != Counts[I])
      G.End = G.Begin;
  }
}

Search::Search(const Trace &T, size_t Step, unsigned Kinds)
    : T(T), At(Step), Kinds(Kinds) {
  int Guard = T.Steps[Step].Guard;
  if (Guard >= 0 && T.Guards[Guard].Quiet >= 0)
    Own = &T.Guards[T.Guards[Guard].Quiet];
  for (; Guard >= 0; Guard = T.Guards[Guard].Parent) {
    const audit::Guard &G = T.Guards[Guard];
    Chosen[G.Decision] = Guard;
    if (!G.Says.All.empty())
      Says.push_back(&G.Says);
  }
}

bool Search::next(size_t Begin, size_t End, bool Back, size_t &Found) {
  while (Begin < End) {
    const Step &From = T.Steps[Back ? End - 1 : Begin];
    size_t Next = Back ? Begin : End;
    if (Own && Own->Begin < End && Begin < Own->End)
      Next = Back ? std::min(End, Own->End) : std::max(Begin, Own->Begin);
    for (unsigned Kind = 0; Kind < Step::Kinds; ++Kind)
      if (Kinds >> Kind & 1)
        Next = Back ? std::max<size_t>(Next, From.Before[Kind])
                    : std::min<size_t>(Next, From.From[Kind]);
    if (Next == (Back ? Begin : End))
      return false;
    Found = Back ? Next - 1 : Next;
    const int Other = outermost(T.Steps[Found].Guard);
    if (Other < 0)
      return true;
    const Guard &G = T.Guards[Other];
    const bool IsWhole = G.Begin < G.End;
    (Back ? End : Begin) =
        Back ? (IsWhole ? G.Begin : Found) : (IsWhole ? G.End : Found + 1);
  }
  return false;
}

int Search::outermost(int Other) {
  if (Other < 0)
    return -1;
  if (const auto Known = Found.find(Other); Known != Found.end())
    return Known->second;
  const Guard &G = T.Guards[Other];
  int Result = outermost(G.Parent);
  if (Result < 0) {
    const auto It = Chosen.find(G.Decision);
    if ((It != Chosen.end() && It->second != Other) ||
        llvm::any_of(Says, [&](const Premises *Known) {
          return Known->excludes(G.Says);
        }))
      Result = Other;
  }
  return Found[Other] = Result;
}

//===-- Values ------------------------------------------------------------===//

/// The parameter that a slot of this function is, or -1: "P:<usr>#2".
static int paramOf(StringRef Slot, StringRef Usr) {
  unsigned Number = 0;
  return Slot.consume_front("P:") && Slot.consume_front(Usr) &&
                 Slot.consume_front("#") && !Slot.getAsInteger(10, Number)
             ? int(Number)
             : -1;
}

static const Call::Argument *argumentOf(const Frame &F, int Param) {
  return F.Made && Param >= 0 && size_t(Param) < F.Made->Arguments.size()
             ? &F.Made->Arguments[Param]
             : nullptr;
}

int Trace::functionGiven(int Frame, StringRef Param) const {
  for (; Frame >= 0; Frame = Frames[Frame].Parent) {
    const int Number = paramOf(Param, functionOf(Frame).Usr);
    if (Number < 0)
      continue;
    const Call::Argument *Given = argumentOf(Frames[Frame], Number);
    if (!Given)
      return -1;
    const int Caller = Frames[Frame].Parent;
    return StringRef(Given->Function).starts_with("P:")
               ? functionGiven(Caller, Given->Function)
               : P.definition(Given->Function,
                              P.functions()[Frames[Caller].Function].Unit);
  }
  return -1;
}

Resolved Trace::resolve(int Frame, const Value &V) const {
  const audit::Frame &In = Frames[Frame];
  Value Rest = V;
  Rest.Slots.clear();
  Resolved Result;
  bool IsFirst = true;
  auto Add = [&](const Resolved &R) {
    Result.Mask = !R.known() || (!IsFirst && !Result.known())
                      ? ~0u
                      : (IsFirst ? 0 : Result.Mask) | R.Mask;
    if (IsFirst || !Result.Location.Line)
      Result.Location = R.Location;
    IsFirst = false;
  };
  for (const std::string &Slot : V.Slots)
    if (const Call::Argument *Given =
            argumentOf(In, paramOf(Slot, functionOf(Frame).Usr)))
      Add(resolve(In.Parent, Given->Val));
    else
      Rest.Slots.push_back(Slot);
  if (IsFirst || !Rest.isNothing())
    Add(P.resolve(In.Function, Rest));
  return Result;
}

std::string Trace::memoryOf(int Frame, int Cell, int *Of) const {
  const audit::Frame &In = Frames[Frame];
  const audit::Cell &C = functionOf(Frame).Cells[Cell];
  if (const Call::Argument *Given = argumentOf(In, C.Param)) {
    if (Given->Cell >= 0)
      return memoryOf(In.Parent, Given->Cell, Of);
    if (std::string Memory = memoryOf(In.Parent, Given->Val, Of);
        !Memory.empty())
      return Memory;
  }
  if (Of)
    *Of = Frame;
  if (!C.Slot.empty())
    return C.Slot;
  return "#" + std::to_string(Frame) + ":" + std::to_string(Cell);
}

std::string Trace::memoryOf(int Frame, const Value &V, int *Of) const {
  if (Of)
    *Of = Frame;
  if (V.Unknown || V.Slots.size() + (V.Mask & ~uint32_t(Null) ? 1 : 0) != 1)
    return "";
  if (V.Slots.empty())
    return V.Location.Line
               ? "@" + V.Location.File + ":" + std::to_string(V.Location.Offset)
               : "";
  const StringRef Slot = V.Slots.front();
  if (Slot.starts_with("F:") || Slot.starts_with("G:"))
    return Slot.str();
  const audit::Frame &In = Frames[Frame];
  if (const Call::Argument *Given =
          argumentOf(In, paramOf(Slot, functionOf(Frame).Usr)))
    return memoryOf(In.Parent, Given->Val, Of);
  return Slot.starts_with("P:") && In.Parent < 0 ? Slot.str() : "";
}

std::string Trace::variableOf(int Frame, const Value &V, int *Of) const {
  if (V.Slots.size() != 1)
    return "";
  const audit::Frame &In = Frames[Frame];
  const Call::Argument *Given =
      argumentOf(In, paramOf(V.Slots.front(), functionOf(Frame).Usr));
  if (!Given)
    return "";
  return Given->Cell >= 0 ? memoryOf(In.Parent, Given->Cell, Of)
                          : variableOf(In.Parent, Given->Val, Of);
}

bool isFixedName(StringRef Name) {
  while (!Name.empty()) {
    auto [Before, Rest] = Name.split('[');
    if (Before.find_first_not_of(
            "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
            "0123456789_.->:]*&") != StringRef::npos)
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

/// Names an object in terms that all functions on the path share.
std::string Trace::objectNamed(int Frame, StringRef On) const {
  if (On.empty())
    return "?" + std::to_string(Frame);
  if (On.consume_front("this"))
    return objectOf(Frame) + On.str();
  return On.starts_with("#") || On.starts_with("~")
             ? On.take_front().str() + std::to_string(Frame) + On.str()
             : On.str();
}

/// The object of which the frame's function is a member.
std::string Trace::objectOf(int Frame) const {
  const audit::Frame &F = Frames[Frame];
  return !F.Made              ? ""
         : F.Made->On.empty() ? objectNamed(Frame, "")
                              : objectNamed(F.Parent, F.Made->On);
}

/// The name of the stream or event that a value is, through the calls that pass
/// it on. `Of`: see Arg::Of.
std::string Trace::handleName(int Frame, const Value &V, StringRef Text,
                              StringRef Of) const {
  const StringRef Slot = V.Slots.size() == 1 ? V.Slots[0] : StringRef();
  const bool IsReturned = Slot.starts_with("R:");
  if (!IsReturned && !isFixedName(Text))
    return "";
  const audit::Frame &In = Frames[Frame];
  if (const Call::Argument *Given =
          argumentOf(In, paramOf(Slot, functionOf(Frame).Usr)))
    return handleName(In.Parent, Given->Val, Given->Handle, Given->Of);
  const std::string Object =
      objectNamed(Frame, Of) + (Of.empty() ? Text.str() : "");
  if (IsReturned)
    return handleReturned(In.Function, Slot, Object);
  const std::string Name = memoryOf(Frame, V);
  return StringRef(Name).starts_with("F:") ? Name + "|" + Object : Name;
}

/// The same for what a function of an object always returns.
std::string Trace::handleReturned(unsigned Caller, StringRef Slot,
                                  const std::string &Object,
                                  unsigned Depth) const {
  constexpr unsigned MostDepth = 4;
  const int Callee =
      P.definition(Slot.drop_front(2), P.functions()[Caller].Unit);
  if (Callee < 0 || Depth > MostDepth)
    return "";
  const Function &F = *P.functions()[Callee].Model;
  StringRef Returned, Of = F.ResultOf;
  for (const Flow &Part : F.Flows)
    if (Part.Slot == Slot) {
      if (!Returned.empty() || Part.Val.Slots.size() != 1)
        return "";
      Returned = Part.Val.Slots[0];
    }
  const std::string Own = Of.consume_front("this") ? Object + Of.str()
                          : Of.starts_with("G:")   ? Of.str()
                                                   : "?" + Object;
  if (Returned.starts_with("R:"))
    return handleReturned(Callee, Returned, Own, Depth + 1);
  return Returned.starts_with("F:") ? (Returned + "|" + Own).str() : "";
}

std::string Trace::eventNamed(int Frame, const Arg &Event) const {
  std::string Name = handleName(Frame, Event.Val, Event.Text, Event.Of);
  return Name.empty() && Event.Cell >= 0 ? memoryOf(Frame, Event.Cell) : Name;
}

StreamId Trace::streamOf(int Frame, const LinkedSite &S, const Value &V) const {
  const uint32_t Default = P.defaultStream(S.Function);
  if (V.isNothing()) {
    // A library's call is on the stream that its handle was given.
    if (P.usesDefaultStream(S))
      return {Default, "0"};
    const Arg *Handle = S.Model->Args.empty() ? nullptr : &S.Model->Args[0];
    if (!Handle || Handle->Cell < 0)
      return {};
    return {~0u, "handle " + memoryOf(Frame, Handle->Cell)};
  }
  StreamId Result{resolve(Frame, V).Mask, ""};
  if (Result.Kind != ~0u && (Result.Kind & Null))
    Result.Kind = (Result.Kind & ~uint32_t(Null)) | Default;
  if (Result.Kind == Legacy || Result.Kind == PerThread)
    Result.Name = "0";
  else
    Result.Name = handleName(Frame, V, S.Model->Stream, S.Model->StreamOf);
  return Result;
}

} // namespace autoprof::audit
