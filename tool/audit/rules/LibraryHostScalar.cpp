// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// autoprof-library-blas-host-scalar, autoprof-library-sparse-host-scalar: a
// library result that is returned to the host, which waits for it. For calls
// that can also leave it on the device, the handle's pointer mode decides.
#include "audit/rules/Common.h"

#include "llvm/ADT/STLExtras.h"

namespace autoprof::audit {

using namespace catalogue::values;
using catalogue::Fact;
using catalogue::Waits;
using llvm::StringRef;

static bool dependsOnPointerMode(const LinkedSite &S) {
  return S.Row->DecidedBy.starts_with("pointer_mode=");
}

/// The GPU cannot write a result in pageable memory, so the mode is host; the
/// host cannot write one in device memory.
static uint32_t modeOfResults(const Project &P, const LinkedSite &S) {
  uint32_t Memory = 0;
  for (const Arg &A : llvm::drop_begin(S.Model->Args)) {
    Resolved Mode = P.resolve(S, A.Val);
    if (Mode.known() && Mode.Mask == Pageable)
      return HostMode;
    Memory = Mode.known() ? Mode.Mask : 0; // Results are the last arguments.
  }
  return Memory && !(Memory & ~uint32_t(Device | Pool)) ? DeviceMode : 0;
}

/// Whether every handle of the site's program keeps its initial mode.
static bool neverSetsMode(const Project &P, const LinkedSite &S) {
  const std::string Name = S.Row->Library.str() + "SetPointerMode";
  return llvm::none_of(P.sites(), [&](const LinkedSite &Other) {
    return Other.Model->Row == Name &&
           P.mayShareProgram(Other.Function, S.Function);
  });
}

LinkedSite withPointerMode(const Project &P, const LinkedSite &S) {
  LinkedSite Result = S;
  if (!dependsOnPointerMode(S))
    return Result;
  uint32_t Mode = modeOfResults(P, S);
  if (!Mode && !S.Known.knows(Fact::PointerMode) && neverSetsMode(P, S))
    Mode = HostMode;
  if (Mode) {
    Result.Known.Possible[unsigned(Fact::PointerMode)] = Mode;
    Result.Effects = P.ask(*S.Row, Result.Known);
  }
  return Result;
}

/// Sizes and pivots have no pointer mode. Without a buffer, such a call only
/// queries the buffer size.
static bool returnsSizeOrPivot(const Project &P, const LinkedSite &S) {
  StringRef Name = S.Row->Name;
  if (Name.ends_with("_zeroPivot"))
    return true;
  if (!Name.starts_with("cusparseSpGEMM") &&
      !Name.starts_with("cusparseDenseToSparse"))
    return false;
  return llvm::none_of(S.Model->Args, [&](const Arg &A) {
    return P.resolve(S, A.Val).Mask == Null;
  });
}

static bool returnsToHost(const Project &P, const LinkedSite &S) {
  return dependsOnPointerMode(S) ? S.Known[Fact::PointerMode] == HostMode
                                 : returnsSizeOrPivot(P, S);
}

/// Calls with the same handle read alpha and beta as its mode specifies.
static bool sharesHandle(const Project &P, const LinkedSite &S) {
  const Arg *Handle = argument(S, 0);
  return Handle &&
         llvm::any_of(P.functions()[S.Function].Sites, [&](unsigned I) {
           const LinkedSite &Other = P.sites()[I];
           const Arg *Its = argument(Other, 0);
           return Other.Row && Other.Row->Library == S.Row->Library &&
                  Other.Model != S.Model && Other.Launches && Its &&
                  Its->Text == Handle->Text;
         });
}

static void checkLibrary(const Project &P, StringRef Library,
                         std::vector<Finding> &Out) {
  for (const LinkedSite &Linked : P.sites()) {
    if (!Linked.Row || Linked.Row->Library != Library ||
        Linked.kind() != catalogue::CallClass::Other)
      continue;
    const LinkedSite S = withPointerMode(P, Linked);
    if (!catalogue::mayWait(S.Effects.Wait) || !returnsToHost(P, S))
      continue;
    Hot H = P.hot(Linked);
    if (!H.IsHot)
      continue;
    Finding F = findingAt(P, S, H);
    F.Site = &Linked;
    if (!Linked.Known.knows(Fact::PointerMode) &&
        S.Effects.Wait == Waits::Yes && !modeOfResults(P, Linked))
      F.Certainty =
          Confidence::Medium; // No call that sets another mode is visible.
    if (dependsOnPointerMode(S) && sharesHandle(P, Linked))
      F.Replacement += ". Reset the mode after this call, because other calls "
                       "with the handle read alpha and beta as the mode "
                       "specifies";
    const bool Surely = S.Effects.Wait == Waits::Yes;
    F.Message =
        S.Model->Callee + (Surely ? " waits for " : " may wait for ") +
        whatIsWaitedFor(P, S) + " " + eachIteration(P, H) +
        (dependsOnPointerMode(S) ? ", because it returns its result to the host"
                                 : ": " + S.Effects.Reason);
    Out.push_back(std::move(F));
  }
}

void checkLibraryBlasHostScalar(const Project &P, std::vector<Finding> &Out) {
  checkLibrary(P, "cublas", Out);
}

void checkLibrarySparseHostScalar(const Project &P, std::vector<Finding> &Out) {
  checkLibrary(P, "cusparse", Out);
}

} // namespace autoprof::audit
