// A copy between host and device in a launching loop that is not asynchronous.
// RUN: %check_rules
#include <vector>

__global__ void step(float *x) { *x += 1; }

void directions(float *d, float *d2, float *h, int n, cudaMemcpyKind unknown) {
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(d);
    cudaMemcpy(d, h, 4, cudaMemcpyHostToDevice); // expect: autoprof-copy-synchronous high
    cudaMemcpy(h, d, 4, cudaMemcpyDeviceToHost); // expect: autoprof-copy-synchronous low
    cudaMemcpy(d2, d, 4, cudaMemcpyDeviceToDevice);
    cudaMemcpy(d2, d, 4, unknown); // not known: no finding
    cudaMemcpyPeer(d2, 1, d, 0, 4);
    cudaMemset(d, 0, 4);
  }
  cudaMemcpy(h, d, 4, cudaMemcpyDeviceToHost); // once
}

// cudaMemcpyDefault: the pointers say it.
void byPointers(int n) {
  float *a, *b;
  std::vector<float> h(16);
  cudaMalloc(&a, 64);
  cudaMalloc(&b, 64);
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(a);
    cudaMemcpy(a, b, 64, cudaMemcpyDefault);
    cudaMemcpy(h.data(), b, 64, cudaMemcpyDefault); // expect: autoprof-copy-synchronous
  }
}

__constant__ float Table[4];
__device__ unsigned Count; // Kernels may count in it.
void symbols(float *d, const float *h, int n) {
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(d);
    cudaMemcpyToSymbol(Table, h, 16); // expect: autoprof-copy-synchronous high; advice: or a kernel argument
    cudaMemcpyToSymbol(Count, h, 4); // expect: same
  }
}

// A wrapper, and a class.
template <typename T> void upload(T *d, const T *h, size_t n) {
  cudaMemcpy(d, h, n * sizeof(T), cudaMemcpyHostToDevice); // expect: autoprof-copy-synchronous
}
class Batches {
  float *Device = nullptr, *Host = nullptr;

public:
  explicit Batches(size_t n) {
    cudaMalloc(&Device, n);
    cudaMallocHost(&Host, n);
  }
  void next(size_t n) { upload(Device, Host, n); }
  float *device() { return Device; }
};
void train(int n) {
  Batches b(64);
  for (int i = 0; i < n; ++i) {
    b.next(16);
    step<<<1, 1>>>(b.device());
  }
}

// A loop that only copies does not launch.
void upload(std::vector<float *> to, const float *h) {
  for (float *d : to)
    cudaMemcpy(d, h, 4, cudaMemcpyHostToDevice);
}

// The direction stands in a structure.
void volume(cudaArray_t to, cudaPitchedPtr from, float *d, int n) {
  cudaMemcpy3DParms up = {}, within = {};
  up.kind = cudaMemcpyHostToDevice;
  within.kind = cudaMemcpyDeviceToDevice;
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(d);
    cudaMemcpy3D(&up); // expect: autoprof-copy-synchronous high
    cudaMemcpy3D(&within);
  }
}

// cudaMemset waits on memory that the host can use.
void sets(int n) {
  float *managed, *pinned, *device;
  cudaMallocManaged(&managed, 64);
  cudaMallocHost(&pinned, 64);
  cudaMalloc(&device, 64);
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(device);
    cudaMemset(managed, 0, 64); // expect: autoprof-copy-synchronous high; advice: cudaMemsetAsync
    cudaMemset(pinned, 0, 64); // expect: same
    cudaMemset(device, 0, 64);
    cudaMemsetAsync(managed, 0, 64);
  }
}
