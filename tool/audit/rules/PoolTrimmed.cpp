// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// autoprof-memory-pool-trimmed: each synchronization trims the default pool
// (its release threshold is 0), so that a loop that frees, waits and allocates
// maps its memory again in each iteration.
#include "audit/rules/Rules.h"

#include "llvm/ADT/STLExtras.h"

namespace autoprof::audit {

/// Whether the project keeps the memory of a pool, or what is read is a part of
/// a program that may.
static bool mayKeepMemory(const Project &P) {
  return llvm::any_of(P.sites(),
                      [](const LinkedSite &S) {
                        const llvm::StringRef Row = S.cudaRow();
                        if (!Row.contains("MemPoolSetAttribute"))
                          return Row.contains("DeviceSetMemPool");
                        constexpr int64_t ReleaseThreshold = 4;
                        const Arg *Which = argument(S, 1);
                        return !Which ||
                               Which->Number.Class != Term::Constant ||
                               Which->Number.Number == ReleaseThreshold;
                      }) ||
         llvm::none_of(P.functions(), [](const LinkedFunction &F) {
           return F.Model->Name == "main";
         });
}

bool describeTrimmedPool(const WaitOnPath &W, Finding &F) {
  if (W.site().cudaRow() != "cudaMallocAsync" ||
      W.step().Guard != W.loop().Guard || mayKeepMemory(W.T.project()))
    return false;
  const Step *Frees = nullptr, *Waits = nullptr;
  for (size_t I = W.loop().Begin; I < W.loop().End; ++I) {
    const Step &S = W.T.Steps[I];
    if (!S.Call || S.Guard != W.loop().Guard)
      continue;
    if (S.Call->Linked->cudaRow() == "cudaMallocAsync" && I < W.At)
      return false; // The first one has the finding.
    if (S.Call->Linked->cudaRow() == "cudaFreeAsync")
      Frees = &S;
    if (S.Call->Linked->kind() == catalogue::CallClass::Sync &&
        S.Call->waits() && Frees)
      Waits = &S;
  }
  if (!Waits)
    return false;
  F.Rule = "autoprof-memory-pool-trimmed";
  F.Level = Severity::Medium;
  F.Message = "cudaMallocAsync maps memory again in each iteration of the loop "
              "at " +
              fileAndLine(W.T.scopeOf(W.loop()).Location) + ", because " +
              Waits->Call->Linked->Model->Callee + " at " +
              fileAndLine(Waits->Location) +
              " returns what the default pool holds";
  F.Replacement = "set the pool's release threshold once "
                  "(cudaMemPoolSetAttribute, "
                  "cudaMemPoolAttrReleaseThreshold, UINT64_MAX)";
  F.Notes.push_back({Frees->Location, "the memory is freed here"});
  F.Notes.push_back({Waits->Location, "this call trims the pool"});
  return true;
}

} // namespace autoprof::audit
