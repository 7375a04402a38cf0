// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/comparison/Run.h"

#include "analysis/common/Statistics.h"

#include <algorithm>
#include <map>

using namespace autoprof;
using namespace autoprof::analysis;
using trace::HostKind;
using trace::None;
using trace::Timeline;

namespace {

constexpr size_t MostBatches = 20;

/// Which batch an instant lies in: on the host, and on the GPU, where a step
/// ends with its last operation.
class Batches {
  std::vector<int64_t> HostStart; ///< Of each batch's first step.
  std::vector<int64_t> GpuEnd;    ///< Of each batch's last step.
  std::vector<size_t> Steps;      ///< In each batch.
  int64_t HostEnd = 0, GpuStart = 0;

public:
  explicit Batches(const Timeline &T, const analysis::Steps &S);
  size_t size() const { return Steps.size(); }
  bool knowsGpu() const { return !GpuEnd.empty(); }

  std::optional<size_t> ofHost(int64_t At) const {
    if (HostStart.empty() || At < HostStart.front() || At >= HostEnd)
      return std::nullopt;
    auto It = std::upper_bound(HostStart.begin(), HostStart.end(), At);
    return size_t(It - HostStart.begin()) - 1;
  }
  std::optional<size_t> ofGpu(int64_t At) const {
    if (GpuEnd.empty() || At <= GpuStart || At > GpuEnd.back())
      return std::nullopt;
    return size_t(std::lower_bound(GpuEnd.begin(), GpuEnd.end(), At) -
                  GpuEnd.begin());
  }
  void divide(BatchMeans &Sums) const {
    for (size_t I = 0; I < Sums.size(); ++I)
      Sums[I] /= double(Steps[I]);
  }
};

Batches::Batches(const Timeline &T, const analysis::Steps &S) {
  const size_t N = S.measured();
  if (!N)
    return;
  const size_t Length = std::max((N + MostBatches - 1) / MostBatches,
                                 dependence(S.times()).Block);
  const size_t Count = std::max<size_t>(1, N / Length);
  // The GPU's step ends are the last one's, less the times after each.
  const bool HasGpu = S.FromGpu && S.toOp() != None;
  std::vector<int64_t> Ends(HasGpu ? N : 0);
  int64_t End = HasGpu ? T.Ops.End[S.toOp()] : 0;
  for (size_t I = Ends.size(); I-- > 0; End -= S.List[S.WarmUp + I].Time)
    Ends[I] = End;
  GpuStart = End;
  for (size_t B = 0; B < Count; ++B) {
    const size_t First = B * N / Count, Last = (B + 1) * N / Count - 1;
    HostStart.push_back(S.List[S.WarmUp + First].Start);
    Steps.push_back(Last - First + 1);
    if (HasGpu)
      GpuEnd.push_back(Ends[Last]);
  }
  HostEnd = S.List.back().End;
}

/// Sums by batch under some number.
class Table {
  std::map<uint32_t, StepPart> Rows;
  const Batches &B;

public:
  explicit Table(const Batches &B) : B(B) {}
  void add(uint32_t Key, size_t Batch, int64_t Ns) {
    StepPart &Row = Rows[Key];
    Row.Time.resize(B.size());
    Row.Time[Batch] += double(Ns);
    ++Row.Count;
  }
  std::map<uint32_t, StepPart> finish() {
    for (auto &[Key, Row] : Rows)
      B.divide(Row.Time);
    return std::move(Rows);
  }
};

std::vector<SitePart> siteParts(const Timeline &T, const Result &R,
                                const Batches &B) {
  std::vector<SitePart> Parts(R.Sites.size());
  if (!R.InSteps)
    return Parts;
  std::map<uint32_t, size_t> RowOfSite;
  std::map<llvm::StringRef, size_t> RowOfName;
  for (size_t I = 0; I < R.Sites.size(); ++I) {
    Parts[I].Wait.resize(B.size());
    Parts[I].Exposed.resize(B.size());
    if (R.Sites[I].Site != None)
      RowOfSite[R.Sites[I].Site] = I;
    else
      RowOfName[R.Sites[I].Call] = I;
  }
  for (size_t W = 0; W < R.Waits.size(); ++W) {
    const Wait &One = R.Waits[W];
    std::optional<size_t> Batch = B.ofHost(One.Start);
    if (!Batch)
      continue;
    SitePart &Part =
        Parts[One.Site != None ? RowOfSite[One.Site]
                               : RowOfName[T.Strings[T.Host.Name[One.Call]]]];
    Part.Wait[*Batch] += double(R.InSteps->WaitOf[W]);
    Part.Exposed[*Batch] += double(R.InSteps->ExposedOf[W]);
  }
  for (SitePart &Part : Parts) {
    B.divide(Part.Wait);
    B.divide(Part.Exposed);
  }
  return Parts;
}

std::vector<StepPart> kernelParts(const Timeline &T, const Batches &B) {
  Table Kernels(B);
  for (uint32_t I = 0; I < T.Ops.size(); ++I)
    if (std::optional<size_t> Batch = B.ofGpu(T.Ops.End[I]))
      Kernels.add(T.Stages[T.Ops.Stage[I]].Name, *Batch,
                  T.Ops.End[I] - T.Ops.Start[I]);
  std::vector<StepPart> Parts;
  for (auto &[Name, Part] : Kernels.finish()) {
    Parts.push_back(std::move(Part));
    Parts.back().Name = T.Strings[Name].str();
  }
  return Parts;
}

std::vector<StepPart> rangeParts(const Timeline &T, const Result &R,
                                 const Batches &B) {
  Table Ranges(B);
  const trace::HostEvents &H = T.Host;
  for (uint32_t I = 0; I < H.size(); ++I) {
    if (H.Kind[I] != HostKind::Range || H.Site[I] == None ||
        (R.Steps.Site && T.Sites[H.Site[I]].Id == R.Steps.Site))
      continue;
    if (std::optional<size_t> Batch = B.ofHost(H.Start[I]))
      Ranges.add(H.Site[I], *Batch, H.End[I] - H.Start[I]);
  }
  std::vector<StepPart> Parts;
  for (auto &[Site, Part] : Ranges.finish()) {
    Parts.push_back(std::move(Part));
    Parts.back().Site = Site;
    Parts.back().Name = T.Sites[Site].Function;
  }
  return Parts;
}

} // namespace

StepParts autoprof::analysis::findStepParts(const Timeline &T,
                                            const Result &R) {
  const Batches B(T, R.Steps);
  StepParts Parts;
  Parts.Batches = B.size();
  Parts.Sites = siteParts(T, R, B);
  Parts.Kernels = kernelParts(T, B);
  Parts.Ranges = rangeParts(T, R, B);
  return Parts;
}
