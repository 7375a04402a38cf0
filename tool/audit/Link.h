// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The whole project.
// Joins the models of all translation units: which function a call calls, what
// each slot holds, what each site therefore does, and from which loops it is
// reached. A project may contain several programs with functions of the same
// name: a call goes to the definition in its own translation unit, otherwise to
// the only one, otherwise to the one whose file is nearest. If that does not
// decide, the callee is unknown.
//
// "Unknown" is distinct from "no": a call through a pointer, or of a function
// outside the project, may launch and may wait; no finding may depend on
// either.
#pragma once

#include "audit/Model.h"
#include "audit/Programs.h"
#include "catalogue/HipNames.h"
#include "catalogue/Semantics.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"

#include <memory>

namespace autoprof::audit {

/// A Value after all slots are resolved.
struct Resolved {
  uint32_t Mask = ~0u; ///< ~0: not known.
  Place Location;      ///< Where it was allocated or created, if known.
  bool known() const { return Mask != ~0u; }
};

/// A site, and its effects as far as the project shows.
struct LinkedSite {
  unsigned Function; ///< Index into Project::functions().
  const Site *Model;
  const catalogue::Row *Row; ///< Null: a kernel.
  catalogue::Facts Known;
  catalogue::Answer Effects;
  bool QueuesWork = false; ///< A launch, copy or set.
  bool Launches = false;   ///< It queues kernels, or an event.
  bool OnErrorPath = false;
  /// The possible kinds of its stream; ~0 if unknown. A call without a stream
  /// uses the default stream.
  uint32_t Stream = ~0u;
  /// The call is made during the capture of a stream: it is added to a graph
  /// instead of running.
  bool Captured = false;

  catalogue::CallClass kind() const {
    return Row ? Row->Class : catalogue::CallClass::Launch;
  }
  /// The name of its row; for a HIP call, the CUDA name.
  llvm::StringRef cudaRow() const { return catalogue::cudaName(Model->Row); }
};

/// The effects of a function, including everything it calls.
struct Summary {
  bool Queues = false;  ///< It queues kernels, copies or sets on some path.
  bool MayWait = false; ///< On some path.
  /// It surely calls the GPU's API, other than for error checks.
  bool UsesApi = false;

  friend bool operator==(const Summary &A, const Summary &B) {
    return A.Queues == B.Queues && A.MayWait == B.MayWait &&
           A.UsesApi == B.UsesApi;
  }
};

struct LinkedFunction {
  const Function *Model;
  unsigned Unit;                ///< The first one that contains it.
  std::vector<unsigned> AlsoIn; ///< Other units, for a function in a header.
  Summary Effects;
  std::vector<unsigned> Sites; ///< Index into Project::sites().
  /// For each of Model->Calls: the functions it may call; empty if unknown.
  std::vector<std::vector<unsigned>> Callees;
  struct Caller {
    unsigned Function, Call;
  };
  std::vector<Caller> Callers;
};

/// A place where data ends up.
struct Destination {
  unsigned Function;
  const Use *Model;
  unsigned Fields = 0; ///< Objects and globals that store it on the way.
};

class Project {
public:
  /// `Measured`: measurements on the user's machine, which take precedence over
  /// the catalogue, or null. Must outlive the project.
  explicit Project(std::vector<TranslationUnit> Units,
                   const catalogue::Semantics *Measured = nullptr);
  ~Project();

  llvm::ArrayRef<TranslationUnit> units() const { return Units; }
  llvm::ArrayRef<LinkedFunction> functions() const { return Functions; }
  llvm::ArrayRef<LinkedSite> sites() const { return Sites; }
  const Function &functionOf(const LinkedSite &S) const {
    return *Functions[S.Function].Model;
  }

  /// Whether the function is in a translation unit written for HIP.
  bool isHip(unsigned Function) const {
    return Units[Functions[Function].Unit].Hip;
  }

  /// The effects of a call, given the known facts about its arguments.
  catalogue::Answer ask(const catalogue::Row &Row,
                        const catalogue::Facts &Known) const {
    return catalogue::ask(Row, Known, Measured);
  }

  /// The possible values of an argument of this site.
  Resolved resolve(const LinkedSite &S, const Value &V) const;

  /// The same for a function's value.
  Resolved resolve(unsigned Function, const Value &V) const;

  /// The default stream of a function's unit: Legacy or PerThread.
  uint32_t defaultStream(unsigned Function) const {
    return Units[Functions[Function].Unit].PerThreadStream
               ? catalogue::values::PerThread
               : catalogue::values::Legacy;
  }
  /// Whether a call that names no stream is on the default stream.
  bool usesDefaultStream(const LinkedSite &S) const;
  /// Whether the project creates a stream anywhere that does not wait for the
  /// legacy default stream, or may not.
  bool makesNonBlocking() const { return MakesNonBlocking; }

  /// Whether this place is on an error path.
  bool isOnErrorPath(const Function &F, int Scope) const;

  /// Whether its address is taken or it is stored: it may be called anywhere.
  bool isStored(unsigned Function) const { return IsStored[Function]; }

  /// Whether a function calls another one, perhaps through others.
  bool calls(unsigned Caller, unsigned Callee) const;

  /// Whether both functions may run in one process (Programs.h).
  bool mayShareProgram(unsigned FunctionA, unsigned FunctionB) const;

  /// The definition that a function's name in a unit refers to, or -1.
  int definition(llvm::StringRef Usr, unsigned Unit) const;

  /// The places where the data that a site brings to the host ends up.
  std::vector<Destination> destinations(const LinkedSite &S) const;

  /// "src/train.cu": relative to the root that all units share. If they have
  /// several roots, relative to the current folder, or absolute if outside it.
  std::string shownPath(const Place &Location) const;

  /// For output read in the current folder: shown() then returns paths relative
  /// to it for files below it, and absolute paths for others.
  void showPathsFromHere() { FromHere = true; }

private:
  class Slots;
  void addFunctions();
  void linkCalls();
  void linkSites();
  void linkSite(unsigned Function, const Site &S);
  void markCaptured();
  void summarize();
  uint32_t modeOfResults(const LinkedSite &S) const;
  uint32_t streamOf(const LinkedSite &S) const;

  std::vector<TranslationUnit> Units;
  const catalogue::Semantics *Measured;
  bool FromHere = false; ///< See showPathsFromHere.
  bool MakesNonBlocking = false;
  std::vector<bool> IsStored; ///< By function.
  bool SetsStreams = false;   ///< Of a library's handle.
  bool SetsModes = false;     ///< The pointer mode of a library's handle.
  std::vector<LinkedFunction> Functions;
  std::vector<LinkedSite> Sites;
  llvm::StringMap<std::vector<unsigned>> ByUsr;
  std::unique_ptr<Slots> TheSlots;
  std::unique_ptr<Programs> ThePrograms;
};

/// Whether a place of a function is in one of its scopes; -1: the function.
bool isScopeIn(const Function &F, int Scope, int Outer);

/// The positions of the arguments whose product is a copy's size.
std::vector<unsigned> sizeArguments(llvm::StringRef Row);

const Arg *argument(const LinkedSite &S, unsigned I);
/// The argument of a copy that is host memory, or null.
const Arg *hostArgument(const LinkedSite &S, bool ToHost);
bool isAsynchronous(const LinkedSite &S);

} // namespace autoprof::audit
