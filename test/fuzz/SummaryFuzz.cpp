// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Fuzz.h"
#include "analysis/ranks/Ranks.h"
#include "report/recording/Summary.h"

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer calls it.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  using namespace autoprof;
  llvm::StringRef Bytes(reinterpret_cast<const char *>(Data), Size);
  auto Summaries = report::readSummaries(Bytes);
  if (Summaries && Summaries->size() > 1)
    analysis::compareRanks(*Summaries);
  fuzz::isAccepted(std::move(Summaries));
  return 0;
}
