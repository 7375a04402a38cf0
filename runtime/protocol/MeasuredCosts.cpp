// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/protocol/MeasuredCosts.h"

#include <cstdlib>

namespace autoprof::runtime {

std::string MeasuredCosts::text() const {
  return std::to_string(Unrecorded.Launch) + ',' +
         std::to_string(Unrecorded.Wait) + ',' +
         std::to_string(Recorded.Launch) + ',' + std::to_string(Recorded.Wait);
}

bool parseCosts(const std::string &Text, MeasuredCosts &Costs) {
  const size_t MostDigits = 12;
  MeasuredCosts Read;
  uint64_t *const Fields[] = {&Read.Unrecorded.Launch, &Read.Unrecorded.Wait,
                              &Read.Recorded.Launch, &Read.Recorded.Wait};
  size_t Begin = 0;
  for (uint64_t *Field : Fields) {
    if (Begin > Text.size())
      return false;
    const size_t Comma = Text.find(',', Begin);
    const std::string Digits = Text.substr(Begin, Comma - Begin);
    if (Digits.empty() || Digits.size() > MostDigits ||
        Digits.find_first_not_of("0123456789") != std::string::npos)
      return false;
    *Field = strtoull(Digits.c_str(), nullptr, 10);
    Begin = Comma == std::string::npos ? Text.size() + 1 : Comma + 1;
  }
  if (Begin <= Text.size() || !Read.isKnown())
    return false;
  Costs = Read;
  return true;
}

} // namespace autoprof::runtime
