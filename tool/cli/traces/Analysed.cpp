// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/traces/Analysed.h"

#include "config/Config.h"
#include "report/recording/SiteTexts.h"
#include "support/Progress.h"
#include "trace/Symbols.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"

using namespace autoprof;
using namespace autoprof::cli;
using namespace autoprof::support;

llvm::Expected<StepChoice> cli::chooseStep(const Arguments &Args) {
  std::optional<int64_t> Pid;
  if (Args.has("pid") &&
      llvm::StringRef(Args.get("pid")).getAsInteger(10, Pid.emplace()))
    return llvm::createStringError(
        "--pid takes the number of a process, not '" + Args.get("pid") + "'");
  StepChoice Choice;
  Choice.Name = Args.get("step");
  Choice.Pid = Pid;
  const std::string Window = Args.get("window");
  if (!Window.empty()) {
    llvm::Expected<trace::WindowRequest> Asked =
        trace::WindowRequest::parse(Window);
    if (!Asked)
      return Asked.takeError();
    Choice.Window = *Asked;
  }
  if (Args.has("step"))
    return Choice;
  Choice.FromFile = true;
  llvm::SmallString<256> Folder;
  if (llvm::sys::fs::current_path(Folder))
    return Choice;
  llvm::Expected<Config> Project = loadConfig(Folder);
  if (!Project)
    return Project.takeError();
  Choice.Name = Project->Step;
  return Choice;
}

llvm::Expected<std::unique_ptr<Analysed>>
cli::analyseFile(const std::string &Path, const StepChoice &Step,
                 const catalogue::Semantics *Given) {
  FileProgress Line(Path);
  return analysis::readRecording(
      Path, Step, Given,
      {[&Line](double Part) { Line.read(Part); },
       [&Line](trace::Timeline &T) {
         trace::placeStacks(T, trace::fileResolver());
         report::readExpressions(T);
         report::labelSites(T);
         Line.analyse();
       },
       [&Line](const std::string &Text) {
         Line.clear();
         llvm::errs() << "autoprof: warning: " << Text << '\n';
       }});
}
