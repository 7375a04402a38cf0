// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Fuzz.h"
#include "config/Config.h"

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer calls it.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  using namespace autoprof;
  llvm::StringRef Bytes(reinterpret_cast<const char *>(Data), Size);
  Config Read;
  if (llvm::Error E = parseConfig(Bytes, "file", Read))
    llvm::consumeError(std::move(E));
  else
    ++fuzz::Accepted;
  return 0;
}
