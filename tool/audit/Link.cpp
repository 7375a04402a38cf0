// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/Link.h"

#include "audit/Slots.h"
#include "audit/Walk.h"
#include "catalogue/LibraryTraits.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"

#include <set>

using llvm::StringRef;

namespace autoprof::audit {

using catalogue::CallClass;
using catalogue::Fact;

Project::Project(std::vector<TranslationUnit> Given,
                 const catalogue::Semantics *Here)
    : Units(std::move(Given)), Here(Here),
      TheSlots(std::make_unique<Slots>([this](StringRef Usr, unsigned Unit) {
        return definition(Usr, Unit);
      })) {
  addFunctions();
  linkCalls();
  ThePrograms =
      std::make_unique<Programs>(Units, [this](StringRef Usr, unsigned Unit) {
        const int D = definition(Usr, Unit);
        return D < 0 ? -1 : static_cast<int>(Functions[D].Unit);
      });
  for (unsigned I = 0; I < Units.size(); ++I)
    for (const Flow &F : Units[I].Flows)
      TheSlots->add(F, I);
  for (unsigned I = 0; I < Functions.size(); ++I)
    for (const Use &U : Functions[I].Its->Uses)
      TheSlots->addUse(U, I, Functions[I].Unit);
  TheSlots->solve();
  linkSites();
  markCaptured();
  summarize();
  FromCallers.resize(Functions.size());
}

Project::~Project() = default;

//===-- Functions and calls -----------------------------------------------===//

/// A function of a header is in several units; it is one, of which the first
/// unit that could read it knows.
void Project::addFunctions() {
  for (unsigned Unit = 0; Unit < Units.size(); ++Unit)
    for (const Function &F : Units[Unit].Functions) {
      std::vector<unsigned> &Same = ByUsr[F.Usr];
      auto Known = llvm::find_if(Same, [&](unsigned I) {
        const Place &At = Functions[I].Its->At;
        return At.File == F.At.File && At.Line == F.At.Line;
      });
      if (Known != Same.end()) {
        LinkedFunction &First = Functions[*Known];
        unsigned Other = Unit;
        if (First.Its->Unread && !F.Unread) {
          First.Its = &F;
          std::swap(First.Unit, Other);
        }
        First.AlsoIn.push_back(Other);
        continue;
      }
      Same.push_back(Functions.size());
      Functions.push_back({&F, Unit, {}, {}, {}, {}, {}});
    }
}

static size_t commonPrefix(StringRef A, StringRef B) {
  size_t I = 0, Folder = 0;
  for (; I < A.size() && I < B.size() && A[I] == B[I]; ++I)
    if (A[I] == '/')
      Folder = I;
  return Folder;
}

int Project::definition(StringRef Usr, unsigned Unit) const {
  auto It = ByUsr.find(Usr);
  if (It == ByUsr.end())
    return -1;
  if (It->second.size() == 1)
    return It->second.front();
  int Best = -1;
  size_t Nearest = 0;
  bool Tie = false;
  for (unsigned I : It->second) {
    const size_t Near =
        Functions[I].Its->At.File == Units[Unit].MainFile
            ? StringRef::npos
            : commonPrefix(Functions[I].Its->At.File, Units[Unit].MainFile);
    Tie = Best >= 0 && Near == Nearest;
    if (Best < 0 || Near > Nearest) {
      Best = I;
      Nearest = Near;
      Tie = false;
    }
  }
  return Tie ? -1 : Best;
}

bool Project::mayShareProgram(unsigned A, unsigned B) const {
  auto UnitsOf = [this](unsigned F) {
    std::vector<unsigned> Result = Functions[F].AlsoIn;
    Result.push_back(Functions[F].Unit);
    return Result;
  };
  return llvm::any_of(UnitsOf(A), [&](unsigned InA) {
    return llvm::any_of(UnitsOf(B), [&](unsigned InB) {
      return ThePrograms->together(InA, InB);
    });
  });
}

void Project::linkCalls() {
  // Overriders of each virtual function, direct ones.
  llvm::StringMap<std::vector<unsigned>> Overriders;
  for (unsigned I = 0; I < Functions.size(); ++I)
    for (const std::string &Base : Functions[I].Its->Overrides)
      Overriders[Base].push_back(I);
  for (unsigned I = 0; I < Functions.size(); ++I) {
    LinkedFunction &F = Functions[I];
    for (unsigned C = 0; C < F.Its->Calls.size(); ++C) {
      const Call &Made = F.Its->Calls[C];
      std::vector<unsigned> Callees;
      if (int D = definition(Made.Callee, F.Unit); D >= 0)
        Callees.push_back(D);
      std::vector<std::string> Open;
      if (Made.Virtual)
        Open.push_back(Made.Callee);
      for (size_t Next = 0; Next < Open.size() && Next < 64; ++Next)
        for (unsigned O : Overriders[Open[Next]]) {
          Callees.push_back(O);
          Open.push_back(Functions[O].Its->Usr);
        }
      for (unsigned Callee : Callees)
        Functions[Callee].Callers.push_back({I, C});
      Functions[I].Callees.push_back(std::move(Callees));
    }
  }
}

//===-- Sites -------------------------------------------------------------===//

static bool queuesWork(CallClass C) {
  return C == CallClass::Launch || C == CallClass::Copy || C == CallClass::Set;
}

/// Libraries queue kernels in all calls but those that manage something.
static bool launches(const catalogue::Row &Row) {
  if (Row.Class == CallClass::Launch || Row.Name == "cudaEventRecord" ||
      Row.Name == "cuEventRecord")
    return true;
  if (Row.Class != CallClass::Other)
    return false;
  if (Row.Library == "libtorch")
    return Row.Name.ends_with("::backward") || Row.Name.ends_with("::step");
  if (!catalogue::queuesKernels(Row.Library))
    return false;
  // "get" alone is part of cusolverDnDgetrf.
  for (StringRef Word : {"Create", "Destroy", "Set", "Get", "_get", "Query",
                         "ufferSize", "Init", "Plan", "Free", "Group"})
    if (Row.Name.contains(Word))
      return false;
  return true;
}

Resolved Project::resolve(const LinkedSite &S, const Value &V) const {
  return TheSlots->resolve(V, Functions[S.Function].Unit);
}

/// The runtime's calls without a stream are on the default one; what libraries
/// use is the stream of their handle.
uint32_t Project::streamOf(const LinkedSite &S, bool PerThreadStream) const {
  using namespace catalogue::values;
  const uint32_t Default = PerThreadStream ? PerThread : Legacy;
  if (S.Its->StreamIs.isNothing()) {
    const bool Plain =
        !S.Row || S.Row->Library == "cudart" || S.Row->Library == "cuda";
    return Plain ? Default : ~0u;
  }
  Resolved Is = resolve(S, S.Its->StreamIs);
  if (Is.known() && (Is.Mask & Null))
    Is.Mask = (Is.Mask & ~uint32_t(Null)) | Default;
  return Is.Mask;
}

void Project::linkSites() {
  using namespace catalogue::values;
  for (unsigned I = 0; I < Functions.size(); ++I) {
    const Function &F = *Functions[I].Its;
    const bool PerThreadStream = Units[Functions[I].Unit].PerThreadStream;
    for (const Site &S : F.Sites) {
      LinkedSite L{I, &S, nullptr, {}, {}};
      L.Row = S.Row.empty() ? nullptr : catalogue::lookup(S.Row);
      for (const KnownFact &Known : S.Facts) {
        Resolved Is = TheSlots->resolve(Known.Is, Functions[I].Unit);
        if (!Is.known())
          continue;
        if (Known.About == Fact::Stream && (Is.Mask & Null))
          Is.Mask = (Is.Mask & ~uint32_t(Null)) |
                    (PerThreadStream ? PerThread : Legacy);
        L.Known.Possible[unsigned(Known.About)] &= Is.Mask;
      }
      // What was found of the memory does not fit the direction: the latter is
      // written at the call.
      if (catalogue::settled(L.Known).impossible())
        L.Known.Possible[unsigned(Fact::Destination)] =
            L.Known.Possible[unsigned(Fact::Source)] = ~0u;
      if (L.Row)
        L.Does = ask(*L.Row, L.Known);
      else
        L.Does.Wait = catalogue::Waits::No;
      L.Launches = !L.Row || audit::launches(*L.Row);
      L.QueuesWork = L.Launches || queuesWork(L.kind());
      L.OnErrorPath = isOnErrorPath(F, S.Scope);
      L.Stream = streamOf(L, PerThreadStream);
      Functions[I].Sites.push_back(Sites.size());
      Sites.push_back(std::move(L));
    }
  }
}

/// It is not captured: it fails, or waits for what runs.
static bool waitsInCapture(const LinkedSite &S) {
  const CallClass Kind = S.kind();
  return Kind == CallClass::Sync ||
         ((Kind == CallClass::Copy || Kind == CallClass::Free) &&
          S.Row->Library == "cudart" &&
          !StringRef(S.Its->Row).contains("Async"));
}

/// Within one function.
void Project::markCaptured() {
  for (const LinkedFunction &F : Functions)
    for (unsigned Begin : F.Sites) {
      StringRef Row = Sites[Begin].Its->Row;
      if (!Row.contains("StreamBeginCapture"))
        continue;
      const unsigned Number = Sites[Begin].Its - F.Its->Sites.data();
      for (EventRef At : eventsOf(*F.Its, Event::SiteReached, Number))
        walkForward(*F.Its, At, [&](const Event &E) {
          if (E.What != Event::SiteReached)
            return true;
          LinkedSite &S = Sites[F.Sites[E.Index]];
          if (StringRef(S.Its->Row).contains("StreamEndCapture"))
            return false;
          S.Captured = true;
          S.Launches = S.QueuesWork = false;
          if (!waitsInCapture(S)) {
            S.Does.Wait = catalogue::Waits::No;
            S.Does.Why = "it is captured into a graph";
          }
          return true;
        });
    }
}

bool Project::isOnErrorPath(const Function &F, int Scope) const {
  for (int S = Scope; S >= 0; S = F.Scopes[S].Parent)
    if (F.Scopes[S].What == Scope::ErrorPath)
      return true;
  return false;
}

void Project::summarize() {
  for (LinkedFunction &F : Functions) {
    for (unsigned I : F.Sites) {
      const LinkedSite &S = Sites[I];
      if (S.OnErrorPath)
        continue;
      F.Does.Launches |= S.Launches;
      F.Does.Queues |= S.QueuesWork;
      F.Does.Waits |= S.Does.Wait == catalogue::Waits::Yes;
      F.Does.MayWait |= catalogue::mayWait(S.Does.Wait);
      F.Does.ReadsClock |= StringRef(S.Its->Row).ends_with("EventElapsedTime");
      F.Does.UsesApi |= !StringRef(S.Its->Row).contains("Error");
      F.Does.AsksForErrors |= S.Its->Row == "cudaGetLastError" ||
                              S.Its->Row == "cudaPeekAtLastError";
    }
    for (const Block &B : F.Its->Blocks)
      for (const Event &E : B.Events)
        if (E.What == Event::UnknownCall)
          F.Does.MayLaunch = F.Does.MayWait = true;
        else if (E.What == Event::Clock)
          F.Does.ReadsClock = true;
        else if (E.What == Event::Blocks)
          F.Does.Blocks = true;
  }
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (LinkedFunction &F : Functions) {
      Summary Before = F.Does;
      for (unsigned C = 0; C < F.Callees.size(); ++C) {
        const Call &Made = F.Its->Calls[C];
        const bool Sure = !Made.Perhaps && F.Callees[C].size() == 1 &&
                          !isOnErrorPath(*F.Its, Made.Scope);
        if (F.Callees[C].empty()) {
          F.Does.MayLaunch = F.Does.MayWait = true;
          F.Does.Launches |= Made.UsesStream && !Made.Perhaps;
        }
        for (unsigned Callee : F.Callees[C]) {
          const Summary &Does = Functions[Callee].Does;
          F.Does.Launches |= Sure && Does.Launches;
          F.Does.Queues |= Sure && Does.Queues;
          F.Does.Waits |= Sure && Does.Waits;
          F.Does.MayLaunch |= Does.MayLaunch;
          F.Does.MayWait |= Does.MayWait;
          F.Does.ReadsClock |= Does.ReadsClock;
          F.Does.UsesApi |= Sure && Does.UsesApi;
          F.Does.AsksForErrors |= Sure && Does.AsksForErrors;
          F.Does.Blocks |= Sure && Does.Blocks;
        }
      }
      F.Does.Queues |= F.Does.Launches;
      F.Does.MayLaunch |= F.Does.Queues;
      F.Does.MayWait |= F.Does.Waits;
      Changed |= !(Before == F.Does);
    }
  }
}

//===-- Data --------------------------------------------------------------===//

std::vector<Destination> Project::destinations(const LinkedSite &S) const {
  struct Step {
    unsigned Function;
    const Use *Its;
    bool ThroughField;
  };
  std::vector<Step> Open;
  const Function &F = functionOf(S);
  const int Number = S.Its - F.Sites.data();
  for (const Use &U : F.Uses)
    if (U.Site == Number)
      Open.push_back({S.Function, &U, false});
  std::set<const Use *> Seen;
  std::vector<Destination> Result;
  while (!Open.empty()) {
    Step At = Open.back();
    Open.pop_back();
    if (!Seen.insert(At.Its).second)
      continue;
    if (At.Its->What != Use::Stored) {
      Result.push_back({At.Function, At.Its, At.ThroughField});
      continue;
    }
    StringRef Into = At.Its->Into;
    const bool Field = Into.starts_with("F:") || Into.starts_with("G:");
    for (auto [Function, Next] :
         TheSlots->usesOf(Into, Functions[At.Function].Unit))
      Open.push_back({Function, Next, At.ThroughField || Field});
  }
  llvm::sort(Result, [](const Destination &A, const Destination &B) {
    return std::tie(A.Its->At.File, A.Its->At.Offset, A.Its->What) <
           std::tie(B.Its->At.File, B.Its->At.Offset, B.Its->What);
  });
  return Result;
}

std::string Project::shown(const Place &At) const {
  StringRef File = At.File;
  const bool OneRoot = llvm::all_of(Units, [this](const TranslationUnit &U) {
    return U.Root == Units.front().Root;
  });
  if (OneRoot && !Units.empty() && !FromHere) {
    File.consume_front(Units.front().Root);
    return File.str();
  }
  llvm::SmallString<256> Here;
  if (!llvm::sys::fs::current_path(Here) && File.consume_front(Here) &&
      !File.consume_front("/"))
    return At.File; // the name of another folder begins so
  return File.str();
}

} // namespace autoprof::audit
