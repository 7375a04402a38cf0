// An asynchronous copy from or to memory known to be pageable.
// RUN: %check_rules
#include <cstdlib>
#include <memory>
#include <vector>

__global__ void step(float *x) { *x += 1; }

void hosts(float *d, cudaStream_t s, int n, float *given) {
  float *pinned, *registered = (float *)malloc(64), *alloc, *plain = new float[16];
  float onStack[16];
  std::vector<float> vector(16);
  auto owned = std::make_unique<float[]>(16);
  cudaMallocHost(&pinned, 64);
  cudaHostAlloc(&alloc, 64, cudaHostAllocDefault);
  cudaHostRegister(registered, 64, cudaHostRegisterDefault);
  for (int i = 0; i < n; ++i) {
    step<<<1, 1, 0, s>>>(d);
    cudaMemcpyAsync(pinned, d, 64, cudaMemcpyDeviceToHost, s);
    cudaMemcpyAsync(alloc, d, 64, cudaMemcpyDeviceToHost, s);
    cudaMemcpyAsync(registered, d, 64, cudaMemcpyDeviceToHost, s);
    cudaMemcpyAsync(given, d, 64, cudaMemcpyDeviceToHost, s); // not known
    cudaMemcpyAsync(plain, d, 64, cudaMemcpyDeviceToHost, s); // expect: autoprof-copy-async-pageable high
    cudaMemcpyAsync(onStack, d, 64, cudaMemcpyDeviceToHost, s); // expect: same
    cudaMemcpyAsync(vector.data(), d, 64, cudaMemcpyDeviceToHost, s); // expect: same
    cudaMemcpyAsync(&vector[4], d, 4, cudaMemcpyDeviceToHost, s); // expect: same
    cudaMemcpyAsync(owned.get(), d, 64, cudaMemcpyDeviceToHost, s); // expect: same
    float last;
    cudaMemcpyAsync(&last, d, 4, cudaMemcpyDeviceToHost, s); // expect: same
  }
  cudaMemcpyAsync(plain, d, 64, cudaMemcpyDeviceToHost, s); // once
}

// To the device it depends on the size.
void sizes(float *d, cudaStream_t s, int n, size_t bytes) {
  std::vector<float> h(1 << 26);
  for (int i = 0; i < n; ++i) {
    step<<<1, 1, 0, s>>>(d);
    cudaMemcpyAsync(d, h.data(), 1024, cudaMemcpyHostToDevice, s);
    cudaMemcpyAsync(d, h.data(), bytes, cudaMemcpyHostToDevice, s); // expect: autoprof-copy-async-pageable low
    cudaMemcpyAsync(d, h.data(), 1 << 28, cudaMemcpyHostToDevice, s); // expect: autoprof-copy-async-pageable high
  }
}

// What flows where: one branch, both branches, fields, results, parameters.
float *makePinned(size_t n) {
  float *p = nullptr;
  cudaMallocHost((void **)&p, n);
  return p;
}
float *makePlain(size_t n) { return (float *)malloc(n); }
void fill(float **out, size_t n) { cudaMallocHost((void **)out, n); }
struct Host {
  float *Plain = (float *)malloc(64);
  float *Pinned = nullptr;
  Host() { cudaMallocHost(&Pinned, 64); }
};
static void fetch(float *to, const float *d, cudaStream_t s) {
  cudaMemcpyAsync(to, d, 64, cudaMemcpyDeviceToHost, s); // expect: autoprof-copy-async-pageable
}
static void fetchPinned(float *to, const float *d, cudaStream_t s) {
  cudaMemcpyAsync(to, d, 64, cudaMemcpyDeviceToHost, s);
}
void flows(float *d, cudaStream_t s, int n, bool pin, Host &host) {
  float *either = (float *)malloc(64), *out = nullptr;
  if (pin)
    cudaMallocHost(&either, 64);
  fill(&out, 64);
  float *pinned = makePinned(64), *plain = makePlain(64);
  float *reused = plain;
  reused = pinned;
  for (int i = 0; i < n; ++i) {
    step<<<1, 1, 0, s>>>(d);
    cudaMemcpyAsync(either, d, 64, cudaMemcpyDeviceToHost, s); // expect: autoprof-copy-async-pageable low; message: may wait
    cudaMemcpyAsync(out, d, 64, cudaMemcpyDeviceToHost, s);
    cudaMemcpyAsync(pinned, d, 64, cudaMemcpyDeviceToHost, s);
    cudaMemcpyAsync(reused, d, 64, cudaMemcpyDeviceToHost, s);
    cudaMemcpyAsync(plain + 4, d, 4, cudaMemcpyDeviceToHost, s); // expect: autoprof-copy-async-pageable
    cudaMemcpyAsync(host.Plain, d, 64, cudaMemcpyDeviceToHost, s); // expect: same
    cudaMemcpyAsync(host.Pinned, d, 64, cudaMemcpyDeviceToHost, s);
    fetch(plain, d, s);
    fetchPinned(pinned, d, s);
  }
}

// Captured into a graph: it does not run in the loop.
void captured(float *d, cudaStream_t s, int n) {
  float *h = (float *)malloc(64);
  cudaGraph_t graph;
  for (int i = 0; i < n; ++i) {
    step<<<1, 1, 0, s>>>(d);
    cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
    cudaMemcpyAsync(h, d, 64, cudaMemcpyDeviceToHost, s);
    cudaStreamEndCapture(s, &graph);
    cudaMemcpyAsync(h, d, 64, cudaMemcpyDeviceToHost, s); // expect: autoprof-copy-async-pageable
  }
}

// Buffers that change places keep their kinds.
template <typename T> void Swap(T &a, T &b) {
  T c = a;
  a = b;
  b = c;
}
void swapped(float *d, cudaStream_t s, int n) {
  float *a, *b, *plain = new float[4], *plain2 = new float[4];
  cudaMallocHost(&a, 64);
  cudaMallocHost(&b, 64);
  Swap(plain, plain2);
  for (int i = 0; i < n; ++i) {
    step<<<1, 1, 0, s>>>(d);
    cudaMemcpyAsync(a, d, 64, cudaMemcpyDeviceToHost, s);
    cudaMemcpyAsync(plain, d, 16, cudaMemcpyDeviceToHost, s); // expect: autoprof-copy-async-pageable
    Swap(a, b);
  }
}

// The size is a product of constants.
void products(float *d, cudaStream_t s, int steps) {
  const int n = 1 << 20, rows = 16;
  const size_t bytes = n * sizeof(float);
  float *h = new float[n];
  for (int i = 0; i < steps; ++i) {
    step<<<1, 1, 0, s>>>(d);
    cudaMemcpyAsync(d, h, n * sizeof(float), cudaMemcpyHostToDevice, s); // expect: autoprof-copy-async-pageable high
    cudaMemcpyAsync(d, h, bytes, cudaMemcpyHostToDevice, s); // expect: same
    cudaMemcpyAsync(d, h, rows * rows * sizeof(float), cudaMemcpyHostToDevice, s); // small: the driver stages it
  }
}

// The host uses the value at once: an event would be waited for at the same
// point.
static float readBack(const float *d, cudaStream_t s) {
  float v;
  cudaMemcpyAsync(&v, d, 4, cudaMemcpyDeviceToHost, s); // expect: autoprof-copy-async-pageable; no advice: replaced
  cudaStreamSynchronize(s); // expect: autoprof-sync-repeated low
  return v;
}
float readsBack(float *d, cudaStream_t s, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    step<<<1, 1, 0, s>>>(d);
    sum += readBack(d, s);
  }
  return sum;
}

// Pinned or not, depending on the run.
void either(float *d, cudaStream_t s, bool pin, int n) {
  float *h;
  if (pin)
    cudaMallocHost(&h, 1 << 24);
  else
    h = new float[1 << 22];
  for (int i = 0; i < n; ++i) {
    cudaMemcpyAsync(d, h, 1 << 24, cudaMemcpyHostToDevice, s); // expect: autoprof-copy-async-pageable low; message: may wait
    step<<<1, 1, 0, s>>>(d);
  }
}
