// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/common/Words.h"

#include "trace/timeline/PythonCode.h"

#include "llvm/Support/Path.h"

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
  double V = 0;
  llvm::StringRef(inUnit(Ns, U)).getAsDouble(V);
  return V * U.Ns;
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

std::string autoprof::analysis::duration(int64_t Ns) {
  if (!Ns)
    return "0";
  Unit U = unitFor(Ns);
  return inUnit(Ns, U) + " " + U.Name;
}

std::string autoprof::analysis::duration(const std::optional<int64_t> &Ns) {
  return Ns ? duration(*Ns) : "-";
}

std::string autoprof::analysis::durations(int64_t LowNs, int64_t HighNs) {
  Unit U = unitFor(HighNs);
  std::string Low = inUnit(LowNs, U), High = inUnit(HighNs, U);
  return (Low == High ? High : Low + " to " + High) +
         (HighNs ? std::string(" ") + U.Name : "");
}

std::string autoprof::analysis::gainInterval(int64_t LowNs, int64_t HighNs) {
  return durations(std::max<int64_t>(0, LowNs), HighNs) +
         (LowNs <= 0 && HighNs > 0 ? ", perhaps nothing" : "");
}

std::string autoprof::analysis::noMeasurableGain(int64_t MiddleNs,
                                                 int64_t HighNs,
                                                 llvm::StringRef Per) {
  if (MiddleNs <= 0)
    return fmt::format("nothing measurable (at most {}{})", duration(HighNs),
                       Per.str());
  return fmt::format("nothing measurable (about {}{}, at most {})",
                     duration(MiddleNs), Per.str(), duration(HighNs));
}

std::string autoprof::analysis::durationChange(int64_t BaseNs, int64_t NewNs) {
  Unit B = unitFor(BaseNs), N = unitFor(NewNs);
  if (B.Ns == N.Ns && BaseNs && NewNs)
    return inUnit(BaseNs, B) + " -> " + duration(NewNs);
  return duration(BaseNs) + " -> " + duration(NewNs);
}

std::string autoprof::analysis::comparedDurations(int64_t BaseNs, int64_t LowNs,
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

std::string autoprof::analysis::percent(double Part, double Whole) {
  if (Whole <= 0)
    return "-";
  double P = 100 * Part / Whole;
  if (Part == 0)
    return "0 %";
  if (P > 0 && P < 0.05)
    return "< 0.1 %";
  return fmt::format("{:.1f} %", P);
}

std::string autoprof::analysis::percents(double Low, double High,
                                         double Whole) {
  std::string L = percent(Low, Whole), H = percent(High, Whole);
  if (L == H)
    return H;
  return llvm::StringRef(L).drop_back(2).str() + " to " + H;
}

std::string autoprof::analysis::signedPercent(double Ratio) {
  std::string Text = fmt::format("{:+.1f} %", 100 * Ratio);
  // Less than this shows is neither more nor less.
  return llvm::StringRef(Text).drop_front() == "0.0 %" ? Text.substr(1) : Text;
}

std::string autoprof::analysis::plural(uint64_t N, llvm::StringRef Noun) {
  return std::to_string(N) + " " + Noun.str() + (N == 1 ? "" : "s");
}

std::string autoprof::analysis::count(uint64_t N) {
  std::string Digits = std::to_string(N), Result;
  for (size_t I = 0; I < Digits.size(); ++I) {
    if (I && (Digits.size() - I) % 3 == 0)
      Result += ',';
    Result += Digits[I];
  }
  return Result;
}

std::string autoprof::analysis::bytes(uint64_t N) {
  if (N < 1000)
    return fmt::format("{} B", N);
  if (N < 1000 * 1000)
    return fmt::format("{:.1f} kB", double(N) / 1e3);
  if (N < 1000 * 1000 * 1000)
    return fmt::format("{:.1f} MB", double(N) / 1e6);
  return fmt::format("{:.1f} GB", double(N) / 1e9);
}

std::string autoprof::analysis::pValue(double P) {
  if (P < 0.001)
    return "p < 0.001";
  if (P < 0.01)
    return "p < 0.01";
  return fmt::format("p = {:.2f}", P);
}

std::string autoprof::analysis::place(const trace::Timeline &T, uint32_t Site) {
  return place(Site == trace::None ? trace::Site() : T.Sites[Site]);
}

std::string autoprof::analysis::place(const trace::Site &S) {
  return S.Label.empty() ? place(S, PlaceDetails()) : S.Label;
}

/// "train.py:88".
static std::string lineText(llvm::StringRef File, uint32_t Line) {
  return Line ? fmt::format("{}:{}", File.str(), Line) : File.str();
}

std::string autoprof::analysis::place(const trace::Site &S,
                                      const PlaceDetails &More) {
  if (S.File.empty())
    return "(no source line)";
  llvm::StringRef Folder = llvm::sys::path::parent_path(S.File);
  for (unsigned I = 0; I < More.Folders; ++I)
    Folder = llvm::sys::path::parent_path(Folder);
  llvm::StringRef File = S.File;
  if (More.Folders)
    File = File.drop_front(Folder.size()).ltrim('/');
  else
    File = llvm::sys::path::filename(File);
  std::string Text = lineText(File, S.Line);
  if (More.Column && S.Column)
    Text += fmt::format(":{}", S.Column);
  if (More.Function && !S.Function.empty())
    Text += " " + S.Function;
  else if (trace::ownerOf(S.File) == trace::CodeOwner::Framework)
    Text += " " + S.Function.substr(S.Function.rfind('.') + 1);
  if (const auto &From = S.CalledFrom)
    Text += " (" + lineText(llvm::sys::path::filename(From->File), From->Line) +
            ")";
  return Text;
}

std::string autoprof::analysis::placeAndCall(const trace::Timeline &T,
                                             uint32_t Site,
                                             llvm::StringRef Call) {
  return placeAndCall(Site == trace::None ? trace::Site() : T.Sites[Site],
                      Call);
}

std::string autoprof::analysis::placeAndCall(const trace::Site &S,
                                             llvm::StringRef Call) {
  bool IsNamed = S.isOperator() && S.File.empty();
  const std::string Inside = S.Expression.empty() ? "" : S.Expression + " > ";
  return IsNamed ? Call.str() : place(S) + " " + Inside + Call.str();
}
