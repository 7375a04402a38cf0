// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Missing waits for kernels, reported by the unsafe rules.
#include "audit/rules/Unsafe.h"

#include "llvm/ADT/STLExtras.h"

namespace autoprof::audit {

using namespace catalogue::values;
using catalogue::Fact;

static bool isKernel(const LinkedSite &S) {
  return !S.Row && !S.Captured && !S.OnErrorPath;
}

/// Whether the argument names one buffer throughout the function.
static bool isOneBuffer(const Project &P, const LinkedSite &S, const Arg &A) {
  return A.Cell >= 0 && isWhole(A.Text) &&
         !P.functionOf(S).Cells[A.Cell].Rebound;
}

/// The kernel before this call, of those that may write (or use) the buffer,
/// whose completion nothing on the way ensures.
static const LinkedSite *unawaitedKernel(
    const Project &P, const LinkedSite &S, int Cell,
    llvm::function_ref<bool(const LinkedSite &, const Arg &)> Fits) {
  for (unsigned I : P.functions()[S.Function].Sites) {
    const LinkedSite &Kernel = P.sites()[I];
    if (!isKernel(Kernel) ||
        isOtherVariable(P, Kernel, Cell, S.Model->Location))
      continue;
    const bool Uses = llvm::any_of(Kernel.Model->Args, [&](const Arg &A) {
      return A.Cell == Cell && isOneBuffer(P, Kernel, A) && Fits(Kernel, A);
    });
    if (Uses && AfterWork(P, Kernel).reaches(S))
      return &Kernel;
  }
  return nullptr;
}

/// The device memory that a copy to the host on the legacy stream reads.
static const Arg *sourceOnLegacy(const LinkedSite &S) {
  const llvm::StringRef Row = S.cudaRow();
  const bool Is2D = Row == "cudaMemcpy2D" || Row == "cudaMemcpy2DAsync";
  if ((!Is2D && Row != "cudaMemcpy" && Row != "cudaMemcpyAsync") ||
      S.Stream != Legacy || !isToHost(S) || S.Captured || S.OnErrorPath)
    return nullptr;
  return argument(S, Is2D ? 2 : 1);
}

void findEarlyCopies(const Project &P, std::vector<Finding> &Out) {
  for (const LinkedSite &S : P.sites()) {
    const Arg *Source = sourceOnLegacy(S);
    if (!Source)
      continue;
    const LinkedSite *Kernel =
        isOneBuffer(P, S, *Source)
            ? unawaitedKernel(P, S, Source->Cell,
                              [](const LinkedSite &Work, const Arg &A) {
                                return Work.Stream == NonBlocking && A.MayWrite;
                              })
            : nullptr;
    if (!Kernel || Kernel->Model->Stream.empty())
      continue;
    const std::string &Stream = Kernel->Model->Stream;
    Finding F = findingAt(S);
    F.Message = S.Model->Callee + " reads '" + Source->Text +
                "' before it is certain that the kernel " +
                Kernel->Model->Callee + " has written it: the kernel is on " +
                Stream +
                ", a non-blocking stream, for which the legacy "
                "default stream does not wait";
    F.Replacement =
        "copy with cudaMemcpyAsync on " + Stream +
        ", and wait for that stream before the host uses the data. Or call "
        "cudaStreamSynchronize(" +
        Stream + ") before the copy";
    F.Notes.push_back({Kernel->Model->Location, "this kernel may still run"});
    Out.push_back(std::move(F));
  }
}

static bool isManaged(const Project &P, const LinkedSite &S, const Arg &A) {
  return P.resolve(S, A.Val).Mask == Managed;
}

static void findEarlyAccesses(const Project &P,
                              llvm::ArrayRef<Event::Kind> Accesses,
                              llvm::StringRef Verb, std::vector<Finding> &Out) {
  for (const LinkedSite &S : P.sites()) {
    if (!isKernel(S))
      continue;
    for (const Arg &A : S.Model->Args) {
      if (!A.MayWrite || !isOneBuffer(P, S, A) || !isManaged(P, S, A))
        continue;
      const std::vector<const Event *> Reads =
          AfterWork(P, S).unawaited(Accesses, A.Cell);
      const auto Read = llvm::find_if(Reads, [&](const Event *E) {
        return !isOtherVariable(P, S, A.Cell, E->Location);
      });
      if (Read == Reads.end())
        continue;
      Finding F = findingAt(S);
      F.Message =
          "the host " + Verb.str() + " '" + P.functionOf(S).Cells[A.Cell].Name +
          "', which is managed memory, before it waits for the kernel " +
          S.Model->Callee + ", which has only been queued";
      F.Replacement = "call cudaEventRecord after the kernel and "
                      "cudaEventSynchronize before this use";
      F.Notes.push_back({(*Read)->Location, "used here"});
      Out.push_back(std::move(F));
      break;
    }
  }
}

void findEarlyManagedReads(const Project &P, std::vector<Finding> &Out) {
  findEarlyAccesses(P, {Event::Read}, "reads", Out);
}

void findEarlyManagedWrites(const Project &P, std::vector<Finding> &Out) {
  findEarlyAccesses(P, {Event::Written}, "writes", Out);
}

void findEarlyPoolFrees(const Project &P, std::vector<Finding> &Out) {
  for (const LinkedSite &S : P.sites()) {
    const Arg *Memory = argument(S, 0);
    if (S.cudaRow() != "cudaFree" || S.Effects.Wait != catalogue::Waits::No ||
        S.Captured || S.OnErrorPath || !Memory || !isOneBuffer(P, S, *Memory) ||
        catalogue::settled(S.Known)[Fact::Destination] != Pool)
      continue;
    const LinkedSite *Kernel =
        unawaitedKernel(P, S, Memory->Cell,
                        [](const LinkedSite &, const Arg &) { return true; });
    if (!Kernel)
      continue;
    Finding F = findingAt(S);
    F.Message = "cudaFree frees '" + Memory->Text + "' while the kernel " +
                Kernel->Model->Callee +
                " may still use it: cudaFree does not wait for memory from "
                "cudaMallocAsync";
    F.Replacement = "cudaFreeAsync on the stream of the kernel";
    F.Notes.push_back({Kernel->Model->Location, "this kernel may still run"});
    Out.push_back(std::move(F));
  }
}

} // namespace autoprof::audit
