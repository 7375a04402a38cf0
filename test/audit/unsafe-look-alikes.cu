// What looks like a missing wait and is none, through wrappers, members, lambdas,
// owners and early returns; and missing waits in the same dress.
// RUN: %check_rules
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

__global__ void step(float *x) { *x += 1; }

#define CHECK(c)                                                               \
  do {                                                                         \
    if ((c) != cudaSuccess)                                                    \
      return 0;                                                                \
  } while (0)

static void waitFor(cudaStream_t s) { cudaStreamSynchronize(s); }
struct FreeHost {
  void operator()(float *p) const { cudaFreeHost(p); }
};
struct Stream {
  cudaStream_t S;
  void sync() { cudaStreamSynchronize(S); }
  ~Stream() { cudaStreamSynchronize(S); }
};
struct Pinned {
  float *P;
  explicit Pinned(int n) { cudaMallocHost(&P, n); }
  ~Pinned() { cudaFreeHost(P); }
  float *get() { return P; }
  float &operator[](int i) { return P[i]; }
};

// Waited for, though not at once, or not used.
float viaMacro(float *d, cudaStream_t s) {
  float *h;
  CHECK(cudaMallocHost(&h, 64));
  CHECK(cudaMemcpyAsync(h, d, 64, cudaMemcpyDeviceToHost, s));
  CHECK(cudaStreamSynchronize(s));
  return h[0];
}
float viaLambda(float *d, cudaStream_t s) {
  float *h;
  cudaMallocHost(&h, 64);
  auto wait = [&] { cudaStreamSynchronize(s); };
  cudaMemcpyAsync(h, d, 64, cudaMemcpyDeviceToHost, s);
  wait();
  return h[0];
}
float viaMethod(float *d, Stream &s) {
  float *h;
  cudaMallocHost(&h, 64);
  cudaMemcpyAsync(h, d, 64, cudaMemcpyDeviceToHost, s.S);
  s.sync();
  return h[0];
}
float viaDestructor(float *d) {
  float *h;
  cudaMallocHost(&h, 64);
  {
    Stream s;
    cudaMemcpyAsync(h, d, 64, cudaMemcpyDeviceToHost, s.S);
  }
  return h[0];
}
template <class F> void run(F f) { f(); }
float viaHelper(float *d, cudaStream_t s) {
  float *h;
  cudaMallocHost(&h, 64);
  cudaMemcpyAsync(h, d, 64, cudaMemcpyDeviceToHost, s);
  run([=] { cudaStreamSynchronize(s); });
  return h[0];
}
float viaPointer(float *d, cudaStream_t s, void (*f)(cudaStream_t)) {
  float *h;
  cudaMallocHost(&h, 64);
  cudaMemcpyAsync(h, d, 64, cudaMemcpyDeviceToHost, s);
  f(s);
  return h[0];
}
float legacyCopy(float *d, cudaStream_t s, float *o) {
  float *h;
  cudaMallocHost(&h, 64);
  cudaMemcpyAsync(h, d, 64, cudaMemcpyDeviceToHost, s);
  cudaMemcpy(o, d, 4, cudaMemcpyDeviceToHost);
  return h[0];
}
float sizeOnly(float *d, cudaStream_t s) {
  float *h;
  cudaMallocHost(&h, 64);
  cudaMemcpyAsync(h, d, sizeof(*h), cudaMemcpyDeviceToHost, s);
  size_t n = sizeof(h[0]);
  float *alias = h;
  printf("%p %zu", (void *)alias, n);
  if (h)
    n++;
  cudaStreamSynchronize(s);
  return n;
}
float addressOnly(float *d, cudaStream_t s) {
  float *h;
  cudaMallocHost(&h, 64);
  cudaMemcpyAsync(h, d, 4, cudaMemcpyDeviceToHost, s);
  cudaMemcpyAsync(&h[1], d, 4, cudaMemcpyDeviceToHost, s);
  step<<<1, 1, 0, s>>>(&h[2]);
  float *end = h + 16;
  cudaStreamSynchronize(s);
  return *end;
}
float zeroCopy(float *d, cudaStream_t s) {
  float *h, *m;
  cudaHostAlloc(&h, 64, cudaHostAllocMapped);
  cudaHostGetDevicePointer(&m, h, 0);
  step<<<1, 1, 0, s>>>(m);
  cudaMemcpyAsync(h, m, 0, cudaMemcpyDeviceToHost, s);
  cudaDeviceSynchronize();
  return *h;
}
bool earlyReturn(float *d, cudaStream_t s, bool skip) {
  float *h;
  cudaMallocHost(&h, 64);
  cudaMemcpyAsync(h, d, 64, cudaMemcpyDeviceToHost, s);
  if (skip)
    return false;
  cudaStreamSynchronize(s);
  return h[0] > 0;
}
float errorReturn(float *d, cudaStream_t s) {
  float *h;
  cudaMallocHost(&h, 64);
  if (cudaMemcpyAsync(h, d, 64, cudaMemcpyDeviceToHost, s) != cudaSuccess) {
    return h[0];
  }
  cudaStreamSynchronize(s);
  return h[0];
}
float thread(float *d, cudaStream_t s) {
  float *h;
  cudaMallocHost(&h, 64);
  cudaMemcpyAsync(h, d, 64, cudaMemcpyDeviceToHost, s);
  std::thread t([=] { cudaStreamSynchronize(s); });
  t.join();
  return h[0];
}
float callback(float *d, cudaStream_t s) {
  float *h;
  cudaMallocHost(&h, 64);
  cudaMemcpyAsync(h, d, 64, cudaMemcpyDeviceToHost, s);
  cudaLaunchHostFunc(s, [](void *p) { printf("%f", *(float *)p); }, h);
  cudaStreamSynchronize(s);
  return 0;
}
float owned(float *d, cudaStream_t s) {
  float *p;
  cudaMallocHost(&p, 64);
  std::unique_ptr<float, FreeHost> h(p);
  cudaMemcpyAsync(h.get(), d, 64, cudaMemcpyDeviceToHost, s);
  cudaStreamSynchronize(s);
  return *h;
}
void ownedUp(float *d, cudaStream_t s) {
  float *p;
  cudaMallocHost(&p, 64);
  std::unique_ptr<float, FreeHost> h(p);
  cudaMemcpyAsync(d, h.get(), 64, cudaMemcpyHostToDevice, s);
} // cudaFreeHost waits

void raiiUp(float *d, cudaStream_t s) {
  Pinned h(64);
  h[0] = 1;
  cudaMemcpyAsync(d, h.get(), 64, cudaMemcpyHostToDevice, s);
}
struct Holder {
  float *H;
  cudaStream_t S;
  Holder() { cudaMallocHost(&H, 64); }
  void start(float *d) { cudaMemcpyAsync(H, d, 64, cudaMemcpyDeviceToHost, S); }
  float end() {
    cudaStreamSynchronize(S);
    return H[0];
  }
  float both(float *d) {
    start(d);
    return end();
  }
  float inOne(float *d) {
    cudaMemcpyAsync(H, d, 64, cudaMemcpyDeviceToHost, S);
    return end() + H[0];
  }
  float otherObject(Holder &o, float *d) {
    cudaMemcpyAsync(H, d, 64, cudaMemcpyDeviceToHost, S);
    return o.H[0];
  }
  float missing(float *d) {
    cudaMemcpyAsync(H, d, 64, cudaMemcpyDeviceToHost, S); // expect: autoprof-unsafe-early-read
    return H[0];
  }
};
void pingpong(float *d, const float *data, cudaStream_t s, cudaEvent_t *e,
              int n) {
  float *h[2];
  cudaMallocHost(&h[0], 64);
  cudaMallocHost(&h[1], 64);
  for (int i = 0; i < n; ++i) {
    int k = i & 1;
    cudaEventSynchronize(e[k]);
    memcpy(h[k], data, 64);
    cudaMemcpyAsync(d, h[k], 64, cudaMemcpyHostToDevice, s);
    cudaEventRecord(e[k], s);
  }
}
void offsets(float *d, const float *data, cudaStream_t s, int n) {
  float *h;
  cudaMallocHost(&h, 64 * n);
  for (int i = 0; i < n; ++i) {
    memcpy(h + i * 16, data, 64);
    cudaMemcpyAsync(d, h + i * 16, 64, cudaMemcpyHostToDevice, s);
  }
  cudaStreamSynchronize(s);
}
void cursor(float *d, const float *data, cudaStream_t s, int n) {
  float *h;
  cudaMallocHost(&h, 64 * n);
  float *at = h;
  for (int i = 0; i < n; ++i) {
    memcpy(at, data, 64);
    cudaMemcpyAsync(d, at, 64, cudaMemcpyHostToDevice, s);
    at += 16;
  }
  cudaStreamSynchronize(s);
}

// Each iteration has its own.
void resized(float *d, const float *data, cudaStream_t s, int n) {
  for (int i = 0; i < n; ++i) {
    float *h;
    cudaMallocHost(&h, 64); // expect: autoprof-memory-alloc-in-loop
    memcpy(h, data, 64);
    cudaMemcpyAsync(d, h, 64, cudaMemcpyHostToDevice, s);
    step<<<1, 1, 0, s>>>(d);
  }
}
void staged(float *d, const float *data, int n) {
  float *h;
  cudaMallocHost(&h, 64);
  for (int i = 0; i < n; ++i) {
    memcpy(h, data, 64);
    cudaMemcpyAsync(d, h, 64, cudaMemcpyHostToDevice);
    step<<<1, 1>>>(d);
    float r;
    cudaMemcpy(&r, d, 4, cudaMemcpyDeviceToHost); // expect: autoprof-copy-synchronous
  }
}
void gotoWait(float *d, cudaStream_t s, int n) {
  float *h;
  cudaMallocHost(&h, 64);
  cudaMemcpyAsync(h, d, 64, cudaMemcpyDeviceToHost, s);
  if (n)
    goto out;
  cudaStreamSynchronize(s);
  printf("%f", h[0]);
out:;
}
void graphed(float *d, cudaStream_t s) {
  float *h;
  cudaMallocHost(&h, 64);
  cudaGraph_t g;
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  cudaMemcpyAsync(h, d, 64, cudaMemcpyDeviceToHost, s);
  cudaStreamEndCapture(s, &g);
  printf("%f", h[0]);
}
float cond(float *d, cudaStream_t s, bool async) {
  float *h;
  cudaMallocHost(&h, 64);
  if (async)
    cudaMemcpyAsync(h, d, 64, cudaMemcpyDeviceToHost, s);
  else
    cudaMemcpy(h, d, 64, cudaMemcpyDeviceToHost);
  if (async)
    cudaStreamSynchronize(s);
  return h[0];
}
float ternary(float *d, cudaStream_t s, bool async) {
  float *h;
  cudaMallocHost(&h, 64);
  cudaMemcpyAsync(h, d, 64, cudaMemcpyDeviceToHost, s);
  async ? cudaStreamSynchronize(s) : cudaDeviceSynchronize();
  return h[0];
}
static float *shared;
static void setup() { cudaMallocHost(&shared, 64); }
float global(float *d, cudaStream_t s) {
  setup();
  cudaMemcpyAsync(shared, d, 64, cudaMemcpyDeviceToHost, s);
  waitFor(s);
  return shared[0];
}
float globalMissing(float *d, cudaStream_t s) {
  cudaMemcpyAsync(shared, d, 64, cudaMemcpyDeviceToHost, s); // expect: autoprof-unsafe-early-read
  return shared[0];
}
float wrapped(float *d, cudaStream_t s) {
  float *h;
  cudaMallocHost(&h, 64);
  auto copy = [&] { cudaMemcpyAsync(h, d, 64, cudaMemcpyDeviceToHost, s); };
  copy();
  waitFor(s);
  return h[0];
}

// Not waited for.
float missing1(float *d, cudaStream_t s) {
  float *h;
  cudaMallocHost(&h, 64);
  CHECK(cudaMemcpyAsync(h, d, 64, cudaMemcpyDeviceToHost, s)); // expect: autoprof-unsafe-early-read
  printf("%f\n", h[0]);
  CHECK(cudaStreamSynchronize(s));
  return 0;
}
template <class T> T missing2(T *d, cudaStream_t s) {
  T *h;
  cudaMallocHost(&h, 64);
  cudaMemcpyAsync(h, d, 64, cudaMemcpyDeviceToHost, s); // expect: autoprof-unsafe-early-read
  return h[0];
}
float use(float *d, cudaStream_t s) { return missing2(d, s); }
float missing3(float *d, cudaStream_t s) {
  float *p;
  cudaMallocHost(&p, 64);
  std::unique_ptr<float, FreeHost> h(p);
  cudaMemcpyAsync(h.get(), d, 64, cudaMemcpyDeviceToHost, s); // expect: autoprof-unsafe-early-read
  return *h;
}
void missing4(float *d, cudaStream_t s, bool skip) {
  float *h;
  cudaMallocHost(&h, 64);
  cudaMemcpyAsync(d, h, 64, cudaMemcpyHostToDevice, s); // expect: autoprof-unsafe-buffer-lifetime
  if (skip)
    return;
  h[0] = 3;
  cudaStreamSynchronize(s);
}
void missing5(float *d, cudaStream_t s) {
  auto f = [=] {
    float *h;
    cudaMallocHost(&h, 64);
    cudaMemcpyAsync(h, d, 64, cudaMemcpyDeviceToHost, s); // expect: autoprof-unsafe-early-read
    return h[0];
  };
  f();
}
void missing6(float *d, cudaStream_t s) {
  float h[16];
  cudaHostRegister(h, 64, 0);
  cudaMemcpyAsync(d, h, 64, cudaMemcpyHostToDevice, s); // expect: autoprof-unsafe-buffer-lifetime
}
void registered(float *d, cudaStream_t s) {
  float h[16];
  cudaHostRegister(h, 64, 0);
  cudaMemcpyAsync(d, h, 64, cudaMemcpyHostToDevice, s);
  cudaHostUnregister(h);
}
float missing7(float *d, cudaStream_t s, int k) {
  float *h;
  cudaMallocHost(&h, 64);
  for (int i = 0; i < k; ++i) {
    cudaMemcpyAsync(h, d, 64, cudaMemcpyDeviceToHost, s); // expect: autoprof-unsafe-early-read
    if (i > 3)
      continue;
    printf("%f", h[i]);
  }
  return 0;
}

// Another thread waits, and an atomic variable tells.
void handshake(float *d, cudaStream_t s, std::atomic<int> &freed, int k) {
  float *h;
  cudaMallocHost(&h, 64);
  for (int i = 0; i < k; ++i) {
    while (freed.load() < i) {
    }
    h[0] = float(i);
    cudaMemcpyAsync(d, h, 64, cudaMemcpyHostToDevice, s);
  }
}
