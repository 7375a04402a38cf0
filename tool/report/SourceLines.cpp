// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/SourceLines.h"

using namespace autoprof;
using llvm::StringRef;

llvm::ArrayRef<StringRef> report::SourceLines::lines(StringRef Path) {
  auto [It, New] = Known.try_emplace(Path);
  File &F = It->second;
  if (New)
    if (auto Text = llvm::MemoryBuffer::getFile(Path)) {
      F.Text = std::move(*Text);
      llvm::SmallVector<StringRef, 0> Parts;
      F.Text->getBuffer().split(Parts, '\n');
      for (StringRef Part : Parts)
        F.Lines.push_back(Part.rtrim('\r'));
    }
  return F.Lines;
}

StringRef report::SourceLines::line(StringRef Path, unsigned Number) {
  llvm::ArrayRef<StringRef> All = lines(Path);
  return Number && Number <= All.size() ? All[Number - 1] : StringRef();
}
