// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Texts about recordings whose steps are not the same.
#include "report/Format.h"
#include "report/recording/DiffText.h"

#include <fmt/format.h>

using namespace autoprof;
using namespace autoprof::report;
using namespace autoprof::analysis;

namespace {

/// The recording that does not match the base's first.
const RunSummary &otherOf(const Difference &D) {
  return (D.Mismatch->IsNew ? D.New : D.Base)[D.Mismatch->Run];
}

bool isSingle(const Difference &D) {
  return D.Base.size() == 1 && D.New.size() == 1;
}

/// "base" and "new"; of several recordings their files.
std::string nameOf(const Difference &D, bool IsNew, const RunSummary &S) {
  return !isSingle(D) ? S.Path : IsNew ? "new" : "base";
}

const char *clockOf(const RunSummary &S) {
  return S.R.Steps.FromGpu ? "GPU" : "host";
}

std::string compareBoth(const Difference &D) {
  const std::string &Base = D.Base[0].Info.CommandLine,
                    &New = D.New[0].Info.CommandLine;
  return Base.empty() || New.empty()
             ? "autoprof compare"
             : fmt::format("autoprof compare -- {} -- {}", Base, New);
}

} // namespace

std::string report::mismatchSentence(const Difference &D) {
  const RunSummary &Base = D.Base[0], &Other = otherOf(D);
  const std::string BaseName = nameOf(D, false, Base),
                    OtherName = nameOf(D, D.Mismatch->IsNew, Other);
  switch (D.Mismatch->Why) {
  case StepMismatch::NoSteps:
    if (isSingle(D) && Base.R.Steps.List.empty() &&
        D.New[0].R.Steps.List.empty())
      return "The recordings have no steps, so whole runs are compared.";
    return isSingle(D) ? fmt::format("The {} recording has no steps, so whole "
                                     "runs are compared.",
                                     OtherName)
                       : OtherName + " has no steps, so whole runs are "
                                     "compared.";
  case StepMismatch::Clock:
    return fmt::format("Step times are not compared, because they are of "
                       "different clocks ({}: {}; {}: {}).",
                       BaseName, clockOf(Base), OtherName, clockOf(Other));
  case StepMismatch::Place:
    return fmt::format("Step times are not compared, because the steps are not "
                       "the same ({}: {}; {}: {}).",
                       BaseName, Base.R.Steps.Source, OtherName,
                       Other.R.Steps.Source);
  }
  return "";
}

std::string report::mismatchRemedy(const Difference &D) {
  const std::string &Base = D.Base[0].R.Steps.Name,
                    &Other = otherOf(D).R.Steps.Name;
  switch (D.Mismatch->Why) {
  case StepMismatch::NoSteps:
    return "";
  case StepMismatch::Clock:
    return "Steps are timed on the host if several of them have no GPU work. "
           "To "
           "time both programs in the same way: " +
           compareBoth(D);
  case StepMismatch::Place:
    if (!D.Mismatch->IsNew || Base.empty() || Other.empty())
      return "Select the steps with --step, and with --base-step where the "
             "base's have another name.";
    return fmt::format("If these are the same steps, add --base-step={} "
                       "--step={}. To time both programs: {}",
                       Base, Other, compareBoth(D));
  }
  return "";
}
