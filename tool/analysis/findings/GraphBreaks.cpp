// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/findings/Scene.h"

#include "llvm/Support/Path.h"

#include <fmt/format.h>

#include <map>
#include <optional>
#include <tuple>

using namespace autoprof;
using namespace autoprof::analysis;
using llvm::StringRef;

namespace {

/// Where torch.compile ended a graph: TorchDynamo names what follows
/// "torch_dynamo_resume_in_step_at_13".
struct Break {
  std::string File, Function;
  uint32_t Line = 0;

  bool operator<(const Break &B) const {
    return std::tie(File, Line, Function) <
           std::tie(B.File, B.Line, B.Function);
  }
};

std::optional<Break> breakOf(StringRef File, StringRef Function) {
  const auto [Before, Name] = Function.split("torch_dynamo_resume_in_");
  const auto [Inside, Line] = Name.rsplit("_at_");
  Break B{File.str(), Inside.str()};
  if (Name.empty() || Line.getAsInteger(10, B.Line))
    return std::nullopt;
  return B;
}

/// With the samples in what follows each.
std::map<Break, uint64_t> findBreaks(const Scene &S) {
  std::map<Break, uint64_t> Breaks;
  for (const HostLine &L : S.R.Lines->Tree) {
    const trace::Site &At = S.T.Sites[L.Site];
    if (std::optional<Break> B = breakOf(At.File, At.Function))
      Breaks[*B] += L.All;
  }
  return Breaks;
}

} // namespace

// The names of functions are the only trace of a break that a stack has, and
// TorchDynamo gives them to nothing else.
void autoprof::analysis::findGraphBreaks(const Scene &S,
                                         std::vector<Finding> &Found) {
  if (!S.R.Lines)
    return;
  // One sample may be of a step that is compiled late.
  constexpr uint64_t Fewest = 5;
  for (const auto &[B, Samples] : findBreaks(S)) {
    if (Samples < Fewest)
      continue;
    const auto Cost =
        int64_t(double(Samples) / double(S.R.Lines->Samples) * double(S.Span));
    Finding F;
    F.Severity = Severity::Warning;
    F.Message = fmt::format(
        "torch.compile breaks the graph of {} at {}:{}: what follows is "
        "another graph, in which the CPU is for {}.",
        B.Function, llvm::sys::path::filename(B.File).str(), B.Line,
        S.share(Cost));
    F.Advice =
        "Move what the compiler cannot trace out of the function: reading a "
        "value (item(), float(), print), a branch that depends on a tensor, a "
        "call into code without Python. TORCH_LOGS=graph_breaks prints the "
        "cause. Without breaks, mode=\"reduce-overhead\" launches the whole "
        "as one CUDA graph.";
    F.Doubt = "The recording does not show how long one graph would take.";
    F.Evidence = llvm::json::Object{{"file", B.File},
                                    {"line", int64_t(B.Line)},
                                    {"function", B.Function},
                                    {"samples", int64_t(Samples)}};
    F.Cost = Cost;
    Found.push_back(std::move(F));
  }
}

void autoprof::analysis::findRecompiles(const Scene &S,
                                        std::vector<Finding> &Found) {
  if (!S.R.Lines || !S.InSteps)
    return;
  uint64_t Samples = 0;
  const std::vector<HostLine> &Tree = S.R.Lines->Tree;
  auto IsCompiler = [&](uint32_t Line) {
    return StringRef(S.T.Sites[Tree[Line].Site].File)
        .ends_with("torch/_dynamo/convert_frame.py");
  };
  std::vector<bool> Inside(Tree.size()); // A parent comes first.
  for (uint32_t I = 0; I < Tree.size(); ++I) {
    const uint32_t Parent = Tree[I].Parent;
    const bool IsOuter = Parent == trace::None || !Inside[Parent];
    Inside[I] = !IsOuter || IsCompiler(I);
    Samples += IsOuter && Inside[I] ? Tree[I].All : 0;
  }
  if (100 * Samples < S.R.Lines->Samples || Samples < 5)
    return;
  const auto Cost =
      int64_t(double(Samples) / double(S.R.Lines->Samples) * double(S.Span));
  Finding F;
  F.Severity = Severity::Warning;
  F.Message =
      fmt::format("torch.compile compiles in the steps: {}.", S.share(Cost));
  F.Advice = "TORCH_LOGS=recompiles prints why. Often a size changes: pad it, "
             "or compile with dynamic=True.";
  F.Evidence = llvm::json::Object{{"samples", int64_t(Samples)}};
  F.Cost = Cost;
  Found.push_back(std::move(F));
}
