// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compilation/Launchers.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Path.h"

using llvm::StringRef;

namespace autoprof::sources {

static bool isLauncher(StringRef Path) {
  static const StringRef Names[] = {"ccache", "sccache",    "distcc",
                                    "icecc",  "buildcache", "autoprof-nvcc",
                                    "time",   "nice",       "env"};
  return llvm::is_contained(Names, llvm::sys::path::filename(Path));
}

/// Whether it is an assignment for env or cmake -E env: "CCACHE_DIR=/x".
static bool isAssignment(StringRef Word) {
  const size_t Equals = Word.find('=');
  return Equals != StringRef::npos && Equals > 0 && Word[0] != '-';
}

llvm::ArrayRef<std::string>
withoutLaunchers(llvm::ArrayRef<std::string> Command) {
  llvm::ArrayRef<std::string> Rest = Command;
  while (Rest.size() > 1 && (isLauncher(Rest[0]) || isAssignment(Rest[0]))) {
    StringRef Next = Rest[1];
    const bool StandsForNvcc =
        llvm::sys::path::filename(Rest[0]) == "autoprof-nvcc" &&
        (Next.starts_with("-") || Next.starts_with("@") ||
         !llvm::sys::path::extension(Next).empty());
    if (StandsForNvcc)
      break;
    Rest = Rest.drop_front();
  }
  return Rest;
}

} // namespace autoprof::sources
