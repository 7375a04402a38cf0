// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Fuzz.h"
#include "compilation/NvccArgs.h"

#include <algorithm>

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer calls it.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  using namespace autoprof;
  std::string Text(reinterpret_cast<const char *>(Data), Size);
  // Files of options are the user's own: no search for /dev/zero.
  std::replace(Text.begin(), Text.end(), '/', '_');
  fuzz::isAccepted(
      sources::readNvcc(sources::splitWords(Text), "/nonexistent"));
  return 0;
}
