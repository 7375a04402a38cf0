// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "report/SourceLines.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace autoprof;
using llvm::StringRef;

/// sources::isSource() asks clang, which reports do without.
static bool isNamedAsSource(StringRef Path) {
  constexpr StringRef Endings[] = {".py",  ".pyx", ".cu",  ".cuh", ".c",
                                   ".cc",  ".cpp", ".cxx", ".h",   ".hh",
                                   ".hpp", ".hxx", ".inc", ".inl"};
  return llvm::is_contained(Endings, llvm::sys::path::extension(Path).lower());
}

llvm::ArrayRef<StringRef> report::SourceLines::lines(StringRef Path) {
  auto [It, New] = Known.try_emplace(Path);
  File &F = It->second;
  // Devices have no end.
  if (New && llvm::sys::fs::is_regular_file(Path) &&
      (!FromTrace || isNamedAsSource(Path)))
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
