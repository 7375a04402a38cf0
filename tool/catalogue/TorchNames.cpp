// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "catalogue/TorchNames.h"

using namespace autoprof::catalogue;
using llvm::StringRef;

static constexpr TorchName Names[] = {
#define AUTOPROF_TORCH(TRACED, NAME, CALL, ADVICE) {TRACED, NAME, CALL, ADVICE},
#include "catalogue/torch.def"
#undef AUTOPROF_TORCH
};

static const TorchName *byTraced(StringRef Traced) {
  for (const TorchName &N : Names)
    if (N.Traced == Traced && !Traced.empty())
      return &N;
  return nullptr;
}

const TorchName *autoprof::catalogue::torchNameIn(StringRef Traced) {
  while (!Traced.empty()) {
    auto [First, Rest] = Traced.split(" > ");
    if (const TorchName *N = byTraced(First))
      return N;
    Traced = Rest;
  }
  return nullptr;
}

const TorchName *autoprof::catalogue::findTorchName(StringRef Asked) {
  if (Asked.starts_with("aten::"))
    return byTraced(Asked);
  Asked.consume_front("torch.");
  for (const TorchName &N : Names) {
    StringRef Name = N.Name;
    Name.consume_front("torch.");
    if (!Name.empty() && Name == Asked)
      return &N;
    // "Tensor.to/.cpu/.cuda": all but the first also have their own row.
    if (Name.contains('/') && Name.split('/').first == Asked)
      return &N;
  }
  return nullptr;
}
