// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Fuzz.h"
#include "report/audit/AuditBaselineFile.h"

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer calls it.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  using namespace autoprof;
  llvm::StringRef Bytes(reinterpret_cast<const char *>(Data), Size);
  fuzz::isAccepted(report::readAuditBaseline(fuzz::fileWith(Bytes)));
  return 0;
}
