// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the catalogue answers: the documented traps, and the calls that must
// never be called a wait.
#include "catalogue/Catalogue.h"

#include "gtest/gtest.h"

using namespace autoprof::catalogue;
using namespace autoprof::catalogue::values;

namespace {

Answer answer(const char *Name, const Facts &Known = Facts()) {
  const Row *General = lookup(Name);
  if (!General) {
    ADD_FAILURE() << Name << " is not in the catalogue";
    return {};
  }
  return ask(*General, Known);
}

Waits waits(const char *Name, const Facts &Known = Facts()) {
  return answer(Name, Known).Wait;
}

struct Case {
  const char *Name;
  Facts Known;
  Waits Wait;
  WaitsFor Target;
};

class Traps : public testing::TestWithParam<Case> {};

TEST_P(Traps, AreAnsweredRight) {
  const Case &C = GetParam();
  Answer A = answer(C.Name, C.Known);
  EXPECT_EQ(name(A.Wait), name(C.Wait)) << C.Name << ": " << A.Reason;
  EXPECT_EQ(name(A.Target), name(C.Target)) << C.Name;
  if (A.Wait == Waits::Maybe)
    EXPECT_FALSE(A.Reason.empty()) << C.Name;
  if (mayWait(A.Wait))
    EXPECT_FALSE(A.Replacement.empty()) << C.Name;
  EXPECT_FALSE(A.Source.empty()) << C.Name;
}

constexpr WaitsFor Nothing = WaitsFor::Nothing, ItsStream = WaitsFor::Stream,
                   ItsEvent = WaitsFor::Event, AllOfIt = WaitsFor::Device;
constexpr Waits No = Waits::No, Yes = Waits::Yes, Maybe = Waits::Maybe,
                Slow = Waits::Slow;

const Case CopiesAndMemory[] = {
    // cudaFree: by its pointer.
    {"cudaFree", Facts(), Maybe, AllOfIt},
    {"cudaFree", destination(Device), Yes, AllOfIt},
    {"cudaFree", destination(Managed), Yes, AllOfIt},
    {"cudaFree", destination(Pool), No, Nothing},
    {"cudaFree", destination(Null), No, Nothing},
    // Copies to the device of 64 KiB or less wait, whatever the guide says.
    {"cudaMemcpy", direction(HtoD) & size(UpTo1MiB), Yes, ItsStream},
    {"cudaMemcpy", direction(HtoD) & source(Pinned), Yes, ItsStream},
    {"cudaMemcpy", direction(DtoH), Yes, ItsStream},
    {"cudaMemcpy", direction(DtoD), No, Nothing},
    {"cudaMemcpy", direction(HtoH), Yes, ItsStream},
    {"cudaMemcpy", Facts(), Maybe, ItsStream},
    // cudaMemcpyDefault: the memory decides.
    {"cudaMemcpy", source(Device) & destination(Pageable), Yes, ItsStream},
    {"cudaMemcpy2D", direction(DtoH), Yes, ItsStream},
    {"cudaMemcpy2D", direction(DtoD), No, Nothing},
    {"cudaMemcpyPeer", Facts(), No, Nothing},
    {"cudaMemcpy3DPeer", Facts(), Maybe, ItsStream},
    {"cudaMemcpyToSymbol", direction(HtoD), Yes, ItsStream},
    {"cudaMemcpyToSymbol", direction(DtoD), No, Nothing},
    // Pageable memory, and managed memory, of which less is known.
    {"cudaMemcpyAsync", direction(DtoH) & destination(Pageable), Yes,
     ItsStream},
    {"cudaMemcpyAsync", direction(DtoH) & destination(Pinned), No, Nothing},
    {"cudaMemcpyAsync", direction(DtoH), Maybe, ItsStream},
    {"cudaMemcpyAsync", direction(DtoH) & destination(Managed), Maybe,
     ItsStream},
    {"cudaMemcpyAsync", direction(HtoD) & source(Pageable) & size(UpTo1MiB), No,
     Nothing},
    {"cudaMemcpyAsync", direction(HtoD) & source(Pageable) & size(From64MiB),
     Yes, ItsStream},
    {"cudaMemcpyAsync", direction(HtoD) & source(Pageable), Maybe, ItsStream},
    {"cudaMemcpyAsync", direction(HtoD) & source(Pageable) & size(UpTo4MiB),
     Maybe, ItsStream},
    {"cudaMemcpyAsync", direction(HtoD) & source(Pageable) & size(UpTo64MiB),
     Yes, ItsStream},
    // A batch does the reverse of its copies one by one.
    {"cudaMemcpyBatchAsync", direction(HtoD) & source(Pageable), Yes,
     ItsStream},
    {"cudaMemcpyBatchAsync",
     direction(DtoH) & destination(Pageable) & size(UpTo1MiB), No, Nothing},
    {"cudaMemcpyBatchAsync", direction(HtoH), Slow, Nothing},
    // "Device to device" is not managed memory, unless that is known.
    {"cudaMemcpy", direction(DtoD) & source(Managed), Yes, ItsStream},
    {"cudaMemcpy", direction(DtoD) & destination(Managed), Yes, ItsStream},
    {"cudaMemcpy", direction(DtoD) & source(Device), No, Nothing},
    {"cudaMemcpy", direction(DtoD) & source(Device | Managed), Maybe,
     ItsStream},
    {"cudaMemcpyAsync", direction(DtoD) & source(Managed), No, Nothing},
    {"cudaMemcpyAsync", direction(HtoH) & source(Pinned) & destination(Pinned),
     Yes, ItsStream},
    {"cudaMemcpyAsync", source(Pinned) & destination(Device), No, Nothing},
    {"cudaMemset", destination(Pinned), Yes, ItsStream},
    {"cudaMemset", destination(Managed), Yes, ItsStream},
    {"cudaMemset", destination(Device), No, Nothing},
    {"cudaMalloc", Facts(), Slow, Nothing},
    {"cudaMallocHost", Facts(), Slow, Nothing},
    {"cudaFreeHost", Facts(), Yes, AllOfIt},
    {"cudaDeviceSetLimit", flag(StackLimit), Yes, AllOfIt},
    {"cudaDeviceSetLimit", flag(OtherLimit), No, Nothing},
    {"cudaStreamSynchronize", stream(Legacy), Yes, ItsStream},
    {"cudaEventSynchronize", Facts(), Yes, ItsEvent},
};
INSTANTIATE_TEST_SUITE_P(CopiesAndMemory, Traps,
                         testing::ValuesIn(CopiesAndMemory));

const Case Libraries[] = {
    // Thrust: values are waited for even with par_nosync.
    {"thrust::transform", flag(SyncPolicy), Yes, ItsStream},
    {"thrust::transform", flag(NoSyncPolicy), No, Nothing},
    {"thrust::transform", flag(HostPolicy), No, Nothing},
    {"thrust::reduce", flag(SyncPolicy), Yes, AllOfIt},
    {"thrust::reduce", flag(NoSyncPolicy), Yes, ItsStream},
    {"thrust::sort", flag(SyncPolicy), Yes, AllOfIt},
    {"thrust::sort", flag(NoSyncPolicy), No, Nothing},
    {"thrust::copy", direction(DtoH) & flag(NoSyncPolicy), Yes, ItsStream},
    {"thrust::copy", direction(DtoD) & flag(NoSyncPolicy), No, Nothing},
    {"thrust::device_vector::operator[]", flag(Reads), Yes, ItsStream},
    {"thrust::device_vector::operator[]", flag(TakesAddress), No, Nothing},
    {"thrust::device_vector::device_vector", flag(Empty), No, Nothing},
    {"thrust::host_vector::host_vector", flag(FromDevice), Yes, ItsStream},
    {"thrust::host_vector::host_vector", flag(FromHost), No, Nothing},
    {"thrust::host_vector::operator=", flag(FromDevice), Yes, ItsStream},
    {"thrust::host_vector::operator=", flag(FromHost), No, Nothing},
    {"thrust::host_vector::operator=", Facts(), Maybe, ItsStream},
    {"thrust::device_vector::~device_vector", flag(Filled), Yes, AllOfIt},
    {"cub::DeviceSegmentedSort::SortKeys", Facts(), Maybe, ItsStream},
    {"cub::CachingDeviceAllocator::DeviceFree", Facts(), Maybe, AllOfIt},
    {"cuda::stream_ref::wait", Facts(), Maybe, ItsStream},
    {"cuda::stream_ref::sync", Facts(), Yes, ItsStream},
    // Scalar results by the pointer mode; handles wait for the device.
    {"cublasSdot", pointerMode(HostMode), Yes, ItsStream},
    {"cublasSdot", pointerMode(DeviceMode), No, Nothing},
    {"cublasSdot", Facts(), Maybe, ItsStream},
    {"cublasDestroy_v2", Facts(), Yes, AllOfIt},
    {"cudnnDestroy", Facts(), Yes, AllOfIt},
    {"cudnnFindConvolutionForwardAlgorithm", Facts(), Yes, AllOfIt},
    {"cufftPlan1d", Facts(), Yes, AllOfIt},
    {"cusolverDnXsyevjGetSweeps", Facts(), Maybe, ItsStream},
    {"cusparseXcsrilu02_zeroPivot", Facts(), Yes, AllOfIt},
    {"cusparseSpGEMM_compute", Facts(), Yes, ItsStream},
    {"cusparseSpVV", pointerMode(HostMode), Yes, ItsStream},
    {"cusparseSpVV", pointerMode(DeviceMode), No, Nothing},
    {"cusolverDnDsyevd", Facts(), Yes, ItsStream},
    {"cusolverSpScsrlsvqr", Facts(), Yes, AllOfIt},
    {"cudnnCreate", Facts(), Yes, AllOfIt},
    {"cufftMakePlanMany64", Facts(), Yes, AllOfIt},
    {"curandGenerateSeeds", Facts(), Yes, AllOfIt},
    {"curandGeneratePoisson", Facts(), Maybe, AllOfIt},
    {"cuModuleLoadData", Facts(), Yes, AllOfIt},
    {"cuKernelGetFunction", Facts(), Maybe, AllOfIt},
    {"ncclCommDestroy", Facts(), Yes, AllOfIt},
    {"ncclGroupEnd", Facts(), Slow, Nothing},
    {"ncclCommFinalize", Facts(), Maybe, ItsStream},
    // libtorch: copies that block, and sizes that follow from the data.
    {"at::Tensor::item", source(Device), Yes, ItsStream},
    {"at::nonzero", source(Device), Yes, ItsStream},
    {"at::one_hot", flag(SizeFromData) & source(Device), Yes, ItsStream},
    {"at::one_hot", flag(SizeFromData), Maybe, ItsStream},
    {"at::one_hot", flag(SizeGiven), No, Nothing},
    {"at::repeat_interleave", flag(SizeGiven), No, Nothing},
    {"at::where", flag(SizeFromData) & source(Device), Yes, ItsStream},
    {"at::where", flag(SizeGiven), No, Nothing},
    {"at::Tensor::to", direction(DtoH) & flag(BlockingCall), Yes, ItsStream},
    {"at::Tensor::to", direction(DtoH) & flag(NonBlockingCall), No, Nothing},
    {"at::Tensor::to", direction(DtoD) & flag(BlockingCall), No, Nothing},
    {"at::Tensor::copy_",
     direction(DtoH) & destination(Pageable) & flag(NonBlockingCall), Yes,
     ItsStream},
    {"at::Tensor::index_put_", flag(MaskIndex) & source(Pageable), No, Nothing},
    {"at::Tensor::index_put_", flag(MaskIndex) & source(Device), Yes,
     ItsStream},
    {"torch::nn::utils::clip_grad_norm_", source(Device), Yes, ItsStream},
    {"Kokkos::parallel_reduce", flag(ToValue), Yes, ItsStream},
    {"Kokkos::parallel_reduce", flag(ToMemory), No, Nothing},
    {"Kokkos::deep_copy", flag(WithoutStream), Yes, AllOfIt},
    {"rmm::device_scalar::value", Facts(), Yes, ItsStream},
    {"cv::cuda::calcSum", flag(WithoutStream), Yes, AllOfIt},
    {"cv::cuda::GpuMat::download", flag(WithoutStream), Yes, ItsStream},
    {"hipFree", Facts(), Yes, AllOfIt},
    {"hipHostFree", Facts(), Yes, AllOfIt},
    {"hipHostUnregister", Facts(), Yes, AllOfIt},
    {"hipMemcpyWithStream", Facts(), Yes, ItsStream},
};
INSTANTIATE_TEST_SUITE_P(Libraries, Traps, testing::ValuesIn(Libraries));

TEST(Ask, StaysSilentWhateverTheArgumentsAre) {
  for (const char *Name : {"cudaGetLastError",
                           "cudaPeekAtLastError",
                           "cudaOccupancyMaxActiveBlocksPerMultiprocessor",
                           "cudaOccupancyMaxPotentialBlockSize",
                           "cudaDeviceGetAttribute",
                           "cudaPointerGetAttributes",
                           "cudaSetDevice",
                           "cudaLaunchKernel",
                           "cudaLaunchKernelExC",
                           "cudaLaunchCooperativeKernel",
                           "cudaGraphLaunch",
                           "cudaGraphAddKernelNode",
                           "cudaGraphAddMemcpyNode",
                           "cudaGraphKernelNodeSetParams",
                           "cudaGraphExecKernelNodeSetParams",
                           "cudaGraphInstantiate",
                           "cudaStreamBeginCapture",
                           "cudaStreamEndCapture",
                           "cudaEventRecord",
                           "cudaEventRecordWithFlags",
                           "cudaStreamWaitEvent",
                           "cudaEventQuery",
                           "cudaStreamQuery",
                           "cudaEventElapsedTime",
                           "cudaEventDestroy",
                           "cudaStreamDestroy",
                           "cudaLaunchHostFunc",
                           "cudaStreamAddCallback",
                           "cudaSignalExternalSemaphoresAsync",
                           "cudaWaitExternalSemaphoresAsync",
                           "cudaMallocAsync",
                           "cudaMallocFromPoolAsync",
                           "cudaFreeAsync",
                           "cudaMemPoolSetAttribute",
                           "cudaMemPoolCreate",
                           "cudaMemPoolDestroy",
                           "cudaMemsetAsync",
                           "cudaMemcpyPeerAsync",
                           "cudaMemPrefetchAsync",
                           "cuLaunchKernel",
                           "cuEventRecord",
                           "cuStreamWaitEvent",
                           "cuStreamWaitValue32_v2",
                           "cuStreamQuery",
                           "cuMemcpyDtoDAsync_v2",
                           "cublasSgemm_v2",
                           "cublasGemmEx",
                           "cublasSaxpy_v2_64",
                           "cublasSscal_v2",
                           "cublasSetStream_v2",
                           "cublasSetPointerMode_v2",
                           "cublasLtMatmul",
                           "cufftExecC2C",
                           "cufftSetStream",
                           "cusolverDnSgetrf_bufferSize",
                           "cusolverDnSgetrf",
                           "cusparseSpMV",
                           "cusparseSpMV_bufferSize",
                           "curandSetStream",
                           "cudnnConvolutionForward",
                           "cudnnSetStream",
                           "ncclAllReduce",
                           "ncclSend",
                           "ncclGroupStart",
                           "ncclCommGetAsyncError",
                           "nvtxRangePushA",
                           "nvtxRangePop",
                           "nvtxMarkA",
                           "cub::DeviceReduce::Sum",
                           "cub::DeviceScan::ExclusiveSum",
                           "cub::DeviceRadixSort::SortPairs",
                           "thrust::device_vector::size",
                           "thrust::device_vector::data",
                           "thrust::device_vector::swap",
                           "thrust::raw_pointer_cast",
                           "cuda::stream_ref::ready",
                           "at::Tensor::sizes",
                           "at::Tensor::data_ptr",
                           "at::nonzero_static",
                           "at::Tensor::record_stream",
                           "at::cuda::CUDAEvent::block",
                           "Kokkos::parallel_for",
                           "rmm::device_uvector::set_element_async",
                           "cv::cuda::Stream::waitEvent",
                           "hipStreamWaitEvent",
                           "hipGetLastError"}) {
    const Row *General = lookup(Name);
    ASSERT_TRUE(General) << Name;
    EXPECT_EQ(General->Wait, Waits::No) << Name;
    for (const Row &R : conditional(*General))
      EXPECT_EQ(R.Wait, Waits::No) << Name;
    EXPECT_TRUE(ask(*General, Facts()).Replacement.empty()) << Name;
  }
}

TEST(Ask, StaysSilentAboutArgumentsThatDoNotWait) {
  EXPECT_EQ(waits("cudaFree", destination(Null)), Waits::No);
  EXPECT_EQ(waits("cuMemcpyHtoDAsync_v2", source(Pinned)), Waits::No);
  EXPECT_EQ(waits("cuMemcpyDtoHAsync_v2_ptsz", destination(Pinned)), Waits::No);
  EXPECT_EQ(waits("at::Tensor::item", source(Pageable)), Waits::No);
  EXPECT_EQ(waits("at::Tensor::copy_", direction(DtoD)), Waits::No);
  EXPECT_EQ(waits("Kokkos::parallel_scan", flag(ToMemory)), Waits::No);
  EXPECT_EQ(waits("cv::cuda::calcSum", flag(WithStream)), Waits::No);
}

TEST(Ask, SaysWhatIsMissing) {
  EXPECT_EQ(answer("cudaMemcpyAsync", direction(DtoH)).Reason,
            "it depends on the destination");
  EXPECT_EQ(
      answer("cudaMemcpyAsync", direction(HtoD) & source(Pageable)).Reason,
      "it depends on the size");
  EXPECT_EQ(answer("cudaMemcpyAsync", direction(HtoD)).Reason,
            "it depends on the source and the size");
  EXPECT_EQ(answer("cudaFree", destination(Pageable | Device)).Reason,
            "it depends on the memory that is freed");
  EXPECT_EQ(answer("cublasSdot", stream(Legacy)).Reason,
            "it depends on the pointer mode");
}

TEST(Ask, NamesTheRowThatSpeaks) {
  Answer A = answer("cudaMemcpyAsync", direction(DtoH) & destination(Pageable));
  ASSERT_EQ(A.Rows.size(), 1u);
  EXPECT_EQ(describe(A.Rows[0]->Condition),
            "device to host, into pageable memory");
  EXPECT_EQ(A.Source, "measured: H200, CUDA 13.0");
  EXPECT_EQ(A.Replacement,
            "pinned host memory (cudaMallocHost, cudaHostRegister), and an "
            "event to wait for before the host touches it");
  EXPECT_EQ(answer("cudaSetDevice").Rows.size(), 1u);
}

TEST(Ask, DrawsFactsFromOthers) {
  Facts F = settled(source(Device) & destination(Pinned));
  EXPECT_EQ(F[Fact::Direction], uint32_t(DtoH));
  F = settled(direction(HtoD));
  EXPECT_EQ(F[Fact::Source] & Device, 0u);
  EXPECT_NE(F[Fact::Source] & Managed, 0u);
  // Managed memory may be on either side.
  F = settled(source(Managed) & destination(Device));
  EXPECT_EQ(F[Fact::Direction], uint32_t(HtoD | DtoD | PtoP));
}

TEST(Ask, TakesSizesByTheStagingThresholds) {
  EXPECT_EQ(sizeOf(0), UpTo1MiB);
  EXPECT_EQ(sizeOf(1 << 20), UpTo1MiB);
  EXPECT_EQ(sizeOf((1 << 20) + 1), UpTo4MiB);
  EXPECT_EQ(sizeOf((4 << 20) - 1), UpTo4MiB);
  EXPECT_EQ(sizeOf(4 << 20), UpTo64MiB);
  EXPECT_EQ(sizeOf((64 << 20) - 1), UpTo64MiB);
  EXPECT_EQ(sizeOf(64 << 20), From64MiB);
}

} // namespace
