// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/json/Numbers.h"

#include "llvm/ADT/StringExtras.h"

#include <cmath>

using llvm::StringRef;

std::optional<int64_t> autoprof::trace::parseInteger(StringRef Text) {
  int64_t Signed;
  if (!Text.getAsInteger(0, Signed))
    return Signed;
  // "7.0" is 7, rewritten by some script.
  auto [Whole, Fraction] = Text.split('.');
  if (!Fraction.empty() && Fraction.trim('0').empty() &&
      !Whole.getAsInteger(10, Signed))
    return Signed;
  return std::nullopt;
}

std::optional<int64_t> autoprof::trace::parseMicroseconds(StringRef Text) {
  constexpr int64_t Limit = 4'000'000'000'000'000'000; // 126 years.
  const StringRef All = Text;
  bool Negative = Text.consume_front("-");
  if (Text.empty() || !llvm::isDigit(Text[0]))
    return std::nullopt;
  int64_t Result = 0;
  int Decimals = -1; // Before the point.
  bool RoundsUp = false;
  for (char C : Text) {
    if (C == '.' && Decimals < 0) {
      Decimals = 0;
      continue;
    }
    if (!llvm::isDigit(C)) {
      double Value; // With an exponent.
      if (All.getAsDouble(Value) || !(std::abs(Value) < double(Limit) / 1e3))
        return std::nullopt;
      return std::llround(Value * 1e3);
    }
    if (Decimals >= 3) {
      RoundsUp |= Decimals == 3 && C >= '5';
      ++Decimals;
      continue;
    }
    if (Result > Limit / 10)
      return std::nullopt;
    Result = 10 * Result + (C - '0');
    Decimals += Decimals >= 0;
  }
  for (int I = std::max(Decimals, 0); I < 3; ++I) {
    if (Result > Limit / 10)
      return std::nullopt;
    Result *= 10;
  }
  Result += RoundsUp;
  return Negative ? -Result : Result;
}
