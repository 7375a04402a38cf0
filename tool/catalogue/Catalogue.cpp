// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "catalogue/Catalogue.h"
#include "catalogue/Table.h"

#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <iterator>

using namespace autoprof::catalogue;
using llvm::StringRef;

namespace {

/// The general rows, by name.
using Index = std::vector<const Row *>;

bool isBefore(const Row *R, StringRef Name) { return R->Name < Name; }

/// Most names that are looked up belong to no family: a short list keeps the
/// search fast.
Index families() {
  Index Result;
  for (const Row &R : Table)
    if (R.General && R.Name.ends_with("*"))
      Result.push_back(&R);
  return Result;
}

Index sortByName() {
  Index Result;
  for (const Row &R : Table)
    if (R.General)
      Result.push_back(&R);
  std::sort(Result.begin(), Result.end(),
            [](const Row *A, const Row *B) { return A->Name < B->Name; });
  return Result;
}

const Row *find(const Index &ByName, StringRef Name) {
  auto It = std::lower_bound(ByName.begin(), ByName.end(), Name, isBefore);
  return It != ByName.end() && (*It)->Name == Name ? *It : nullptr;
}

/// The family with the longest prefix of `Name`.
const Row *findFamily(const Index &Families, StringRef Name) {
  const Row *Best = nullptr;
  for (const Row *R : Families)
    if (Name.starts_with(R->Name.drop_back()) &&
        (!Best || R->Name.size() > Best->Name.size()))
      Best = R;
  return Best;
}

/// cuda.h, cublas_v2.h and per-thread default streams rename functions by
/// macro, and CUPTI adds the version an entry point appeared in.
bool dropVersion(StringRef &Name) {
  size_t Digits = 0;
  while (Digits < Name.size() && llvm::isDigit(Name[Name.size() - 1 - Digits]))
    ++Digits;
  StringRef Stem = Name.drop_back(Digits);
  return Digits && Stem.consume_back("_v") && (Name = Stem, true);
}

StringRef withoutSuffixes(StringRef Name) {
  while (Name.consume_back("_ptds") || Name.consume_back("_ptsz") ||
         Name.consume_back("_64") || dropVersion(Name)) {
  }
  return Name;
}

} // namespace

const Row *autoprof::catalogue::lookup(StringRef Name) {
  static const Index ByName = sortByName(), Families = families();
  Name = withoutSuffixes(Name);
  if (const Row *R = find(ByName, Name))
    return R;
  return findFamily(Families, Name);
}

llvm::ArrayRef<Row> autoprof::catalogue::rows() { return Table; }

llvm::ArrayRef<Row> autoprof::catalogue::conditional(const Row &General) {
  const Row *Begin = &General + 1;
  return {Begin, std::find_if(Begin, std::end(Table),
                              [](const Row &R) { return R.General; })};
}

StringRef autoprof::catalogue::name(CallClass C) {
  constexpr llvm::StringLiteral Names[] = {"launch", "copy", "set",   "sync",
                                           "alloc",  "free", "query", "other"};
  return Names[unsigned(C)];
}

StringRef autoprof::catalogue::name(Waits W) {
  constexpr llvm::StringLiteral Names[] = {"no", "yes", "maybe", "slow"};
  return Names[unsigned(W)];
}

StringRef autoprof::catalogue::name(WaitsFor W) {
  constexpr llvm::StringLiteral Names[] = {"nothing", "stream", "event",
                                           "device"};
  return Names[unsigned(W)];
}

std::string autoprof::catalogue::withoutTemplateArguments(StringRef Name) {
  std::string Result;
  unsigned Depth = 0;
  for (char C : Name) {
    Depth += C == '<';
    if (!Depth)
      Result += C;
    Depth -= C == '>' && Depth;
  }
  return Result;
}

StringRef autoprof::catalogue::libraryTitle(StringRef Library) {
  constexpr std::pair<llvm::StringLiteral, llvm::StringLiteral> Titles[] = {
      {"cudart", "CUDA runtime"},
      {"cuda", "CUDA driver"},
      {"cublas", "cuBLAS"},
      {"cufft", "cuFFT"},
      {"cusolver", "cuSOLVER"},
      {"cusparse", "cuSPARSE"},
      {"curand", "cuRAND"},
      {"cudnn", "cuDNN"},
      {"nccl", "NCCL"},
      {"nvtx", "NVTX"},
      {"thrust", "Thrust"},
      {"cub", "CUB"},
      {"libcudacxx", "libcu++"},
      {"libtorch", "PyTorch C++ (libtorch)"},
      {"kokkos", "Kokkos"},
      {"rmm", "RMM"},
      {"opencv_cuda", "OpenCV CUDA"},
      {"hipblas", "hipBLAS"},
      {"hip", "HIP runtime"}};
  for (const auto &[Name, Title] : Titles)
    if (Library == Name)
      return Title;
  return Library;
}
