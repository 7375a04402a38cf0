// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/probes/Roctx.h"

#include <dlfcn.h>

namespace autoprof::runtime {

/// Returns a library that the program opened itself, or null, for which dlsym
/// searches the libraries that are linked or preloaded (RTLD_DEFAULT is null).
static void *openRoctx() {
  static const char *const Names[] = {
      "librocprofiler-sdk-roctx.so.1", "librocprofiler-sdk-roctx.so.0",
      "librocprofiler-sdk-roctx.so", "libroctx64.so.4", "libroctx64.so"};
  if (!dlsym(RTLD_DEFAULT, "roctxRangePushA"))
    for (const char *Name : Names)
      if (void *Library = dlopen(Name, RTLD_LAZY | RTLD_NOLOAD))
        return Library;
  return RTLD_DEFAULT;
}

template <class Function>
static bool find(void *Library, const char *Name, Function *&Result) {
  Result = reinterpret_cast<Function *>(dlsym(Library, Name));
  return Result != nullptr;
}

static bool load(Roctx &Result) {
  void *Library = openRoctx();
  return find(Library, "roctxRangePushA", Result.Push) &&
         find(Library, "roctxRangePop", Result.Pop) &&
         find(Library, "roctxMarkA", Result.Mark) &&
         find(Library, "roctxRangeStartA", Result.Start) &&
         find(Library, "roctxRangeStop", Result.Stop);
}

const Roctx *findRoctx() {
  static Roctx Functions;
  static const bool Found = load(Functions);
  return Found ? &Functions : nullptr;
}

} // namespace autoprof::runtime
