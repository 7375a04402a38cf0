// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/compare/Limits.h"

#include "runtime/protocol/WindowPlan.h"

#include <cmath>

using namespace autoprof;
using namespace autoprof::support;
using llvm::StringRef;

llvm::Error cli::readCount(const Arguments &A, StringRef Name, size_t Most,
                           size_t &Out) {
  if (!A.has(Name))
    return llvm::Error::success();
  if (StringRef(A.get(Name)).getAsInteger(10, Out) || Out < 1 || Out > Most)
    return llvm::createStringError("--" + Name + " takes a number from 1 to " +
                                   llvm::Twine(Most) + ", not '" + A.get(Name) +
                                   "'");
  return llvm::Error::success();
}

llvm::Error cli::readShare(const Arguments &A, StringRef Name, double &Out) {
  if (!A.has(Name))
    return llvm::Error::success();
  double Value = 0;
  if (StringRef(A.get(Name)).rtrim('%').rtrim().getAsDouble(Value) ||
      !std::isfinite(Value) || Value < 0)
    return llvm::createStringError("--" + Name +
                                   " takes a percentage such as 1%, not '" +
                                   A.get(Name) + "'");
  Out = Value / 100;
  return llvm::Error::success();
}

llvm::Error cli::readTime(const Arguments &A, std::optional<int64_t> &Out) {
  if (!A.has("time"))
    return llvm::Error::success();
  runtime::WindowWords Words;
  Words.Duration = A.get("time");
  runtime::WindowPlan Plan;
  std::string Problem;
  if (!parseWindow(Words,
                   {"--steps=", "--range=", "--delay=", "--time=", "--capture=",
                    "--max-size=", "--dump-signal=", "--unrecorded="},
                   Plan, Problem))
    return llvm::createStringError(Problem);
  Out = int64_t(Plan.DurationNs);
  return llvm::Error::success();
}
