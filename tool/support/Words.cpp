// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/Words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

using namespace autoprof;

namespace {

struct Unit {
  const char *Name;
  double Ns;
};

Unit unitFor(int64_t Ns) {
  // 999.6 us would read as 1000 us: units change where rounding does.
  double Size = std::abs(double(Ns));
  if (Size < 999.5)
    return {"ns", 1};
  if (Size < 999.5e3)
    return {"us", 1e3};
  if (Size < 999.5e6)
    return {"ms", 1e6};
  return {"s", 1e9};
}

/// Three significant digits, whole from 100 on, and `More`; whole nanoseconds.
std::string inUnit(int64_t Ns, Unit U, int More = 0) {
  double V = double(Ns) / U.Ns;
  if (!Ns || U.Ns == 1)
    return fmt::format("{:.0f}", V);
  double Size = std::abs(V);
  int Digits = Size < 9.995 ? 2 : Size < 99.95 ? 1 : 0;
  return fmt::format("{:.{}f}", V, Digits + More);
}

/// What a reader takes the value for.
double asRead(int64_t Ns) {
  const Unit U = unitFor(Ns);
  return std::strtod(inUnit(Ns, U).c_str(), nullptr) * U.Ns;
}

/// Whether the two need one more digit for the change of a value in percent to
/// follow from them as it is printed.
bool needMoreDigits(int64_t BaseNs, int64_t NewNs) {
  auto Percent = [](double Base, double New) {
    return fmt::format("{:.1f}", 100 * (New / Base - 1));
  };
  return BaseNs > 0 && Percent(asRead(BaseNs), asRead(NewNs)) !=
                           Percent(double(BaseNs), double(NewNs));
}

} // namespace

std::string autoprof::duration(int64_t Ns) {
  if (!Ns)
    return "0";
  Unit U = unitFor(Ns);
  return inUnit(Ns, U) + " " + U.Name;
}

std::string autoprof::duration(const std::optional<int64_t> &Ns) {
  return Ns ? duration(*Ns) : "-";
}

std::string autoprof::durations(int64_t LowNs, int64_t HighNs) {
  Unit U = unitFor(HighNs);
  std::string Low = inUnit(LowNs, U), High = inUnit(HighNs, U);
  return (Low == High ? High : Low + " to " + High) +
         (HighNs ? std::string(" ") + U.Name : "");
}

std::string autoprof::gainInterval(int64_t LowNs, int64_t HighNs) {
  return durations(std::max<int64_t>(0, LowNs), HighNs) +
         (LowNs <= 0 && HighNs > 0 ? ", perhaps nothing" : "");
}

std::string autoprof::noMeasurableGain(int64_t MiddleNs, int64_t HighNs,
                                       llvm::StringRef Per) {
  if (MiddleNs <= 0)
    return fmt::format("nothing measurable (at most {}{})", duration(HighNs),
                       Per.str());
  return fmt::format("nothing measurable (about {}{}, at most {})",
                     duration(MiddleNs), Per.str(), duration(HighNs));
}

std::string autoprof::durationChange(int64_t BaseNs, int64_t NewNs) {
  Unit B = unitFor(BaseNs), N = unitFor(NewNs);
  if (B.Ns == N.Ns && BaseNs && NewNs)
    return inUnit(BaseNs, B) + " -> " + duration(NewNs);
  return duration(BaseNs) + " -> " + duration(NewNs);
}

std::string autoprof::comparedDurations(int64_t BaseNs, int64_t LowNs,
                                        int64_t HighNs) {
  const int More =
      needMoreDigits(BaseNs, LowNs) || needMoreDigits(BaseNs, HighNs);
  const Unit B = unitFor(BaseNs), N = unitFor(HighNs);
  const std::string Low = inUnit(LowNs, N, More),
                    High = inUnit(HighNs, N, More);
  return inUnit(BaseNs, B, More) +
         (BaseNs && (B.Ns != N.Ns || !HighNs) ? std::string(" ") + B.Name
                                              : "") +
         " -> " + (Low == High ? High : Low + " to " + High) +
         (HighNs ? std::string(" ") + N.Name : "");
}

std::string autoprof::percent(double Part, double Whole) {
  if (Whole <= 0)
    return "-";
  double P = 100 * Part / Whole;
  if (Part == 0)
    return "0 %";
  if (P > 0 && P < 0.05)
    return "< 0.1 %";
  return fmt::format("{:.1f} %", P);
}

std::string autoprof::percents(double Low, double High, double Whole) {
  std::string L = percent(Low, Whole), H = percent(High, Whole);
  if (L == H)
    return H;
  return llvm::StringRef(L).drop_back(2).str() + " to " + H;
}

std::string autoprof::signedPercent(double Ratio) {
  std::string Text = fmt::format("{:+.1f} %", 100 * Ratio);
  // Less than this shows is neither more nor less.
  return llvm::StringRef(Text).drop_front() == "0.0 %" ? Text.substr(1) : Text;
}

std::string autoprof::plural(uint64_t N, llvm::StringRef Noun) {
  return std::to_string(N) + " " + Noun.str() + (N == 1 ? "" : "s");
}

std::string autoprof::count(uint64_t N) {
  std::string Digits = std::to_string(N), Result;
  for (size_t I = 0; I < Digits.size(); ++I) {
    if (I && (Digits.size() - I) % 3 == 0)
      Result += ',';
    Result += Digits[I];
  }
  return Result;
}

std::string autoprof::bytes(uint64_t N) {
  if (N < 1000)
    return fmt::format("{} B", N);
  if (N < 1000 * 1000)
    return fmt::format("{:.1f} kB", double(N) / 1e3);
  if (N < 1000 * 1000 * 1000)
    return fmt::format("{:.1f} MB", double(N) / 1e6);
  return fmt::format("{:.1f} GB", double(N) / 1e9);
}

std::string autoprof::pValue(double P) {
  if (P < 0.001)
    return "p < 0.001";
  if (P < 0.01)
    return "p < 0.01";
  return fmt::format("p = {:.2f}", P);
}
