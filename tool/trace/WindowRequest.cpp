// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/WindowRequest.h"

#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <cmath>

using namespace autoprof::trace;
using llvm::StringRef;

namespace {

llvm::Error failure(const llvm::Twine &Reason) {
  return llvm::createStringError(
      "--window takes FROM:TO, as in 2s:3.5s, 10%:20% or 500ms:, with the "
      "units ns, us, ms, s, min and %, or 'all' or 'steady'; " +
      Reason);
}

struct Unit {
  StringRef Name;
  double Ns;
};
// A longer name precedes one that is its suffix.
constexpr Unit Units[] = {
    {"min", 60e9}, {"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}};

} // namespace

llvm::Expected<WindowRequest::Edge> WindowRequest::parseEdge(StringRef Text) {
  auto Number = [&](StringRef Digits) {
    double Value = 0;
    const bool Bad =
        Digits.rtrim().getAsDouble(Value) || !std::isfinite(Value) || Value < 0;
    return Bad ? std::nullopt : std::optional(Value);
  };
  StringRef Rest = Text;
  if (Rest.consume_back("%")) {
    if (std::optional<double> Value = Number(Rest); Value && *Value <= 100)
      return Edge{true, *Value / 100};
    return failure("'" + Text + "' is not a share of a recording");
  }
  for (const Unit &U : Units) {
    if (!Rest.consume_back(U.Name))
      continue;
    std::optional<double> Value = Number(Rest);
    // A century is more than any recording has.
    if (Value && *Value * U.Ns < 3e18)
      return Edge{false, *Value * U.Ns};
    return failure("'" + Text + "' is not a time");
  }
  return failure("'" + Text + "' has no unit");
}

llvm::Expected<WindowRequest> WindowRequest::parse(StringRef Text) {
  auto [First, Second] = Text.split(':');
  if (!Text.contains(':') || Second.contains(':') ||
      (First.trim().empty() && Second.trim().empty()))
    return failure("not '" + Text + "'");
  Edge Ends[] = {{true, 0}, {true, 1}};
  for (auto [Side, To] : {std::pair(First.trim(), &Ends[0]),
                          std::pair(Second.trim(), &Ends[1])}) {
    if (Side.empty())
      continue;
    llvm::Expected<Edge> Read = parseEdge(Side);
    if (!Read)
      return Read.takeError();
    *To = *Read;
  }
  if (Ends[0].IsShare == Ends[1].IsShare && Ends[0].Value >= Ends[1].Value)
    return failure("'" + Text + "' ends before it begins");
  return WindowRequest(Ends[0], Ends[1], Text);
}

llvm::Expected<Window> WindowRequest::in(const Window &Whole) const {
  const double Length = double(Whole.End - Whole.Start);
  auto Place = [&](const Edge &E) {
    return Whole.Start +
           int64_t(std::min(Length, E.IsShare ? E.Value * Length : E.Value));
  };
  Window Result{Place(From), Place(To)};
  if (Result.Start < Result.End)
    return Result;
  return llvm::createStringError(
      llvm::formatv(
          "--window={0} is outside the recording, which takes {1:F3} s", Text,
          Length / 1e9)
          .str());
}
