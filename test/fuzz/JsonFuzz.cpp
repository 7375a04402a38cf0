// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Fuzz.h"
#include "trace/Readers.h"

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer calls it.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  using namespace autoprof;
  llvm::StringRef Bytes(reinterpret_cast<const char *>(Data), Size);
  fuzz::use(trace::readKineto(trace::readerOf(Bytes)));
  return 0;
}
