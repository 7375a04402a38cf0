// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers as people read them: three significant digits and a unit.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
#include <string>

namespace autoprof {

/// 850 -> "850 ns", 4820000 -> "4.82 ms", 0 -> "0".
std::string duration(int64_t Ns);
/// The same, and "-" for an unknown value.
std::string duration(const std::optional<int64_t> &Ns);
/// Two durations in one unit: "1.2 to 3.4 ms"; one when they read the same.
std::string durations(int64_t LowNs, int64_t HighNs);
/// What a gain lies between: "0.30 to 1.30 ms". An end of less than nothing
/// reads as "0": "0 to 9.74 us, perhaps nothing".
std::string gainInterval(int64_t LowNs, int64_t HighNs);

/// Of a gain that runs with and without the change do not show: "nothing
/// measurable (about 3 us per step, at most 90 us)". `Per`: " per step"
/// or "".
std::string noMeasurableGain(int64_t MiddleNs, int64_t HighNs,
                             llvm::StringRef Per);
/// 5100000, 4820000 -> "5.10 -> 4.82 ms".
std::string durationChange(int64_t BaseNs, int64_t NewNs);
/// 151900, 125400, 125400 -> "151.9 -> 125.4 us", next to which "-17.4 %" is
/// printed: with so many digits that it follows.
std::string comparedDurations(int64_t BaseNs, int64_t LowNs, int64_t HighNs);

/// 0.0551 -> "5.5 %", 0 -> "0 %"; tiny but not zero: "< 0.1 %". Of 0 things:
/// "-".
std::string percent(double Part, double Whole);
/// Two shares: "3.6 to 5.3 %"; one when they read the same.
std::string percents(double Low, double High, double Whole);
/// -0.0551 -> "-5.5 %", 0.0551 -> "+5.5 %", -0.0001 -> "0.0 %".
std::string signedPercent(double Ratio);
/// 1234567 -> "1,234,567".
std::string count(uint64_t N);
/// "1 run", "1234 runs".
std::string plural(uint64_t N, llvm::StringRef Noun);
/// 3100000 -> "3.1 MB".
std::string bytes(uint64_t N);
/// "p < 0.001", "p = 0.03".
std::string pValue(double P);

} // namespace autoprof
