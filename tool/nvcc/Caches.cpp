// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nvcc/Caches.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <cstdlib>
#include <unistd.h>

using llvm::StringRef;

namespace autoprof::sources {

std::string cacheAbove() {
  llvm::SmallString<256> Program;
  if (llvm::sys::fs::real_path("/proc/" + llvm::Twine(getppid()) + "/exe",
                               Program))
    return "";
  const StringRef Name = llvm::sys::path::filename(Program);
  for (StringRef Cache : {"ccache", "sccache", "buildcache"})
    if (Name.starts_with(Cache))
      return Cache.str();
  return "";
}

bool isLeftToUsByCcache() {
  // ccache sets this for everything that it starts.
  return std::getenv("UNCACHED_ERR_FD") && cacheAbove().empty();
}

} // namespace autoprof::sources
