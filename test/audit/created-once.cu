// What a condition makes happen once is no finding of a loop.
// RUN: %check_rules
#include <map>
#include <mutex>

__global__ void step(float *x) { *x += 1; }
void release(float *x);

struct Workspace {
  float *Data = nullptr, *Spare = nullptr;
  size_t Have = 0;
  int Shape = 0;
  enum { Empty, Filled } State = Empty;

  void create() {
    if (Data == nullptr)
      cudaMalloc(&Data, 64);
    if (!Spare) {
      float *made;
      cudaMalloc(&made, 64);
      Spare = made;
    }
  }
  void grow(size_t need) {
    if (need <= Have)
      return;
    cudaFree(Data);
    cudaMalloc(&Data, need);
    Have = need;
  }
  void advance() {
    switch (State) {
    case Empty:
      cudaMalloc(&Data, 64);
      State = Filled;
      break;
    case Filled:
      step<<<1, 1>>>(Data);
      break;
    }
  }
  void reshape(int shape) {
    if (shape == Shape)
      return;
    cudaFree(Data);
    cudaMalloc(&Data, shape);
    Shape = shape;
  }
};

void members(Workspace &w, int n, size_t need, int shape) {
  for (int i = 0; i < n; ++i) {
    w.create();
    w.grow(need);
    w.advance();
    w.reshape(shape);
    step<<<1, 1>>>(w.Data);
  }
}

// A flag that only some iterations set.
bool good(const float *x);
void perhaps(float *x) {
  bool done = false;
  while (!done) {
    float *d;
    cudaMalloc(&d, 64); // expect: autoprof-memory-alloc-in-loop low
    step<<<1, 1>>>(x);
    cudaFree(d); // expect: autoprof-memory-alloc-in-loop high
    if (good(x))
      done = true;
  }
}

// The flag is set again after the host has cleared it: by the GPU, by a copy, or
// by a function that has its address.
__managed__ int changed;
__global__ void relax(float *x, int *flag) { *flag = changed = *x > 0; }
void set(bool &flag);
void check();
struct Retry {
  bool Again = true;
  void attempt();
  void run(float *x) {
    while (Again) {
      Again = false;
      step<<<1, 1>>>(x);
      cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop high
      attempt();
    }
  }
};
void converge(float *x, int *deviceFlag) {
  int round = 0;
  do {
    changed = 0;
    relax<<<1, 1>>>(x, deviceFlag);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop
  } while (changed && ++round < 1000);
  int more = 1;
  while (more) {
    more = 0;
    cudaMemcpy(deviceFlag, &more, 4, cudaMemcpyHostToDevice); // expect: autoprof-copy-synchronous
    relax<<<1, 1>>>(x, deviceFlag);
    cudaMemcpy(&more, deviceFlag, 4, cudaMemcpyDeviceToHost); // expect: autoprof-readback-steers-control
  }
  int *shared;
  cudaMallocManaged(&shared, 4);
  *shared = 1;
  while (*shared) {
    *shared = 0;
    relax<<<1, 1>>>(x, shared);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop
  }
}
void again(float *x, bool twice) {
  bool done = false;
  while (!done) {
    done = true;
    step<<<1, 1>>>(x);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop
    set(done);
  }
  done = false;
  while (!done) {
    done = true;
    step<<<1, 1>>>(x);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop
    if (twice)
      done = false;
  }
  bool seen = false;
  auto reset = [&seen, x] { seen = good(x); };
  do {
    seen = false;
    step<<<1, 1>>>(x);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop
    reset();
  } while (seen);
}

float *global;
void statics(int n) {
  static float *kept;
  static std::once_flag flag;
  for (int i = 0; i < n; ++i) {
    static float *made = [] {
      float *d;
      cudaMalloc(&d, 64);
      return d;
    }();
    if (kept == NULL)
      cudaMalloc(&kept, 64);
    if (!global)
      cudaMalloc(&global, 64);
    std::call_once(flag, [] { cudaMalloc(&global, 64); });
    step<<<1, 1>>>(made);
  }
}

// One for each key.
float *cached(std::map<int, float *> &all, int key) {
  auto known = all.find(key);
  if (known != all.end())
    return known->second;
  float *d;
  cudaMalloc(&d, 64);
  all[key] = d;
  return d;
}
float *counted(std::map<int, float *> &all, int key) {
  if (all.count(key) == 0) {
    float *d;
    cudaMalloc(&d, 64);
    all[key] = d;
  }
  return all[key];
}
void caches(std::map<int, float *> &all, int n, int key) {
  for (int i = 0; i < n; ++i)
    step<<<1, 1>>>(cached(all, key)), step<<<1, 1>>>(counted(all, key));
}

// What is given up in the same iteration is made again.
void again(int n) {
  float *d = nullptr;
  for (int i = 0; i < n; ++i) {
    if (!d)
      cudaMalloc(&d, 64);
    step<<<1, 1>>>(d);
    cudaFree(d); // expect: autoprof-memory-alloc-in-loop
    d = nullptr;
  }
}

// Another shape with each iteration.
void varies(Workspace &w, int n) {
  float *d = nullptr;
  int shape = 0;
  for (int i = 0; i < n; ++i) {
    if (i * i != shape) {
      cudaFree(d);
      cudaMalloc(&d, 64);
      shape = i * i;
    }
    step<<<1, 1>>>(d);
  }
}

// The last iteration.
void last(float *x, float *h, int n) {
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(x);
    if (i == n - 1)
      cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop low
    if (i + 1 == n)
      cudaMemcpy(h, x, 1 << 20, cudaMemcpyDeviceToHost); // expect: autoprof-copy-synchronous low
  }
}

// After an early exit, a flag that depends on data may take many iterations,
// and a counter always does.
struct Solver {
  bool Done = false, Ready = false;
  float *X = nullptr, *H = nullptr;
  int Calls = 0;
  cudaStream_t S;

  void untilItConverges() {
    if (Done)
      return;
    step<<<1, 1>>>(X);
    float error;
    cudaMemcpy(&error, X, 4, cudaMemcpyDeviceToHost); // expect: autoprof-readback-steers-control low
    Done = error < 1e-3f;
  }
  void untilAnIteration(int i) {
    if (Done)
      return;
    step<<<1, 1>>>(X);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop low
    if (i > 100)
      Done = true;
  }
  void limited(int limit) {
    if (Calls >= limit)
      return;
    step<<<1, 1>>>(X);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop low
    ++Calls;
  }
  // These are for the first call.
  bool prepare() {
    if (Ready)
      return true;
    if (cudaMalloc(&X, 64) == cudaSuccess)
      Ready = true;
    return Ready;
  }
  bool prepareAtOnce() {
    if (Ready)
      return true;
    Ready = cudaMalloc(&H, 64) == cudaSuccess;
    return Ready;
  }
  void make(bool spare) {
    if (X)
      return;
    if (spare)
      cudaMalloc(&X, 64);
  }
};
void solves(Solver &s, int n, int limit) {
  for (int i = 0; i < n; ++i) {
    s.prepare();
    s.prepareAtOnce();
    s.make(n > 3);
    s.untilItConverges();
    s.untilAnIteration(i);
    s.limited(limit);
    step<<<1, 1>>>(s.X);
  }
}
void inLoop(float *x, int n) {
  bool done = false;
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(x);
    if (done)
      return;
    float error;
    cudaMemcpy(&error, x, 4, cudaMemcpyDeviceToHost); // expect: autoprof-readback-steers-control high
    done = error < 1e-3f;
  }
}
