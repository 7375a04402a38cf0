// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/WindowRequest.h"

#include "llvm/Support/FormatVariadic.h"

#include <algorithm>

using namespace autoprof::trace;
using llvm::StringRef;

namespace {

llvm::Error failure(const llvm::Twine &Reason) {
  return llvm::createStringError(
      "--window takes FROM:TO, as in 2s:3.5s, 10%:20% or 500ms:, with the "
      "units ns, us, ms, s, min and %; " +
      Reason);
}

} // namespace

llvm::Expected<WindowRequest::Edge> WindowRequest::parseEdge(StringRef Text) {
  // A longer name precedes one that is its suffix.
  constexpr std::pair<StringRef, double> Units[] = {{"%", 0.01}, {"min", 60e9},
                                                    {"ns", 1},   {"us", 1e3},
                                                    {"ms", 1e6}, {"s", 1e9}};
  for (auto [Name, Factor] : Units) {
    StringRef Digits = Text;
    if (!Digits.consume_back(Name))
      continue;
    const bool IsShare = Name == "%";
    // A century is more than any recording has.
    const double Most = IsShare ? 100 : 3e18 / Factor;
    double Value = 0;
    if (Digits.rtrim().getAsDouble(Value) || !(Value >= 0) || Value > Most)
      return failure(
          "'" + Text +
          (IsShare ? "' is not a share of a recording" : "' is not a time"));
    return Edge{IsShare, Value * Factor};
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
