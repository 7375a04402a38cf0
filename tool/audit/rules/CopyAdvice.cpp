// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Advice about synchronous copies, and about freeing memory.
#include "audit/rules/Advice.h"
#include "audit/rules/AdviceParts.h"
#include "audit/rules/Common.h"
#include "catalogue/Remedies.h"

namespace autoprof::audit {

using namespace catalogue::values;
using catalogue::Fact;

/// " into pinned memory", or "" if the copy's host memory already is.
static std::string pinned(const LinkedSite &S, const char *Preposition) {
  const Fact Side = isToHost(S) ? Fact::Destination : Fact::Source;
  return catalogue::settled(S.Known)[Side] == Pinned
             ? ""
             : std::string(" ") + Preposition + " pinned memory";
}

/// A copy whose use on the host is not known, by its direction.
static void adviseByDirection(Finding &F) {
  const catalogue::Remedy Known = catalogue::remedyOf(*F.Site->Row);
  const std::string Form = Known.AsyncForm.str();
  if (Form.empty())
    return;
  // A kernel cannot change its argument for later launches.
  const Arg *Target = argument(*F.Site, 0);
  const bool HasOther = Known.OrArgument && Target && !Target->IsDeviceVariable;
  switch (catalogue::settled(F.Site->Known)[Fact::Direction]) {
  case DtoD:
  case PtoP:
    F.Replacement =
        Form + ". Wait for an event before the host touches the data";
    break;
  case HtoD:
    F.Replacement = Form + pinned(*F.Site, "from") +
                    (pinned(*F.Site, "from").empty() ? " on" : ", on") +
                    " the stream of the work that uses the data" +
                    (HasOther ? ", or a kernel argument" : "") +
                    ". Wait for an event before the source buffer " +
                    (HasOther ? "of the copy " : "") + "is overwritten";
    break;
  case DtoH:
    F.Replacement = Form + pinned(*F.Site, "into") +
                    ". The host must then wait for an event before it uses the "
                    "data";
    break;
  default:
    break;
  }
}

void adviseCopy(const Project &P, Finding &F) {
  adviseByDirection(F);
  if (!isToHost(*F.Site))
    return;
  switch (F.Use.When) {
  case FirstUse::AtOnce:
    if (F.Use.Returned) {
      F.Replacement =
          byReturn(F.Use, "copy",
                   "copy with cudaMemcpyAsync into pinned memory and return "
                   "that memory");
      break;
    }
    F.Replacement = "if the host can use the data some iterations later, use "
                    "cudaMemcpyAsync into a ring of pinned slots, each with an "
                    "event, and read each slot then. Otherwise, keep the copy, "
                    "or move the computation to the GPU. The host uses the "
                    "data immediately, at " +
                    fileAndLine(F.Use.Location);
    break;
  case FirstUse::SameIteration:
    F.Replacement = "cudaMemcpyAsync" + pinned(*F.Site, "into") +
                    ", and wait for an event at " +
                    fileAndLine(F.Use.Location) +
                    ", where the host first uses the data";
    break;
  case FirstUse::NextIteration:
    F.Replacement = "cudaMemcpyAsync" + pinned(*F.Site, "into") +
                    ", and wait for an event at " +
                    fileAndLine(F.Use.Location) +
                    ", where the next iteration uses the "
                    "data";
    break;
  case FirstUse::AfterLoop:
    F.Replacement =
        "copy once, " + afterLoop(F) + ", if only the last data is used at " +
        fileAndLine(F.Use.Location) + ". Otherwise, use cudaMemcpyAsync" +
        pinned(*F.Site, "into") +
        ", with a separate part of the memory for each iteration";
    break;
  case FirstUse::Unknown:
    return;
  }
  noteUse(F);
}

/// Whether the memory may come from cudaMallocAsync instead.
static bool mayBeOrdered(const LinkedSite &S) {
  const uint32_t Memory = catalogue::settled(S.Known)[Fact::Destination];
  return !(Memory & ~uint32_t(Device)) && S.cudaRow() == "cudaFree";
}

/// What else the call did.
static const char *keepAWait(const LinkedSite &S) {
  return S.Effects.Wait == catalogue::Waits::Yes
             ? ". This call also waited for all work, so keep a wait where the "
               "host uses results"
             : "";
}

std::string insteadOfFreeInObject(const LinkedSite &S, bool Streams) {
  std::string Result = "create the object once, before the loop";
  if (Streams)
    Result += " (one for each stream that uses such an object)";
  if (mayBeOrdered(S))
    Result += ", or allocate with cudaMallocAsync and free with cudaFreeAsync "
              "on the stream of the work that uses the memory. The object must "
              "store that stream for its destructor";
  return Result + keepAWait(S);
}

std::string insteadOfFree(const LinkedSite &S) {
  std::string Result = "keep the buffer and reuse it";
  if (mayBeOrdered(S))
    Result += ", or allocate it with cudaMallocAsync and free it with "
              "cudaFreeAsync on the stream of the work that uses it";
  return Result + keepAWait(S);
}

} // namespace autoprof::audit
