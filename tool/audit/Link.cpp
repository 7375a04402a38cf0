// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "audit/Link.h"

#include "audit/Model.h"
#include "audit/Slots.h"
#include "catalogue/LibraryTraits.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"

using llvm::StringRef;

namespace autoprof::audit {

using catalogue::CallClass;
using catalogue::Fact;

Project::Project(std::vector<TranslationUnit> Given,
                 const catalogue::Semantics *Measured)
    : Units(std::move(Given)), Measured(Measured),
      TheSlots(std::make_unique<Slots>([this](StringRef Usr, unsigned Unit) {
        return definition(Usr, Unit);
      })) {
  // Nothing may depend on the order in which sources are read.
  llvm::sort(Units, [](const TranslationUnit &A, const TranslationUnit &B) {
    return A.MainFile < B.MainFile;
  });
  addFunctions();
  ThePrograms = std::make_unique<Programs>(
      Units,
      [this](StringRef Usr, unsigned Unit) {
        const int D = definition(Usr, Unit);
        return D < 0 ? -1 : static_cast<int>(Functions[D].Unit);
      },
      [this](StringRef Usr) {
        llvm::SmallVector<unsigned, 4> Result;
        if (auto It = ByUsr.find(Usr); It != ByUsr.end())
          for (unsigned I : It->second)
            Result.push_back(Functions[I].Unit);
        return Result;
      });
  linkCalls();
  for (unsigned I = 0; I < Units.size(); ++I)
    TheSlots->add(Units[I], I);
  for (unsigned I = 0; I < Functions.size(); ++I)
    for (const Use &U : Functions[I].Model->Uses)
      TheSlots->addUse(U, I, Functions[I].Unit);
  TheSlots->solve();
  linkSites();
  markCaptured();
  summarize();
}

Project::~Project() = default;

//===-- Functions and calls -----------------------------------------------===//

/// Whether two models of one function's text are the same.
static bool actsAlike(const Function &A, const Function &B) {
  const auto IsSameSite = [](const Site &X, const Site &Y) {
    return X.Row == Y.Row && X.Location.Offset == Y.Location.Offset &&
           X.Kernel == Y.Kernel;
  };
  const auto IsSameCall = [](const Call &X, const Call &Y) {
    return X.Callee == Y.Callee && X.Location.Offset == Y.Location.Offset;
  };
  return A.Scopes.size() == B.Scopes.size() &&
         llvm::equal(A.Sites, B.Sites, IsSameSite) &&
         llvm::equal(A.Calls, B.Calls, IsSameCall);
}

/// A function in a header is one function, although it is in several units: its
/// model comes from the first unit that could read it. Where units read it
/// differently, because of a macro, each variant is a function.
void Project::addFunctions() {
  for (unsigned Unit = 0; Unit < Units.size(); ++Unit)
    for (const std::shared_ptr<const Function> &Shared :
         Units[Unit].Functions) {
      const Function &F = *Shared;
      std::vector<unsigned> &Homonyms = ByUsr[F.Usr];
      auto Known = llvm::find_if(Homonyms, [&](unsigned I) {
        const Function &Other = *Functions[I].Model;
        return Other.Location.File == F.Location.File &&
               Other.Location.Line == F.Location.Line &&
               (Other.Unread || F.Unread || actsAlike(Other, F));
      });
      if (Known == Homonyms.end()) {
        Homonyms.push_back(Functions.size());
        Functions.push_back({&F, Unit, {}, {}, {}, {}, {}});
        continue;
      }
      LinkedFunction &First = Functions[*Known];
      unsigned Other = Unit;
      if (First.Model->Unread && !F.Unread) {
        First.Model = &F;
        std::swap(First.Unit, Other);
      }
      First.AlsoIn.push_back(Other);
    }
}

int Project::definition(StringRef Usr, unsigned Unit) const {
  auto It = ByUsr.find(Usr);
  if (It == ByUsr.end())
    return -1;
  if (It->second.size() == 1)
    return It->second.front();
  // A definition in the unit, or in a header that it includes.
  for (unsigned I : It->second)
    if (Functions[I].Unit == Unit ||
        llvm::is_contained(Functions[I].AlsoIn, Unit))
      return I;
  int Best = -1;
  size_t Nearest = 0;
  bool Tie = false;
  for (unsigned I : It->second) {
    const size_t Shared =
        sharedFolders(Functions[I].Model->Location.File, Units[Unit].MainFile);
    Tie = Best >= 0 && Shared == Nearest;
    if (Best < 0 || Shared > Nearest) {
      Best = I;
      Nearest = Shared;
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
      return ThePrograms->mayShare(InA, InB);
    });
  });
}

void Project::linkCalls() {
  // The direct overriders of each virtual function.
  llvm::StringMap<std::vector<unsigned>> Overriders;
  for (unsigned I = 0; I < Functions.size(); ++I)
    for (const std::string &Base : Functions[I].Model->Overrides)
      Overriders[Base].push_back(I);
  // What is stored, by type.
  llvm::StringMap<std::vector<unsigned>> Stored;
  for (unsigned Unit = 0; Unit < Units.size(); ++Unit)
    for (const StoredFunction &S : Units[Unit].Stored)
      if (const int D = definition(S.Usr, Unit);
          D >= 0 && !llvm::is_contained(Stored[S.Type], unsigned(D)))
        Stored[S.Type].push_back(D);
  IsStored.resize(Functions.size());
  for (const auto &Entry : Stored)
    for (unsigned F : Entry.second)
      IsStored[F] = true;
  constexpr size_t MostStored = 16; // Of more, it is not known which.
  for (unsigned I = 0; I < Functions.size(); ++I) {
    LinkedFunction &F = Functions[I];
    for (unsigned C = 0; C < F.Model->Calls.size(); ++C) {
      const Call &Made = F.Model->Calls[C];
      std::vector<unsigned> Callees;
      if (!Made.Through.empty()) {
        const std::vector<unsigned> &Assigned = Stored[Made.ThroughSlot],
                                    &Any = Stored[Made.Through];
        for (unsigned S : !Assigned.empty()          ? Assigned
                          : Any.size() <= MostStored ? Any
                                                     : Callees)
          if (mayShareProgram(I, S))
            Callees.push_back(S);
      }
      if (int D = definition(Made.Callee, F.Unit); D >= 0)
        Callees.push_back(D);
      std::vector<std::string> Worklist;
      if (Made.Virtual)
        Worklist.push_back(Made.Callee);
      for (size_t Next = 0; Next < Worklist.size() && Next < 64; ++Next)
        for (unsigned O : Overriders[Worklist[Next]]) {
          if (!mayShareProgram(I, O))
            continue;
          Callees.push_back(O);
          Worklist.push_back(Functions[O].Model->Usr);
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

/// Says that work was queued, but is none.
static bool marksWork(const catalogue::Row &Row) {
  const llvm::StringRef Name = catalogue::cudaName(Row.Name);
  return Name == "cudaEventRecord" || Name == "cuEventRecord";
}

/// Library calls queue kernels, except those that manage state. Where an event
/// is recorded, something launches.
static bool launches(const catalogue::Row &Row) {
  if (Row.Class == CallClass::Launch || marksWork(Row))
    return true;
  if (Row.Class != CallClass::Other)
    return false;
  if (Row.Library == "libtorch")
    return Row.Name.ends_with("::backward") || Row.Name.ends_with("::step");
  if (!catalogue::queuesKernels(Row.Library))
    return false;
  // "get" alone is part of cusolverDnDgetrf.
  for (StringRef Word :
       {"Create", "Destroy", "Set", "Get", "_get", "Query", "ufferSize",
        "ufferInfo", "Init", "Plan", "Free", "Group"})
    if (Row.Name.contains(Word))
      return false;
  return true;
}

Resolved Project::resolve(const LinkedSite &S, const Value &V) const {
  return resolve(S.Function, V);
}

Resolved Project::resolve(unsigned Function, const Value &V) const {
  return TheSlots->resolve(V, Functions[Function].Unit);
}

/// Whether a call of Thrust involves no GPU: `&v[0]`, which copies no element,
/// copies between vectors of the host, algorithms that run on the host.
static bool staysOnHost(const LinkedSite &S) {
  using namespace catalogue::values;
  if (!S.Row || S.Row->Library != "thrust")
    return false;
  const uint32_t Flag = S.Known[Fact::Flag];
  return Flag == TakesAddress || Flag == FromHost || Flag == HostPolicy ||
         (S.kind() == CallClass::Copy &&
          catalogue::settled(S.Known)[Fact::Direction] == HtoH);
}

/// Whether the row is of the GPU's own API, not of a library on top of it.
static bool isRuntime(const catalogue::Row &Row) {
  return Row.Library == "cudart" || Row.Library == "cuda" ||
         Row.Library == "hip";
}

/// Whether the call queues on the default stream if it names none: the
/// runtime's, and Thrust's vectors.
static bool isOnDefaultStream(const catalogue::Row &Row) {
  return isRuntime(Row) || Row.Name.starts_with("thrust::device_vector::") ||
         Row.Name.starts_with("thrust::device_reference::") ||
         Row.Name.starts_with("thrust::host_vector::");
}

bool Project::usesDefaultStream(const LinkedSite &S) const {
  return !S.Row || isOnDefaultStream(*S.Row) ||
         (!SetsStreams && S.Row->Library != "libtorch");
}

uint32_t Project::streamOf(const LinkedSite &S) const {
  using namespace catalogue::values;
  if (S.Model->StreamVal.isNothing())
    return usesDefaultStream(S) ? defaultStream(S.Function) : ~0u;
  Resolved Stream = resolve(S, S.Model->StreamVal);
  if (Stream.known() && (Stream.Mask & Null))
    Stream.Mask = (Stream.Mask & ~uint32_t(Null)) | defaultStream(S.Function);
  return Stream.Mask;
}

/// The GPU cannot write a result in pageable memory, so the handle's pointer
/// mode is host; the host cannot write one in device memory. If the project
/// never sets a mode, it is the initial one.
uint32_t Project::modeOfResults(const LinkedSite &S) const {
  using namespace catalogue::values;
  uint32_t Memory = 0;
  for (const Arg &A : llvm::drop_begin(S.Model->Args)) {
    const Resolved Mode = resolve(S, A.Val);
    if (Mode.known() && Mode.Mask == Pageable)
      return HostMode;
    Memory = Mode.known() ? Mode.Mask : 0; // Results are the last arguments.
  }
  if (Memory && !(Memory & ~uint32_t(Device | Pool)))
    return DeviceMode;
  return SetsModes || S.Known.knows(Fact::PointerMode) ? ~0u
                                                       : uint32_t(HostMode);
}

void Project::linkSites() {
  for (const LinkedFunction &F : Functions)
    for (const Site &S : F.Model->Sites) {
      const StringRef Row = S.Row;
      MakesNonBlocking |= Row.contains("StreamCreate") &&
                          Row != "cudaStreamCreate" && Row != "hipStreamCreate";
      SetsStreams |= Row.ends_with("SetStream");
      SetsModes |= Row.ends_with("SetPointerMode");
    }
  for (unsigned I = 0; I < Functions.size(); ++I)
    for (const Site &S : Functions[I].Model->Sites)
      linkSite(I, S);
}

/// The direction that the name of a copy says, or 0.
static uint32_t directionOf(StringRef Row) {
  using namespace catalogue::values;
  if (Row.contains("DtoH") || Row.starts_with("cublasGetVector") ||
      Row.starts_with("cublasGetMatrix"))
    return DtoH;
  if (Row.contains("HtoD") || Row.starts_with("cublasSetVector") ||
      Row.starts_with("cublasSetMatrix"))
    return HtoD;
  return 0;
}

void Project::linkSite(unsigned Function, const Site &S) {
  using namespace catalogue::values;
  LinkedSite L{Function, &S, nullptr, {}, {}};
  L.Row = S.Row.empty() ? nullptr : catalogue::lookup(S.Row);
  for (const KnownFact &Known : S.Facts) {
    Resolved Target = resolve(Function, Known.Val);
    if (!Target.known())
      continue;
    if (Known.Subject == Fact::Stream && (Target.Mask & Null))
      Target.Mask = (Target.Mask & ~uint32_t(Null)) | defaultStream(Function);
    L.Known.Possible[unsigned(Known.Subject)] &= Target.Mask;
  }
  if (const uint32_t Direction = directionOf(S.Row))
    L.Known.Possible[unsigned(Fact::Direction)] = Direction;
  // The memory found contradicts the direction: the direction wins, because it
  // is written at the call.
  if (catalogue::settled(L.Known).impossible())
    L.Known.Possible[unsigned(Fact::Destination)] =
        L.Known.Possible[unsigned(Fact::Source)] = ~0u;
  if (L.Row && L.Row->DecidedBy.starts_with("pointer_mode="))
    L.Known.Possible[unsigned(Fact::PointerMode)] &= modeOfResults(L);
  if (L.Row)
    L.Effects = ask(*L.Row, L.Known);
  else
    L.Effects.Wait = catalogue::Waits::No;
  const bool OnHost = staysOnHost(L);
  L.Launches = !OnHost && (!L.Row || audit::launches(*L.Row));
  L.QueuesWork = !(L.Row && marksWork(*L.Row)) &&
                 (L.Launches || (!OnHost && queuesWork(L.kind())));
  L.OnErrorPath = isOnErrorPath(*Functions[Function].Model, S.Scope);
  L.Stream = streamOf(L);
  Functions[Function].Sites.push_back(Sites.size());
  Sites.push_back(std::move(L));
}

/// Considers each function on its own, in the order of its text.
void Project::markCaptured() {
  for (const LinkedFunction &F : Functions) {
    bool Captures = false;
    for (unsigned I : F.Sites) {
      LinkedSite &S = Sites[I];
      const StringRef Row = S.cudaRow();
      Captures = (Captures || Row.contains("StreamBeginCapture")) &&
                 !Row.contains("StreamEndCapture");
      if (!Captures)
        continue;
      S.Captured = true;
      S.Launches = S.QueuesWork = false;
      S.Effects.Wait = catalogue::Waits::No;
      S.Effects.Reason = "it is captured into a graph";
    }
  }
}

bool isScopeIn(const Function &F, int Scope, int Outer) {
  if (Outer < 0)
    return true;
  for (; Scope >= 0; Scope = F.Scopes[Scope].Parent)
    if (Scope == Outer)
      return true;
  return false;
}

bool Project::isOnErrorPath(const Function &F, int Scope) const {
  for (int S = Scope; S >= 0; S = F.Scopes[S].Parent)
    if (F.Scopes[S].Class == Scope::Error)
      return true;
  return false;
}

void Project::summarize() {
  for (LinkedFunction &F : Functions) {
    for (unsigned I : F.Sites) {
      const LinkedSite &S = Sites[I];
      if (S.OnErrorPath)
        continue;
      F.Effects.Queues |= S.QueuesWork;
      F.Effects.MayWait |= catalogue::mayWait(S.Effects.Wait);
      F.Effects.UsesApi |= !S.cudaRow().contains("Error");
    }
    for (const Block &B : F.Model->Blocks)
      for (const Event &E : B.Events)
        F.Effects.MayWait |= E.Class == Event::UnknownCall;
  }
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (LinkedFunction &F : Functions) {
      const Summary Before = F.Effects;
      for (unsigned C = 0; C < F.Callees.size(); ++C) {
        const Call &Made = F.Model->Calls[C];
        const bool Certain = !Made.Uncertain && F.Callees[C].size() == 1 &&
                             !isOnErrorPath(*F.Model, Made.Scope);
        if (F.Callees[C].empty()) {
          F.Effects.Queues |= Made.UsesStream && !Made.Uncertain;
          F.Effects.MayWait = true;
        }
        for (unsigned Callee : F.Callees[C]) {
          const Summary &Effects = Functions[Callee].Effects;
          F.Effects.Queues |= Certain && Effects.Queues;
          F.Effects.MayWait |= Effects.MayWait;
          F.Effects.UsesApi |= Certain && Effects.UsesApi;
        }
      }
      Changed |= !(Before == F.Effects);
    }
  }
}

bool Project::calls(unsigned Caller, unsigned Callee) const {
  std::vector<bool> Seen(Functions.size());
  std::vector<unsigned> Worklist = {Caller};
  while (!Worklist.empty()) {
    const unsigned F = Worklist.back();
    Worklist.pop_back();
    for (const std::vector<unsigned> &Callees : Functions[F].Callees)
      for (unsigned Next : Callees) {
        if (Next == Callee)
          return true;
        if (!Seen[Next]) {
          Seen[Next] = true;
          Worklist.push_back(Next);
        }
      }
  }
  return false;
}

std::string Project::shownPath(const Place &Location) const {
  StringRef File = Location.File;
  const bool OneRoot = llvm::all_of(Units, [this](const TranslationUnit &U) {
    return U.Root == Units.front().Root;
  });
  if (OneRoot && !Units.empty() && !FromHere) {
    File.consume_front(Units.front().Root);
    return File.str();
  }
  llvm::SmallString<256> Folder;
  if (!llvm::sys::fs::current_path(Folder) && File.consume_front(Folder) &&
      !File.consume_front("/"))
    // Only the name of another folder begins with this prefix.
    return Location.File;
  return File.str();
}

} // namespace autoprof::audit
