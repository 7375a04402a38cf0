// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Missing waits in launching loops, such as people make who follow advice: an
// event that is recorded before the copy, a wait for another stream, a query
// whose answer is ignored, a kernel on another stream that overwrites what is
// still copied. Memory of which an index selects a part (a ring of buffers) is
// not checked.
#include "audit/rules/Rules.h"
#include "audit/walk/Flow.h"

using llvm::StringRef;

namespace autoprof::audit {

using namespace catalogue::values;
using catalogue::CallClass;
using catalogue::Fact;
using catalogue::WaitsFor;

namespace {

class Races {
  const Trace &T;
  std::vector<Finding> &Out;

public:
  Races(const Trace &T, std::vector<Finding> &Out) : T(T), Out(Out) {}

  void run() {
    for (size_t I = 0; I < T.Steps.size(); ++I) {
      const Step &S = T.Steps[I];
      if (S.Call && S.Call->Linked->kind() == CallClass::Copy &&
          isAsynchronous(*S.Call->Linked) && !S.Call->Linked->Captured &&
          S.Call->Effects.Wait == catalogue::Waits::No)
        copy(I);
    }
  }

private:
  /// An argument's memory, or "" if it is not the whole of one buffer.
  std::string whole(const Step &S, const Arg *A) const {
    if (!A || A->Cell < 0 || !isWhole(A->Text) ||
        T.functionOf(S.Frame).Cells[A->Cell].Rebound)
      return "";
    return T.memoryOf(S.Frame, A->Cell);
  }

  void copy(size_t At) {
    const Step &S = T.Steps[At];
    const LinkedSite &Site = *S.Call->Linked;
    const catalogue::Facts Known = catalogue::settled(S.Call->Known);
    const uint32_t Direction = Known[Fact::Direction];
    const bool ToHost = Direction == DtoH;
    if ((!ToHost && Direction != HtoD) || sizeArguments(Site.cudaRow()).empty())
      return;
    const unsigned From = StringRef(Site.cudaRow()).contains("2D") ? 2 : 1;
    const Arg *Host = hostArgument(Site, ToHost);
    if (Known[ToHost ? Fact::Destination : Fact::Source] == Pinned && Host) {
      const std::string Memory = whole(S, Host);
      if (!Memory.empty())
        follow(At, Memory, ToHost ? Event::Read : Event::Written);
    }
    if (ToHost)
      if (const std::string Memory = whole(S, argument(Site, From));
          !Memory.empty())
        followOnDevice(At, Memory);
  }

  /// Whether the copy may be complete after a step, or whether that is not
  /// known.
  bool mayComplete(size_t Copy, const Step &S) const {
    if (S.Class == Step::Queues || S.Class == Step::Unknown)
      return true;
    if (!S.Call)
      return S.Happened->Class == Event::HandsOver ||
             S.Happened->Class == Event::Blocks;
    const LinkedSite &Site = *S.Call->Linked;
    if (Site.kind() == CallClass::Query)
      return Site.cudaRow().contains("Query") && !Site.Model->IsStatement;
    if (!catalogue::mayWait(S.Call->Effects.Wait))
      return false;
    const StreamId &Copied = T.Steps[Copy].Call->Stream;
    switch (S.Call->Effects.Target) {
    case WaitsFor::Stream:
      return Copied.Name.empty() || S.Call->Stream.Name.empty() ||
             covers(S.Call->Stream, Copied) || S.Call->Stream.Kind == Legacy ||
             Copied.Kind == Legacy;
    case WaitsFor::Event:
      return isRecordedAfter(Copy, S);
    default:
      return true;
    }
  }

  /// The event that an argument names; "": one of several.
  std::string nameOf(const Step &S, const Arg &Event) const {
    if (!isWhole(Event.Text))
      return "";
    const std::string Name = T.eventNamed(S.Frame, Event);
    return Name.empty() ? std::to_string(S.Frame) + " " + Event.Text : Name;
  }

  /// Whether the event that a call waits for may have been recorded after the
  /// copy: always, unless its only records are before it.
  bool isRecordedAfter(size_t Copy, const Step &Wait) const {
    const Arg *Event = argument(*Wait.Call->Linked, 0);
    const std::string Name = Event ? nameOf(Wait, *Event) : "";
    bool Before = false;
    for (size_t I = 0; I < T.Steps.size(); ++I) {
      const Step &S = T.Steps[I];
      if (!S.Call || !S.Call->Linked->cudaRow().contains("EventRecord"))
        continue;
      const Arg *Recorded = argument(*S.Call->Linked, 0);
      if (Name.empty() || !Recorded || nameOf(S, *Recorded) != Name)
        continue;
      if (I > Copy)
        return true;
      Before = true;
    }
    return !Before;
  }

  /// Whether each iteration may have another variable of this name.
  bool isMadeIn(int Loop, StringRef Memory) const {
    int Frame = 0, Cell = 0;
    auto [Of, Number] = Memory.drop_front().split(':');
    if (!Memory.starts_with("#") || Of.getAsInteger(10, Frame) ||
        Number.getAsInteger(10, Cell))
      return false;
    const Scope &Around = T.scopeOf(T.Loops[Loop]);
    const Place &Made = T.functionOf(Frame).Cells[Cell].Location;
    return Frame != T.Loops[Loop].Frame ||
           (Made.Offset > Around.Location.Offset && Made.Offset <= Around.End);
  }

  bool isUnder(const Step &S, size_t Copy) const {
    return T.isGuardIn(S.Guard, T.Steps[Copy].Guard);
  }

  void follow(size_t At, const std::string &Memory, Event::Kind Use) {
    const Step &Copy = T.Steps[At];
    following(Search(T, At), Copy.Loop, [&](const Step &S, bool IsNext) {
      if (&S == &Copy || mayComplete(At, S) ||
          (IsNext && isMadeIn(Copy.Loop, Memory)))
        return true;
      if (S.Class != Step::Host || S.Happened->Class != Use ||
          T.memoryOf(S.Frame, int(S.Happened->Index)) != Memory ||
          !isUnder(S, At))
        return false;
      const bool Reads = Use == Event::Read;
      report(Copy, S,
             Reads ? "autoprof-unsafe-early-read"
                   : "autoprof-unsafe-buffer-lifetime",
             std::string("the host ") + (Reads ? "reads" : "changes") +
                 " the memory of " + Copy.Call->Linked->Model->Callee +
                 " before it waits for the copy, which has only been queued",
             "record an event after the copy, and wait for it before this use",
             "used here");
      return true;
    });
  }

  /// A kernel on another stream that writes what is copied to the host.
  void followOnDevice(size_t At, const std::string &Memory) {
    const Step &Copy = T.Steps[At];
    const StreamId &Own = Copy.Call->Stream;
    following(Search(T, At), Copy.Loop, [&](const Step &S, bool) {
      if (&S == &Copy || mayComplete(At, S))
        return true;
      if (!S.Call)
        return false;
      if (S.Call->Linked->cudaRow().contains("StreamWaitEvent"))
        return true;
      const StreamId &Other = S.Call->Stream;
      const auto IsMade = [](const StreamId &Stream) {
        return !Stream.Name.empty() && Stream.Kind != ~0u &&
               !(Stream.Kind & ~uint32_t(Blocking | NonBlocking));
      };
      if (S.Call->Linked->Row || !IsMade(Own) || !IsMade(Other) ||
          mayBeSame(Own, Other))
        return false;
      for (const Arg &A : S.Call->Linked->Model->Args)
        if (A.MayWrite && whole(S, &A) == Memory) {
          report(Copy, S, "autoprof-unsafe-buffer-lifetime",
                 "the kernel " + S.Call->Linked->Model->Callee +
                     " may overwrite what " + Copy.Call->Linked->Model->Callee +
                     " still copies: they are on different streams",
                 "record an event after the copy, and let the kernel's stream "
                 "wait for it (cudaStreamWaitEvent)",
                 "this kernel may write the memory");
          return true;
        }
      return false;
    });
  }

  void report(const Step &Copy, const Step &Use, StringRef Rule,
              std::string Message, StringRef Instead, const char *Note) {
    Finding F = findingAt(*Copy.Call->Linked);
    F.Rule = Rule.str();
    F.Message = std::move(Message);
    F.Replacement = Instead.str();
    F.Notes.push_back({Use.Location, Note});
    Out.push_back(std::move(F));
  }
};

} // namespace

void findRaces(const Trace &T, std::vector<Finding> &Out) {
  Races(T, Out).run();
}

} // namespace autoprof::audit
