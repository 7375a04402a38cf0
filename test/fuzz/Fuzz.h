// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef AUTOPROF_TEST_FUZZ_FUZZ_H
#define AUTOPROF_TEST_FUZZ_FUZZ_H

#include "analysis/Analysis.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"

#include <cstdlib>

namespace autoprof::fuzz {

/// How many inputs could be read, so that a replay shows that it tried the
/// readers and not only what stands in front of them.
inline unsigned Accepted = 0;

/// For readers whose results hold nothing that must fit together.
template <typename Result> bool isAccepted(llvm::Expected<Result> R) {
  if (!R) {
    llvm::consumeError(R.takeError());
    return false;
  }
  ++Accepted;
  return true;
}

/// Aborts where a reader breaks what every analysis relies on: indices lie in
/// their tables, slices are sorted and end after they start. Then analyses it:
/// times and numbers are the file's.
inline void use(llvm::Expected<trace::Timeline> T) {
  if (!T) {
    llvm::consumeError(T.takeError());
    return;
  }
  ++Accepted;
  auto Check = [](bool Holds) {
    if (!Holds)
      abort();
  };
  const trace::HostEvents &H = T->Host;
  for (size_t I = 0; I < H.size(); ++I) {
    Check(H.Start[I] <= H.End[I] && (!I || H.Start[I - 1] <= H.Start[I]));
    Check(H.Name[I] < T->Strings.size() && H.Thread[I] < T->Threads.size());
    Check(H.Site[I] == trace::None || H.Site[I] < T->Sites.size());
  }
  const trace::GpuOps &O = T->Ops;
  for (size_t I = 0; I < O.size(); ++I) {
    Check(O.Start[I] <= O.End[I] && (!I || O.Start[I - 1] <= O.Start[I]));
    Check(O.Queue[I] < T->Queues.size() && O.Stage[I] < T->Stages.size());
    Check(O.Launch[I] == trace::None || O.Launch[I] < H.size());
  }
  llvm::consumeError(analysis::analyse(*T).takeError());
}

/// The path of a file with these bytes, for readers that want one. The next
/// call replaces it.
inline llvm::StringRef fileWith(llvm::StringRef Bytes) {
  static llvm::SmallString<128> Path;
  if (Path.empty() &&
      llvm::sys::fs::createTemporaryFile("autoprof-fuzz", "", Path))
    abort();
  static llvm::FileRemover Remover(Path);
  std::error_code E;
  llvm::raw_fd_ostream File(Path, E);
  File << Bytes;
  File.close();
  if (E || File.has_error())
    abort();
  return Path;
}

} // namespace autoprof::fuzz

#endif // AUTOPROF_TEST_FUZZ_FUZZ_H
