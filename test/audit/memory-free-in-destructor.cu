// A destructor or deleter that waits, of objects that die in a launching loop.
// RUN: %check_rules
#include <memory>
#include <vector>

__global__ void step(float *x) { *x += 1; }

class Buffer {
  float *Data = nullptr;

public:
  explicit Buffer(size_t n) { cudaMalloc(&Data, n); } // expect: autoprof-memory-alloc-in-loop
  ~Buffer() { cudaFree(Data); } // expect: autoprof-memory-free-in-destructor high; advice: keep a wait where the host uses results; no advice: one for each stream
  float *get() { return Data; }
};
void each(int n) {
  for (int i = 0; i < n; ++i) {
    Buffer b(64);
    step<<<1, 1>>>(b.get());
  }
}

// Of a member, and in a function that the destructor calls.
class Pinned {
  float *Data = nullptr;
  void release() { cudaFreeHost(Data); } // expect: autoprof-memory-free-in-destructor high; no advice: cudaMallocAsync

public:
  explicit Pinned(float *d) : Data(d) {}
  ~Pinned() { release(); }
};
struct Batch {
  Pinned Input;
  explicit Batch(float *d) : Input(d) {}
};
void members(float *d, int n) {
  for (int i = 0; i < n; ++i) {
    Batch b(d);
    step<<<1, 1>>>(d);
  }
}

// A deleter.
struct Free {
  void operator()(float *p) const { cudaFree(p); } // expect: autoprof-memory-free-in-destructor
};
void owned(int n) {
  for (int i = 0; i < n; ++i) {
    float *d;
    cudaMalloc(&d, 64); // expect: autoprof-memory-alloc-in-loop
    std::unique_ptr<float, Free> p(d);
    step<<<1, 1>>>(p.get());
  }
}

// Made once.
class Kept {
  float *Data = nullptr;

public:
  explicit Kept(size_t n) { cudaMalloc(&Data, n); }
  ~Kept() { cudaFree(Data); }
  float *get() { return Data; }
};
void once(int n) {
  Kept k(64);
  std::vector<Kept *> all = {&k};
  for (int i = 0; i < n; ++i)
    step<<<1, 1>>>(k.get());
  for (int i = 0; i < 3; ++i) {
    Kept few(64);
    step<<<1, 1>>>(few.get());
  }
}
void references(Kept &k, int n) {
  for (int i = 0; i < n; ++i) {
    Kept &same = k;
    Kept *pointer = &k;
    step<<<1, 1>>>(same.get());
    step<<<1, 1>>>(pointer->get());
  }
}

// Memory of a pool is freed in the order of a stream.
class Ordered {
  float *Data = nullptr;
  cudaStream_t Stream;

public:
  Ordered(size_t n, cudaStream_t s) : Stream(s) { cudaMallocAsync((void **)&Data, n, s); }
  ~Ordered() { cudaFreeAsync(Data, Stream); }
  float *get() { return Data; }
};
void ordered(int n, cudaStream_t s) {
  for (int i = 0; i < n; ++i) {
    Ordered o(64, s);
    step<<<1, 1, 0, s>>>(o.get());
  }
}

// What dies owns nothing of the GPU, or dies in a loop that does not launch.
struct View {
  float *Data;
  ~View() { Data = nullptr; }
};
void views(float *d, int n) {
  for (int i = 0; i < n; ++i) {
    View v{d};
    step<<<1, 1>>>(v.Data);
  }
}
void setUp(int n) {
  for (int i = 0; i < n; ++i)
    Kept k(64);
}

// Objects that several streams use.
class Scratch {
  float *Data = nullptr;

public:
  Scratch() { cudaMalloc(&Data, 64); } // expect: autoprof-memory-alloc-in-loop
  ~Scratch() { cudaFree(Data); } // expect: autoprof-memory-free-in-destructor
  float *get() { return Data; }
};
void streams(cudaStream_t s, cudaStream_t t, int n) {
  for (int i = 0; i < n; ++i) {
    Scratch b;
    if (i % 2)
      step<<<1, 1, 0, s>>>(b.get());
    else
      step<<<1, 1, 0, t>>>(b.get());
  }
}
