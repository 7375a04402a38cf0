// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What autoprof needs on a machine, checked by reading files only.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <map>
#include <string>
#include <vector>

namespace autoprof::doctor {

enum class State {
  Ok,
  Warning, ///< Some commands will not work.
  Problem  ///< Recording will fail.
};

/// "ok", "warning", "problem".
llvm::StringRef name(State S);

struct Check {
  const char *Name = ""; ///< Of the part: "driver", "cupti".
  State Result = State::Ok;
  std::string Finding; ///< What was found, without a full stop.
  std::string Remedy;  ///< What to do; "" when it is fine.
};

/// Where to look.
struct Machine {
  /// Put before every absolute path: "" for this machine, a prepared folder in
  /// tests.
  std::string Root;
  std::map<std::string, std::string> Environment;
  /// The folder of bin/autoprof, as it is below Root.
  std::string ProgramFolder;
};

/// This one.
Machine thisMachine();

/// The version of the loaded driver, as "580.65.06"; "": none is.
std::string driverVersion(const Machine &M);

/// All checks, in the order in which to fix what they find.
std::vector<Check> examine(const Machine &M);

Check checkInstallation(const Machine &M);
Check checkDriver(const Machine &M);
Check checkDevices(const Machine &M);
Check checkCupti(const Machine &M);
Check checkToolkit(const Machine &M);
Check checkPlugin(const Machine &M);
Check checkEnvironment(const Machine &M);

} // namespace autoprof::doctor
