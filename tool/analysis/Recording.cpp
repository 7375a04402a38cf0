// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/Recording.h"

#include "catalogue/SemanticsJson.h"
#include "trace/timeline/PartOf.h"

#include "llvm/ADT/STLExtras.h"

using namespace autoprof;
using namespace autoprof::analysis;
using trace::Timeline;

namespace {

class Reader {
  const std::string &Path;
  const StepChoice &Choice;
  const Surroundings &Around;
  std::string Name; ///< Of the steps; "": none, or it was not found.

  llvm::Expected<Timeline> read() const;
  void warnOfPid(const Timeline &T) const;
  const catalogue::Semantics *choose(const catalogue::Semantics *Measured,
                                     const Timeline &T) const;
  std::unique_ptr<catalogue::Semantics> constants(const Timeline &T) const;
  llvm::Error wrap(llvm::Error E) const;
  llvm::Expected<Steps> steps(const Timeline &T);
  llvm::Expected<Steps> cutWindow(Timeline &T);

public:
  Reader(const std::string &Path, const StepChoice &Choice,
         const Surroundings &Around)
      : Path(Path), Choice(Choice), Around(Around) {}
  llvm::Expected<std::unique_ptr<Recording>>
  run(const catalogue::Semantics *Given);
};

/// All of it; if that is too large, the part that the user wants.
llvm::Expected<Timeline> Reader::read() const {
  llvm::Expected<Timeline> T =
      trace::load(Path, {Choice.Pid, Around.Progress, std::nullopt});
  if (T || !Choice.Window)
    return T;
  llvm::Error E = T.takeError();
  if (!E.isA<trace::TooLarge>())
    return std::move(E);
  llvm::consumeError(std::move(E));
  return trace::load(Path, {Choice.Pid, Around.Progress, Choice.Window});
}

/// A --pid that chose nothing, because the file holds one process.
void Reader::warnOfPid(const Timeline &T) const {
  if (!Choice.Pid || T.Info.Pid == *Choice.Pid)
    return;
  Around.Warn("--pid=" + std::to_string(*Choice.Pid) + " is not used: " + Path +
              " holds one process only" +
              (T.Info.Pid > 0 ? ", " + std::to_string(T.Info.Pid) : ""));
}

/// Of a file that is cut off: up to the last launch whose GPU work was read,
/// and to the last probe on its thread. Calls, GPU work, and probes are written
/// at different times, so what follows is there only in part. nullopt if the
/// file is complete, or has no such launch.
std::optional<trace::Window> findReadPart(const Timeline &T) {
  if (!T.Unread.BytesDropped || T.LaunchOrder.empty())
    return std::nullopt;
  const trace::HostEvents &H = T.Host;
  const uint32_t Launch = T.Ops.Launch[T.LaunchOrder.back()];
  int64_t End = H.Start[Launch], LastProbe = T.begin();
  // Other profilers write their operators before everything else.
  for (size_t I = 0; I < H.size() && T.Info.Source.Producer.empty(); ++I)
    if (H.Thread[I] == H.Thread[Launch] && H.Kind[I] == trace::HostKind::Site &&
        H.Site[I] != trace::None && T.Sites[H.Site[I]].Id)
      LastProbe = std::max(LastProbe, H.End[I]);
  const auto Before = llvm::count_if(T.LaunchOrder, [&](uint32_t Op) {
    return H.Start[T.Ops.Launch[Op]] < LastProbe;
  });
  // Else only the program's set-up may have probes.
  constexpr ptrdiff_t FewestOps = 100;
  if (Before >= FewestOps)
    End = std::min(End, LastProbe);
  if (End <= T.begin())
    return std::nullopt;
  return trace::Window{T.begin(), End};
}

/// Of a file that is cut off, the part in which nothing is missing.
void keepReadPart(Timeline &T) {
  const std::optional<trace::Window> Part = findReadPart(T);
  if (!Part)
    return;
  T = trace::partOf(T, *Part);
  // What was read is all that there is.
  T.Part.reset();
  T.Recorded.EndsWithRead = true;
}

/// What the trace has of its machine.
std::unique_ptr<catalogue::Semantics>
Reader::constants(const Timeline &T) const {
  if (T.Constants.empty())
    return nullptr;
  llvm::Expected<catalogue::Semantics> S =
      catalogue::readSemantics(T.Constants);
  if (S)
    return std::make_unique<catalogue::Semantics>(std::move(*S));
  Around.Warn("the calibration in " + Path +
              " is not used: " + llvm::toString(S.takeError()));
  return nullptr;
}

/// Null if it is of another GPU. A recording without GPU work names none.
const catalogue::Semantics *Reader::choose(const catalogue::Semantics *Measured,
                                           const Timeline &T) const {
  if (!Measured || llvm::all_of(T.Devices, [&](const trace::Device &D) {
        return D.Name.empty() || D.Name == Measured->Gpu;
      }))
    return Measured;
  Around.Warn("the calibration is not used: it was measured on " +
              Measured->Gpu + ", and " + Path + " was recorded on " +
              T.Devices.front().Name);
  return nullptr;
}

/// Names the file.
llvm::Error Reader::wrap(llvm::Error E) const {
  return llvm::make_error<NoSuchStep>(Path + ": " +
                                      llvm::toString(std::move(E)));
}

/// Of this name; where that is not the user's request, and the recording has
/// none, those that can be found.
llvm::Expected<Steps> Reader::steps(const Timeline &T) {
  llvm::Expected<Steps> S = findSteps(T, Name);
  if (S)
    return S;
  llvm::Error E = wrap(S.takeError());
  if (!Choice.FromFile)
    return std::move(E);
  const char *By = !Choice.Name.empty() ? ".autoprof names"
                   : T.Info.NamedSteps.size() == 1
                       ? ".autoprof named when the program was compiled"
                       : "autoprof_step() marks";
  Around.Warn(std::string("the step that ") + By +
              " is not used: " + llvm::toString(std::move(E)));
  Name.clear();
  return findSteps(T, Name);
}

/// Leaves the part that the user wants. What repeats in it may be parts of the
/// recording's steps, which are unknown if that was too large to be read.
llvm::Expected<Steps> Reader::cutWindow(Timeline &T) {
  if (T.Part)
    return steps(T);
  const Timeline Whole = std::move(T);
  llvm::Expected<Timeline> Part = trace::cut(Whole, *Choice.Window, Path);
  if (!Part)
    return Part.takeError();
  T = std::move(*Part);
  const std::string Asked = Name;
  llvm::Expected<Steps> S = steps(T);
  return S && S->From == StepsFrom::Repetition
             ? findStepsOfPart(T, Whole, Asked, std::move(*S))
             : std::move(S);
}

llvm::Expected<std::unique_ptr<Recording>>
Reader::run(const catalogue::Semantics *Given) {
  // Read.
  llvm::Expected<Timeline> File = read();
  if (!File)
    return File.takeError();
  auto Result = std::make_unique<Recording>();
  Result->Path = Path;
  Timeline &T = Result->T = std::move(*File);
  warnOfPid(T);
  if (!Choice.Window)
    keepReadPart(T);
  Around.Place(T);
  // Choose the part, and find its steps.
  Name = Choice.FromFile && Choice.Name.empty() ? T.Info.step() : Choice.Name;
  llvm::Expected<Steps> S = Choice.Window ? cutWindow(T) : steps(T);
  if (!S)
    return S.takeError();
  // Waits, stalls, replays, decisions.
  if (!Given)
    Result->Own = constants(T);
  Result->R =
      analyse(T, std::move(*S), choose(Given ? Given : Result->Own.get(), T));
  return Result;
}

} // namespace

llvm::Expected<std::unique_ptr<Recording>> autoprof::analysis::readRecording(
    const std::string &Path, const StepChoice &Choice,
    const catalogue::Semantics *Given, const Surroundings &Around) {
  return Reader(Path, Choice, Around).run(Given);
}
