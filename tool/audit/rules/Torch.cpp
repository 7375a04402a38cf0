// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// autoprof-torch-*: libtorch calls that bring data of a CUDA tensor to the host
// in a launching loop. The catalogue knows what they do; this file maps calls
// to rules. Tensors on an unknown device are not reported.
#include "audit/rules/Common.h"

#include "llvm/ADT/STLExtras.h"

namespace autoprof::audit {

using namespace catalogue::values;
using catalogue::Fact;
using catalogue::Waits;
using llvm::StringRef;

static bool isCallOf(const LinkedSite &S, llvm::ArrayRef<StringRef> Names) {
  if (!S.Row || S.Row->Library != "libtorch")
    return false;
  StringRef Name = S.Row->Name;
  if (!Name.consume_front("at::Tensor::") && !Name.consume_front("at::"))
    return false;
  return llvm::is_contained(Names, Name);
}

/// On a CUDA device, certainly or depending on a condition in the program.
static bool mayBeOnCuda(const LinkedSite &S) {
  return S.Known.knows(Fact::Source) && (S.Known[Fact::Source] & Device);
}

/// If more than the device decides, only what is certain counts.
static bool isCertainEnough(const LinkedSite &S) {
  return S.Effects.Wait == Waits::Yes ||
         (S.Effects.Wait == Waits::Maybe &&
          S.Row->DecidedBy == "source=the tensor");
}

static void report(const Project &P, llvm::ArrayRef<StringRef> Names,
                   StringRef Reason, std::vector<Finding> &Out) {
  for (const LinkedSite &S : P.sites()) {
    if (!isCallOf(S, Names) || !mayBeOnCuda(S) || !isCertainEnough(S))
      continue;
    Hot H = P.hot(S);
    if (!H.IsHot)
      continue;
    Finding F = findingAt(P, S, H);
    const bool Surely = S.Effects.Wait == Waits::Yes;
    F.Message =
        S.Model->Callee + (Surely ? " waits for " : " may wait for ") +
        whatIsWaitedFor(P, S) + " " + eachIteration(P, H) + ": " +
        (Surely || S.Effects.Reason.empty() ? Reason.str() : S.Effects.Reason);
    Out.push_back(std::move(F));
  }
}

void checkTorchItem(const Project &P, std::vector<Finding> &Out) {
  report(P, {"item", "_local_scalar_dense", "is_nonzero", "equal", "allclose"},
         "a value of a CUDA tensor is copied to the host", Out);
}

/// `to` and `copy_` wait in both directions; to the device they are ordinary
/// copies.
void checkTorchCpuCopy(const Project &P, std::vector<Finding> &Out) {
  report(P, {"cpu"}, "a CUDA tensor is copied to the CPU", Out);
  std::vector<Finding> Moves;
  report(P, {"to", "copy_"}, "a CUDA tensor is copied to the CPU", Moves);
  for (Finding &F : Moves)
    if (isToHost(*F.Site))
      Out.push_back(std::move(F));
}

void checkTorchPrint(const Project &P, std::vector<Finding> &Out) {
  report(P, {"print", "operator<<"},
         "the elements of a CUDA tensor are printed", Out);
}

void checkTorchDynamicShape(const Project &P, std::vector<Finding> &Out) {
  report(P,
         {"nonzero", "argwhere", "masked_select", "_unique", "_unique2",
          "unique_dim", "unique_consecutive", "bincount", "repeat_interleave",
          "one_hot", "where", "index", "index_put_"},
         "the size of its result depends on the data of a CUDA tensor", Out);
}

} // namespace autoprof::audit
