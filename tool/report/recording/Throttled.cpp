// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/recording/Throttled.h"

#include "report/Format.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

#include <fmt/format.h>

using namespace autoprof;
using namespace autoprof::report;
using namespace autoprof::analysis;

std::optional<uint64_t> report::allRuns(const Input &Subject,
                                        const trace::ThrottledRange &R) {
  if (Subject.T.Part || Subject.T.Recorded.KeptFrom || Subject.T.isCutOff())
    return std::nullopt;
  uint64_t Runs = R.Runs;
  for (const RangeRow &Row : Subject.R.Ranges)
    if (Row.Site == R.Site)
      Runs += Row.Count;
  return Runs;
}

/// "loop at train.cu:12 in main".
static std::string rangePlace(const trace::Site &S) {
  const std::string Place =
      fmt::format("{}:{}", llvm::sys::path::filename(S.File).str(), S.Line);
  return S.Kind == "loop" ? "loop at " + Place + " in " + S.Function
                          : "function " + S.Function + " at " + Place;
}

std::vector<std::string> report::throttledLines(const Input &Subject) {
  constexpr size_t Most = 3;
  std::vector<std::string> Lines;
  std::vector<trace::ThrottledRange> All = Subject.T.Throttled;
  llvm::sort(All, [](const auto &A, const auto &B) {
    return std::pair(B.Runs, A.Site) < std::pair(A.Runs, B.Site);
  });
  for (size_t I = 0; I < All.size() && I < Most; ++I) {
    const std::optional<uint64_t> Runs = allRuns(Subject, All[I]);
    Lines.push_back(fmt::format(
        "Throttled: the {}{}. {} runs{} of less than 10 us each without GPU "
        "work were not recorded ({} in total). 'autoprof run --throttle=off' "
        "records them.",
        rangePlace(Subject.T.Sites[All[I].Site]),
        Runs ? fmt::format(" ran {} times", count(*Runs)) : "",
        count(All[I].Runs), Runs ? "" : " or more", duration(All[I].Time)));
  }
  if (All.size() > Most)
    Lines.push_back(fmt::format("{} more ranges were throttled; "
                                "--format=json lists them.",
                                All.size() - Most));
  return Lines;
}
