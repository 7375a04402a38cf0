// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/recorder/MachineConstants.h"

#include "analysis/replay/Pauses.h"
#include "cli/recorder/OwnProcess.h"
#include "doctor/Doctor.h"
#include "trace/Load.h"

#include <ctime>

using namespace autoprof;
using namespace autoprof::cli;
using llvm::StringRef;

namespace {

/// The driver wakes the GPUs up, which takes long on machines with many.
constexpr unsigned LimitSeconds = 180;

std::string timeNow() {
  char Text[32];
  const std::time_t Now = std::time(nullptr);
  std::tm Utc{};
  gmtime_r(&Now, &Utc);
  std::strftime(Text, sizeof(Text), "%Y-%m-%dT%H:%M:%SZ", &Utc);
  return Text;
}

catalogue::Semantics describe(const trace::Timeline &T) {
  catalogue::Semantics S;
  // By the same rules that the replay uses.
  S.Machine = {analysis::measureCopies(T), analysis::Pauses(T).measured()};
  for (const trace::Device &D : T.Devices) {
    const bool IsUsed = !T.Queues.empty() && T.Queues.front().Device == D.Id;
    if (D.Name.empty() || (!S.Gpu.empty() && !IsUsed))
      continue;
    S.Gpu = D.Name;
    S.ComputeCapability = D.ComputeMajor
                              ? std::to_string(D.ComputeMajor) + "." +
                                    std::to_string(D.ComputeMinor)
                              : "";
  }
  S.Gpus = unsigned(T.Devices.size());
  S.Host = T.Info.Host;
  return S;
}

} // namespace

llvm::Expected<catalogue::Semantics> cli::measureConstants(int Device) {
  llvm::Expected<std::string> Runtime = findRuntime();
  if (!Runtime)
    return Runtime.takeError();
  llvm::Expected<TemporaryFolder> Folder = TemporaryFolder::make();
  if (!Folder)
    return Folder.takeError();
  const std::string Trace = Folder->path() + "/machine.pftrace";
  llvm::Expected<std::string> Said = runOwnProcess(
      {"calibrate", "--exercise", "--device=" + std::to_string(Device)},
      recorderVariables(*Runtime, Trace, "full"), LimitSeconds);
  if (!Said)
    return Said.takeError();
  llvm::Expected<trace::Timeline> T = trace::load(Trace);
  if (!T)
    return T.takeError();
  if (T->Ops.size() == 0)
    return llvm::createStringError(
        T->Info.CuptiReason.empty()
            ? "CUPTI, which comes with the CUDA toolkit, recorded nothing"
            : T->Info.CuptiReason);
  catalogue::Semantics S = describe(*T);
  auto [Cuda, Gpus] = StringRef(*Said).trim().split(' ');
  unsigned Version = 0;
  if (!Cuda.getAsInteger(10, Version))
    S.Cuda = std::to_string(Version / 1000) + "." +
             std::to_string(Version % 1000 / 10);
  Gpus.getAsInteger(10, S.Gpus);
  S.Driver = doctor::driverVersion(doctor::thisMachine());
  S.Made = timeNow();
  return S;
}

llvm::Expected<catalogue::Semantics>
cli::constantsOf(const std::string &Trace) {
  llvm::Expected<trace::Timeline> T = trace::load(Trace);
  if (!T)
    return T.takeError();
  catalogue::Semantics S = describe(*T);
  if (S.Machine.Copies.empty() && S.Machine.Pauses.empty())
    return llvm::createStringError(
        "'" + Trace +
        "' has too few copies and queued operations to measure them");
  return S;
}
