// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/json/Numbers.h"

#include "llvm/ADT/STLExtras.h"
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
  constexpr int64_t Limit = 4'000'000'000'000'000; // 126 years.
  auto [Whole, Fraction] = Text.split('.');
  int64_t Microseconds;
  if (Whole.getAsInteger(10, Microseconds) ||
      !llvm::all_of(Fraction, llvm::isDigit)) {
    double Value; // With an exponent.
    if (Whole.empty() || Text.getAsDouble(Value) ||
        !(std::abs(Value) < double(Limit)))
      return std::nullopt;
    return std::llround(Value * 1e3);
  }
  if (Microseconds >= Limit || Microseconds <= -Limit)
    return std::nullopt;
  int64_t Decimals = 0; // Four: the last one rounds.
  for (size_t I = 0; I < 4; ++I)
    Decimals = 10 * Decimals + (I < Fraction.size() ? Fraction[I] - '0' : 0);
  const int64_t Ns = (Decimals + 5) / 10;
  return Microseconds * 1000 + (Whole.starts_with("-") ? -Ns : Ns);
}
