// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every function that a case calls is in the library of the toolkit that
// autoprof was built with. Needs no GPU.
#include "calibrate/Library.h"

#include <gtest/gtest.h>

#include <cuda_runtime_api.h>
#include <dlfcn.h>

using namespace autoprof::calibrate;

namespace {

/// Null: the toolkit does not have the library.
void *openInToolkit(const Library &L) {
  for (const char *File : L.Files)
    for (const char *Folder : {"/", "/stubs/"})
      if (void *H =
              dlopen((std::string(AUTOPROF_CUDA_LIB) + Folder + File).c_str(),
                     RTLD_LAZY))
        return H;
  // The driver's stub has no version in its name.
  return dlopen(
      (std::string(AUTOPROF_CUDA_LIB) + "/stubs/lib" + L.Name.str() + ".so")
          .c_str(),
      RTLD_LAZY);
}

} // namespace

TEST(Symbols, AreInTheLibrariesOfTheToolkit) {
  unsigned Checked = 0;
  for (const Library &L : libraries()) {
    void *Handle = openInToolkit(L);
    if (!Handle)
      continue;
    for (const Symbol *S = symbols(); S; S = S->Next)
      if (libraryOf(S->Name) == &L) {
        EXPECT_NE(dlsym(Handle, S->Name), nullptr) << S->Name;
        ++Checked;
      }
  }
  // At least those of driver and runtime, without which autoprof is not built.
  EXPECT_GT(Checked, 100u);
}

TEST(Symbols, BelongToTheLibraryWithTheLongestPrefix) {
  EXPECT_EQ(libraryOf("cuMemAlloc_v2")->Name, "cuda");
  EXPECT_EQ(libraryOf("cudaMalloc")->Name, "cudart");
  EXPECT_EQ(libraryOf("cudnnCreate")->Name, "cudnn");
  EXPECT_EQ(libraryOf("cublasSdot_v2")->Name, "cublas");
  EXPECT_EQ(libraryOf("ncclAllReduce")->Name, "nccl");
  EXPECT_EQ(libraryOf("printf"), nullptr);
}

TEST(Symbols, FailuresAreNamedAsTheLibraryNamesThem) {
  if (std::string Why = open(*libraryNamed("cudart")); !Why.empty())
    GTEST_SKIP() << Why;
  clearFailure();
  // Without a driver, too, it is an error.
  CALL(cudaSetDevice)(-1);
  EXPECT_TRUE(failure().starts_with("cudaSetDevice: cudaError"))
      << failure().str();
  clearFailure();
}
