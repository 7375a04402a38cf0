// Memory, plans and handles made or freed in each iteration.
// REQUIRES: cufft
// RUN: %check_rules
#include <cufft.h>
#include <vector>

__global__ void step(float *x) { *x += 1; }

void plain(int n, cudaStream_t s) {
  float *kept;
  cudaMalloc(&kept, 64); // once
  for (int i = 0; i < n; ++i) {
    float *d, *h;
    cudaMalloc(&d, 64); // expect: autoprof-memory-alloc-in-loop low
    cudaMallocHost(&h, 64); // expect: same
    step<<<1, 1, 0, s>>>(d);
    cudaFree(d); // expect: autoprof-memory-alloc-in-loop high
    cudaFreeHost(h); // expect: same
    cudaFree(nullptr);
  }
  cudaFree(kept); // once
}

void ordered(int n, cudaStream_t s) {
  for (int i = 0; i < n; ++i) {
    float *d;
    cudaMallocAsync((void **)&d, 64, s);
    step<<<1, 1, 0, s>>>(d);
    cudaFreeAsync(d, s);
  }
}

void pool(int n, cudaStream_t s) {
  for (int i = 0; i < n; ++i) {
    float *d;
    cudaMallocAsync((void **)&d, 64, s);
    step<<<1, 1, 0, s>>>(d);
    cudaFree(d); // expect: autoprof-unsafe-buffer-lifetime
  }
}

// A buffer that only grows.
struct Growing {
  float *Data = nullptr;
  size_t Size = 0;
  void ensure(size_t n) {
    if (n > Size) {
      cudaFree(Data);
      cudaMalloc(&Data, n);
      Size = n;
    }
  }
};
void grows(Growing &g, int n) {
  for (int i = 0; i < n; ++i) {
    g.ensure(i);
    step<<<1, 1>>>(g.Data);
  }
}

// Setting up in a loop that does not launch.
void setUp(std::vector<float *> &all) {
  for (float *&d : all)
    cudaMalloc(&d, 64);
}

void plans(cufftComplex *d, int n) {
  for (int i = 0; i < n; ++i) {
    cufftHandle plan;
    cufftPlan1d(&plan, n, CUFFT_C2C, 1); // expect: autoprof-memory-alloc-in-loop low
    cufftExecC2C(plan, d, d, CUFFT_FORWARD);
    cufftDestroy(plan); // expect: autoprof-memory-alloc-in-loop high
  }
}

// What stands under a comparison with a number does not only grow.
void compared(int n, cudaStream_t s) {
  for (size_t size = 1; size < n; size *= 2) {
    float *d = nullptr;
    if (size > 2)
      cudaMalloc(&d, size);
    step<<<1, 1, 0, s>>>(d);
    if (d)
      cudaFree(d); // expect: autoprof-memory-alloc-in-loop
  }
}

// A class's own operators new and delete.
struct Shared {
  float Data;
  static void *operator new(size_t n) {
    void *p;
    cudaMallocManaged(&p, n); // takes microseconds, and does not wait
    return p;
  }
  static void operator delete(void *p) {
    cudaFree(p); // expect: autoprof-memory-alloc-in-loop
  }
};
void objects(int n) {
  for (int i = 0; i < n; ++i) {
    Shared *s = new Shared;
    step<<<1, 1>>>(&s->Data);
    delete s;
  }
  Shared *once = new Shared;
  delete once;
}

// A limit is no present size.
constexpr size_t MaxSize = 1 << 20;
void limited(int n, cudaStream_t s) {
  for (size_t bytes = 1; bytes < n; ++bytes) {
    float *d = nullptr;
    if (bytes <= MaxSize)
      cudaMalloc(&d, bytes);
    step<<<1, 1, 0, s>>>(d);
  }
}
void growsToo(float *d, size_t capacity, int n) {
  for (size_t needed = 1; needed < n; ++needed) {
    if (capacity >= needed) {
      step<<<1, 1>>>(d);
    } else {
      cudaMalloc(&d, capacity = needed);
    }
  }
}
