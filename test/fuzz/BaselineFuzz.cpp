// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Fuzz.h"
#include "report/check/BaselineFile.h"
#include "report/compare/TrialsFile.h"

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer calls it.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  using namespace autoprof;
  llvm::StringRef Bytes(reinterpret_cast<const char *>(Data), Size);
  const llvm::StringRef File = fuzz::fileWith(Bytes);
  fuzz::isAccepted(report::readBaseline(File));
  fuzz::isAccepted(report::readTrials(File));
  return 0;
}
