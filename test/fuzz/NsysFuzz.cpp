// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Fuzz.h"
#include "trace/nsys/NsysReader.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer calls it.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  using namespace autoprof;
  // SQLite wants a file with a name.
  static llvm::SmallString<128> Path;
  if (Path.empty() &&
      llvm::sys::fs::createTemporaryFile("autoprof-fuzz", "sqlite", Path))
    abort();
  static llvm::FileRemover Remover(Path);
  std::error_code E;
  llvm::raw_fd_ostream File(Path, E);
  File << llvm::StringRef(reinterpret_cast<const char *>(Data), Size);
  File.close();
  if (E || File.has_error())
    abort();
  fuzz::use(trace::readNsys(Path));
  return 0;
}
