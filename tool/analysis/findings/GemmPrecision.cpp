// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/common/KernelName.h"
#include "analysis/findings/Scene.h"

#include <fmt/format.h>

using namespace autoprof;
using namespace autoprof::analysis;

namespace {

enum class Precision { Unknown, Half, Tf32, Single };

bool containsAny(llvm::StringRef Name,
                 std::initializer_list<llvm::StringLiteral> Words) {
  for (llvm::StringLiteral Word : Words)
    if (Name.contains_insensitive(Word))
      return true;
  return false;
}

/// By the names that cuBLAS and CUTLASS give their kernels: "s16816gemm" is the
/// tensor cores' instruction for half precision, "s1688gemm" that for TF32 (or
/// for half precision, if "f16" or "_h" is in the name, too); "sgemm" and
/// "ffma" run on the CUDA cores.
Precision precisionOf(llvm::StringRef Name) {
  if (containsAny(Name, {"16816", "884", "bf16", "f16", "__half", "hgemm",
                         "half_t", "bfloat16", "e4m3", "e5m2"}) ||
      Name.starts_with("nvjet_h") || Name.starts_with("nvjet_t"))
    return Precision::Half;
  if (containsAny(Name, {"tf32", "s1688gemm"}))
    return Precision::Tf32;
  if (containsAny(Name, {"sgemm", "ffma"}))
    return Precision::Single;
  return Precision::Unknown;
}

/// Whether a kernel multiplies matrices, by cuBLAS's and CUTLASS's names; nvjet
/// is cuBLAS 13's own.
bool isGemm(llvm::StringRef Kernel) {
  return Kernel.contains_insensitive("gemm") || Kernel.starts_with("nvjet");
}

struct Gemms {
  int64_t Half = 0, Tf32 = 0, Single = 0; ///< ns
  std::string Slowest; ///< Of the last two; names come by total.
};

Gemms collect(const Scene &S) {
  Gemms Sum;
  for (const KernelRow &Row : S.R.Kernels) {
    if (Row.Kind != trace::OpKind::Kernel || !S.time(Row) || !isGemm(Row.Name))
      continue;
    Precision P = precisionOf(Row.Name);
    if (P == Precision::Half)
      Sum.Half += S.time(Row);
    else if (P == Precision::Tf32)
      Sum.Tf32 += S.time(Row);
    else if (P == Precision::Single)
      Sum.Single += S.time(Row);
    if ((P == Precision::Tf32 || P == Precision::Single) && Sum.Slowest.empty())
      Sum.Slowest = Row.Name;
  }
  return Sum;
}

/// Whether single precision is slow there: tensor cores take TF32 from compute
/// capability 8.0 on.
bool hasTf32(const Scene &S) {
  for (const trace::Device &D : S.T.Devices)
    if (D.ComputeMajor < 8)
      return false;
  return !S.T.Devices.empty();
}

} // namespace

void autoprof::analysis::findGemmPrecision(const Scene &S,
                                           std::vector<Finding> &Found) {
  Gemms G = collect(S);
  int64_t Slow = G.Tf32 + G.Single;
  // Either half precision is in use, so more of it was likely intended; or
  // there is only single precision on the CUDA cores, for most of the time.
  bool Mixed = 100 * G.Half >= S.Span && 10 * Slow >= S.Span;
  bool Single = !G.Half && !G.Tf32 && 2 * G.Single >= S.Span && hasTf32(S);
  if (!Mixed && !Single)
    return;
  Finding F;
  F.Severity = Mixed ? Severity::Warning : Severity::Note;
  std::string Longest = shortName(G.Slowest);
  F.Message =
      Mixed
          ? fmt::format("Matrix products in single precision or TF32, such as "
                        "{}, take {}, while others run in half precision.",
                        Longest, S.share(Slow))
          : fmt::format("Matrix products such as {} run in single precision "
                        "on the CUDA cores, not on the tensor cores, for {}.",
                        Longest, S.share(G.Single));
  F.Advice = Mixed
                 ? "Check whether these inputs should have been converted, too."
                 : "If lower precision is acceptable, allow TF32 "
                   "(CUBLAS_TF32_TENSOR_OP_MATH, CUBLAS_COMPUTE_32F_FAST_TF32) "
                   "or use half precision.";
  F.Doubt = "Based on the kernels' names; the trace does not show whether "
            "single precision is needed.";
  F.Evidence = llvm::json::Object{{"half_ns", G.Half},
                                  {"tf32_ns", G.Tf32},
                                  {"single_ns", G.Single},
                                  {"kernel", llvm::json::fixUTF8(G.Slowest)}};
  F.Cost = Slow / 2;
  Found.push_back(std::move(F));
}
