// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "catalogue/HipNames.h"

#include "catalogue/Catalogue.h"

#include "llvm/ADT/StringExtras.h"

using llvm::StringRef;

namespace autoprof::catalogue {

namespace {

struct Pair {
  llvm::StringLiteral Hip, Cuda;
};

/// Names that differ in more than the prefix. If one CUDA name has several, the
/// advice uses the first.
constexpr Pair Renamed[] = {
    {"hipHostMalloc", "cudaMallocHost"},
    {"hipHostFree", "cudaFreeHost"},
    {"hipLaunchKernelGGL", "cudaLaunchKernel"},
    {"hipMemAllocHost", "cuMemAllocHost"},
    {"hipModuleLaunchKernel", "cuLaunchKernel"},
    {"hipMemsetD8", "cuMemsetD8"},
};

constexpr Pair Prefixes[] = {
    {"hipblas", "cublas"}, {"hip", "cuda"}, {"hip", "cu"}};

/// The exact name of a call in the catalogue, or "".
StringRef known(const std::string &Name) {
  const Row *R = lookup(Name);
  return R && R->Name == Name ? StringRef(R->Name) : StringRef();
}

std::string hipName(StringRef Word) {
  for (const Pair &P : Renamed)
    if (Word == P.Cuda)
      return P.Hip.str();
  for (const Pair &P : Prefixes)
    if (StringRef Rest = Word; Rest.consume_front(P.Cuda) && !Rest.empty() &&
                               (llvm::isUpper(Rest[0]) || Rest[0] == '_'))
      return (P.Hip + Rest).str();
  if (StringRef Rest = Word; Rest.consume_front("CUBLAS_"))
    return ("HIPBLAS_" + Rest).str();
  return Word.str();
}

} // namespace

StringRef cudaName(StringRef Name) {
  if (!Name.starts_with("hip"))
    return Name;
  for (const Pair &P : Renamed)
    if (Name == P.Hip)
      return P.Cuda;
  for (const Pair &P : Prefixes)
    if (StringRef Rest = Name; Rest.consume_front(P.Hip))
      if (StringRef Same = known((P.Cuda + Rest).str()); !Same.empty())
        return Same;
  return Name;
}

std::string inHipNames(StringRef Text) {
  std::string Result;
  auto IsWord = [](char C) { return llvm::isAlnum(C) || C == '_'; };
  while (!Text.empty()) {
    const StringRef Word = Text.take_while(IsWord);
    Result += hipName(Word);
    Text = Text.drop_front(Word.size());
    const StringRef Between = Text.take_until(IsWord);
    Result += Between;
    Text = Text.drop_front(Between.size());
  }
  return Result;
}

} // namespace autoprof::catalogue
