// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "trace/timeline/PythonCode.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace autoprof::trace;
using llvm::StringRef;

/// Packages that define arrays on the GPU or the operations on them.
constexpr StringRef ArrayLibraries[] = {
    "torch", "functorch", "triton", "jax",   "jaxlib",     "tensorflow",
    "cupy",  "cupyx",     "numpy",  "numba", "numba_cuda", "pycuda"};

// These only matter for relative paths, as the user's packages may have.
constexpr StringRef Frameworks[] = {
    "accelerate",  "deepspeed",  "diffusers",         "flax",         "ignite",
    "keras",       "lightning",  "lightning_fabric",  "peft",         "timm",
    "torchvision", "torchaudio", "pytorch_lightning", "transformers", "trl",
    "vllm"};
constexpr StringRef StandardLibrary[] = {
    "asyncio",         "concurrent", "contextlib", "functools", "importlib",
    "multiprocessing", "queue",      "runpy",      "selectors", "socket",
    "subprocess",      "threading",  "typing",     "weakref"};

bool autoprof::trace::isCompiledByTorch(StringRef File) {
  // "c" and the 51 digits of a hash in base 32.
  const StringRef Stem = llvm::sys::path::stem(File);
  return Stem.size() == 52 && llvm::all_of(Stem, [](char C) {
           return llvm::isLower(C) || (C >= '2' && C <= '7');
         });
}

bool autoprof::trace::isModuleCall(StringRef File) {
  return File.ends_with("torch/nn/modules/module.py");
}

CodeOwner autoprof::trace::ownerOf(StringRef File) {
  if (File.starts_with("<") || isCompiledByTorch(File))
    return CodeOwner::Core;
  bool IsInstalled = false;
  for (StringRef Folder : {"/site-packages/", "/dist-packages/"})
    if (size_t At = File.rfind(Folder); At != StringRef::npos) {
      File = File.drop_front(At + Folder.size());
      IsInstalled = true;
    }
  if (!IsInstalled && llvm::sys::path::is_absolute(File))
    return File.contains("/lib/python3") || File.contains("/lib64/python3")
               ? CodeOwner::Core
               : CodeOwner::User;
  StringRef Package = File.split('/').first;
  Package.consume_back(".py");
  if (llvm::is_contained(ArrayLibraries, Package))
    return CodeOwner::Core;
  if (IsInstalled)
    return CodeOwner::Framework;
  return llvm::is_contained(StandardLibrary, Package) ? CodeOwner::Core
         : llvm::is_contained(Frameworks, Package)    ? CodeOwner::Framework
                                                      : CodeOwner::User;
}
