// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "catalogue/LibraryTraits.h"

#include "llvm/ADT/STLExtras.h"

using llvm::StringRef;

namespace autoprof::catalogue {

llvm::ArrayRef<LibraryTraits> libraryTraits() {
  static constexpr LibraryTraits Rows[] = {
#define TRAITS(NAME, SPACE, PATH, DOMAIN, WORK)                                \
  {NAME, SPACE, PATH, DOMAIN, LibraryWork::WORK},
#include "catalogue/LibraryTraits.def"
#undef TRAITS
  };
  return Rows;
}

bool queuesKernels(StringRef Library) {
  return llvm::any_of(libraryTraits(), [Library](const LibraryTraits &L) {
    return L.Name == Library && L.Work != LibraryWork::None;
  });
}

bool isLibraryRange(StringRef Domain, StringRef Name) {
  // XLA marks the parts of compilations, what it tries there, the operations of
  // a program, and its runs (JAX: those of a jitted function).
  if (Domain == "TSL")
    return !Name.starts_with("XlaModule:") || !Name.contains("program_id=");
  // Newer NVIDIA libraries also use names with cu: cuVS, libcudf.
  return Domain.starts_with_insensitive("cu") ||
         Domain.starts_with_insensitive("libcu") ||
         llvm::any_of(libraryTraits(), [=](const LibraryTraits &L) {
           return (!L.Domain.empty() && L.Domain == Domain) ||
                  (L.Work == LibraryWork::Collectives &&
                   Name.starts_with(L.Name.str() + ":"));
         });
}

bool isCollective(StringRef Kernel) {
  return llvm::any_of(libraryTraits(), [Kernel](const LibraryTraits &L) {
    return L.Work == LibraryWork::Collectives &&
           Kernel.contains_insensitive(L.Name);
  });
}

} // namespace autoprof::catalogue
