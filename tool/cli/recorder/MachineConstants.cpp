// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/recorder/MachineConstants.h"

#include "analysis/replay/Pauses.h"
#include "calibrate/Scratch.h"
#include "cli/recorder/RecorderVariables.h"
#include "trace/Load.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Program.h"

#include <unistd.h>

using namespace autoprof;
using namespace autoprof::cli;
using llvm::StringRef;
namespace fs = llvm::sys::fs;

namespace {

constexpr unsigned LimitSeconds = 60;

/// What a recording shows about its machine, by the same rules that the replay
/// uses: of any program, or of one that exercises copies and pauses.
catalogue::Constants measure(const trace::Timeline &T) {
  return {analysis::measureCopies(T), analysis::Pauses(T).measured()};
}

/// This process's environment with `Set` in it.
std::vector<std::string> environmentWith(const Variables &Set) {
  std::vector<std::string> Result;
  for (char **One = environ; *One; ++One) {
    const StringRef Name = StringRef(*One).split('=').first;
    // The user's recording options do not apply to this one.
    if (!Set.count(Name.str()) && !Name.starts_with("AUTOPROF_"))
      Result.push_back(*One);
  }
  for (const auto &[Name, Value] : Set)
    Result.push_back(Name + "=" + Value);
  return Result;
}

} // namespace

llvm::Expected<catalogue::Constants> cli::recordConstants(int Device) {
  llvm::Expected<std::string> Runtime = findRuntime();
  if (!Runtime)
    return Runtime.takeError();
  calibrate::Scratch Folder;
  if (llvm::Error E = Folder.make())
    return std::move(E);
  llvm::SmallString<256> Self;
  if (std::error_code E = fs::real_path("/proc/self/exe", Self))
    return llvm::createStringError("cannot find its own file: " + E.message());
  const std::string Trace = Folder.path() + "/machine.pftrace";
  const std::vector<std::string> Environment =
      environmentWith(recorderVariables(*Runtime, Trace, "full"));
  const std::string DeviceOption = "--device=" + std::to_string(Device);
  const std::vector<StringRef> Arguments{"autoprof", "calibrate", "--exercise",
                                         DeviceOption};
  const std::vector<StringRef> Variables(Environment.begin(),
                                         Environment.end());
  std::string Message;
  const int Code = llvm::sys::ExecuteAndWait(
      Self, Arguments, llvm::ArrayRef(Variables),
      {StringRef(), StringRef("/dev/null"), StringRef("/dev/null")},
      LimitSeconds, /*MemoryLimit=*/0, &Message);
  if (Code != 0)
    return llvm::createStringError(
        "the process that exercises them failed" +
        (Message.empty() ? std::string() : ": " + Message));
  llvm::Expected<trace::Timeline> T = trace::load(Trace);
  if (!T)
    return T.takeError();
  if (T->Ops.size() == 0)
    return llvm::createStringError(
        T->Info.CuptiReason.empty()
            ? "CUPTI, which comes with the CUDA toolkit, recorded nothing"
            : T->Info.CuptiReason);
  return measure(*T);
}

llvm::Expected<catalogue::Semantics> cli::constantsOf(StringRef Trace) {
  llvm::Expected<trace::Timeline> T = trace::load(Trace);
  if (!T)
    return T.takeError();
  catalogue::Semantics S;
  S.Machine = measure(*T);
  if (S.Machine.Copies.empty() && S.Machine.Pauses.empty())
    return llvm::createStringError(
        "'" + Trace +
        "' has too few copies and queued operations to measure them");
  for (const trace::Device &D : T->Devices)
    if (S.Gpu.empty() && !D.Name.empty()) {
      S.Gpu = D.Name;
      if (D.ComputeMajor)
        S.ComputeCapability = std::to_string(D.ComputeMajor) + "." +
                              std::to_string(D.ComputeMinor);
    }
  S.Gpus = unsigned(T->Devices.size());
  S.Host = T->Info.Host;
  return S;
}
