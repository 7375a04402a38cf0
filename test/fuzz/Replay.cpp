// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stands in for libFuzzer: feeds the files it is given to the target, each as
// it is, then cut off and with bytes changed, always in the same way.
#include "Fuzz.h"

#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <random>

// NOLINTNEXTLINE(readability-identifier-naming): libFuzzer calls it.
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size);

static void feed(llvm::StringRef Bytes) {
  LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t *>(Bytes.data()),
                         Bytes.size());
}

/// Variants of one file, fewer of large ones.
static void feedVariants(llvm::StringRef Bytes) {
  feed(Bytes);
  std::mt19937 Random(unsigned(Bytes.size()));
  const size_t Variants = Bytes.size() > 100'000 ? 20 : 200;
  for (size_t I = 0; I < Variants && !Bytes.empty(); ++I) {
    feed(Bytes.take_front(Random() % Bytes.size()));
    std::string Changed = Bytes.str();
    for (unsigned Changes = 1 + Random() % 8; Changes; --Changes)
      Changed[Random() % Changed.size()] = char(Random());
    feed(Changed);
  }
}

int main(int Argc, char **Argv) {
  for (int I = 1; I < Argc; ++I) {
    auto File = llvm::MemoryBuffer::getFile(Argv[I]);
    if (!File) {
      llvm::errs() << Argv[I] << ": " << File.getError().message() << '\n';
      return 2;
    }
    feedVariants((*File)->getBuffer());
  }
  llvm::outs() << "survived " << Argc - 1 << " files and their variants, of "
               << "which " << autoprof::fuzz::Accepted << " could be read\n";
  return 0;
}
