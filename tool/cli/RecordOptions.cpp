// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/recorder/RecorderVariables.h"

#include "commands/Commands.h"
#include "config/Config.h"
#include "runtime/protocol/WindowPlan.h"
#include "sites/SiteTables.h"
#include "support/Launch.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"

#include <cstdlib>

using namespace autoprof;
using namespace autoprof::cli;
using namespace autoprof::support;
using llvm::StringRef;

namespace {

/// What `autoprof run` decides about itself; see recorderVariables().
bool isOfThisProcess(StringRef Option) {
  return Option == "output" || Option == "mode" || Option == "stacks" ||
         Option == "semantics";
}

std::string valueOf(const Arguments &Args, StringRef Option) {
  const char *Preset = getenv(runtime::variableOf(Option).c_str());
  return Args.get(Option, Preset ? Preset : "");
}

/// The step that `.autoprof` names, here or when the program was compiled, or
/// "".
llvm::Expected<std::string> stepOf(const std::string &Program) {
  llvm::SmallString<256> Folder;
  if (llvm::sys::fs::current_path(Folder))
    return "";
  llvm::Expected<Config> Project = loadConfig(Folder);
  if (!Project)
    return Project.takeError();
  if (!Project->Step.empty())
    return Project->Step;
  llvm::Expected<std::string> Path = findProgram(Program);
  if (Path)
    return sites::readStep(*Path);
  llvm::consumeError(Path.takeError()); // It is reported later.
  return "";
}

} // namespace

llvm::Error cli::setRecordVariables(const Arguments &Args) {
  runtime::WindowWords Given = runtime::windowWords(
      [&Args](StringRef Option) { return valueOf(Args, Option); });
  if (!Given.Steps.empty() && Given.Range.empty()) {
    llvm::Expected<std::string> Step = stepOf(Args.Positional.front());
    if (!Step)
      return Step.takeError();
    Given.Range = *Step;
    if (!Step->empty())
      setenv("AUTOPROF_RANGE", Step->c_str(), 1);
  }
  runtime::WindowPlan Plan;
  std::string Problem;
  if (!parseWindow(Given, runtime::SpelledAs::Option, Plan, Problem))
    return llvm::createStringError(Problem);
  const std::string Throttle = Args.get("throttle", "off");
  if (uint64_t Runs; !runtime::parseThrottle(Throttle, Runs))
    return llvm::createStringError(
        "--throttle takes a number of runs or 'off', not '" + Throttle + "'");
  const std::string Pause = Args.get("stacks-pause", "off");
  if (uint64_t Ns; !runtime::parseStackPause(Pause, Ns))
    return llvm::createStringError("--stacks-pause takes a time of 1us or more "
                                   "(as 50us, 1ms) or 'off', not '" +
                                   Pause + "'");
  for (const Option &O : commands::Run.all())
    if (Args.has(O.Name) && !isOfThisProcess(O.Name))
      setenv(runtime::variableOf(O.Name).c_str(),
             O.Value ? Args.get(O.Name).c_str() : "1", 1);
  return llvm::Error::success();
}
