// How often a call runs: each iteration, every so many, or once for a loop of
// its own.
// RUN: %check_rules
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void step(float *x) { *x += 1; }

void remainder(float *x, float *h, int n) {
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(x);
    if (i % 100 == 0)
      cudaMemcpy(h, x, 1 << 20, cudaMemcpyDeviceToHost); // expect: autoprof-copy-synchronous low
    const bool log = i % 10 == 0;
    if (log)
      cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop low
    if ((i & 63) == 0)
      cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop low
    if (i % 100 != 0)
      continue;
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop low
  }
}

// By way of a parameter, a field, a function.
struct Trainer {
  float *X;
  bool Report = false;
  void train(bool log) {
    step<<<1, 1>>>(X);
    if (log)
      cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop low
    if (Report)
      cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop low
  }
};
bool isTime(int i) { return i % 50 == 0; }
void trainer(Trainer &t, int n) {
  for (int i = 0; i < n; ++i) {
    t.Report = (i + 1) % 10 == 0;
    t.train(i % 20 == 0);
    if (isTime(i))
      cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop low
  }
}

// The right side of `&&` and `||`, and the sides of `?:`.
static bool isNear(float *h, const float *x, cudaStream_t s) {
  cudaMemcpyAsync(h, x, 4, cudaMemcpyDeviceToHost, s);
  cudaStreamSynchronize(s); // expect: autoprof-readback-steers-control low
  return *h < 1;
}
static bool isFar(float *h, const float *x) {
  cudaMemcpy(h, x, 4, cudaMemcpyDeviceToHost); // expect: autoprof-readback-steers-control low
  return *h > 9;
}
static bool isLarge(float *h, const float *x) {
  cudaMemcpy(h, x, 4, cudaMemcpyDeviceToHost); // expect: autoprof-readback-steers-control low
  return *h > 5;
}
static bool isSmall(float *h, const float *x) {
  cudaMemcpy(h, x, 4, cudaMemcpyDeviceToHost); // expect: autoprof-readback-steers-control low
  return *h > 5;
}
static bool isEven(float *h, const float *x) {
  cudaMemcpy(h, x, 4, cudaMemcpyDeviceToHost); // expect: autoprof-readback-steers-control high; message: in each iteration
  return *h > 5;
}
static bool isOdd(float *h, const float *x) {
  cudaMemcpy(h, x, 4, cudaMemcpyDeviceToHost); // expect: autoprof-readback-steers-control low
  return *h > 5;
}
void operands(float *x, cudaStream_t s, int n, bool other) {
  float *h;
  cudaMallocHost(&h, 4);
  for (int i = 0; i < n; ++i) {
    step<<<1, 1, 0, s>>>(x);
    if (i % 50 == 0 && isNear(h, x, s))
      break;
    const bool due = i % 40 == 0;
    if (due && isFar(h, x))
      break;
    if (!due || isLarge(h, x))
      step<<<1, 1, 0, s>>>(x);
    if (i % 30 == 0 ? isSmall(h, x) : false)
      break;
    if (cudaPeekAtLastError() == cudaSuccess && isEven(h, x))
      break;
    if (other && isOdd(h, x))
      break;
  }
  cudaFreeHost(h);
}

// Nested loops, with a guard between them.
void nested(float *x, int n) {
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      step<<<1, 1>>>(x);
      cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop high
    }
    if (i % 10 == 0)
      for (int j = 0; j < n; ++j) {
        step<<<1, 1>>>(x);
        cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop low
      }
    if (i == 0)
      for (int j = 0; j < n; ++j) {
        step<<<1, 1>>>(x);
        cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop low
      }
  }
}

// The way without a test decides, though it is longer.
static void finish() {
  cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop high
}
static void finishAll() { finish(); }
void ways(float *x, int n, bool check) {
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(x);
    if (i % 100 == 0)
      finish();
    finishAll();
  }
}

// Around a launching loop of its own function.
void solve(float *h, int n) {
  float *d;
  cudaMalloc(&d, 1 << 20); // expect: autoprof-memory-alloc-in-loop low
  cudaMemcpy(d, h, 1 << 20, cudaMemcpyHostToDevice); // expect: autoprof-copy-synchronous low
  for (int i = 0; i < n; ++i)
    step<<<1, 1>>>(d);
  cudaMemcpy(h, d, 1 << 20, cudaMemcpyDeviceToHost); // expect: autoprof-copy-synchronous high
  cudaFree(d); // expect: autoprof-memory-alloc-in-loop low
}
void solveAll(float *h, int n) {
  for (int i = 0; i < n; ++i)
    solve(h, n);
}

// A benchmark: sizes, and repetitions of each.
void bench(float *h) {
  cudaEvent_t begin, end;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  for (size_t size = 1 << 10; size <= 1 << 26; size *= 2) {
    float *d;
    cudaMalloc(&d, size); // expect: autoprof-memory-alloc-in-loop low
    cudaMemcpy(d, h, size, cudaMemcpyHostToDevice); // expect: autoprof-copy-synchronous low
    cudaEventRecord(begin);
    for (int i = 0; i < 100; ++i)
      step<<<1, 1>>>(d);
    cudaEventRecord(end);
    cudaEventSynchronize(end); // expect: autoprof-sync-for-timing low
    float ms;
    cudaEventElapsedTime(&ms, begin, end);
    printf("%f\n", ms);
    cudaFree(d); // expect: autoprof-memory-alloc-in-loop low
  }
}

// What ends the program.
bool fine(cudaError_t e);
void checks(float *x, int n) {
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(x);
    if (!fine(cudaGetLastError())) {
      cudaDeviceSynchronize();
      cudaFree(x);
      exit(1);
    }
    try {
      step<<<1, 1>>>(x);
    } catch (...) {
      cudaDeviceSynchronize();
    }
  }
}

// Of a training step: its layers are a loop of their own, and the loss counts.
void layers(float *x, int steps, int layers) {
  for (int i = 0; i < steps; ++i) {
    for (int l = 0; l < layers; ++l)
      step<<<1, 1>>>(x);
    float loss;
    cudaMemcpy(&loss, x, 4, cudaMemcpyDeviceToHost); // expect: autoprof-readback-printed high
    printf("%f\n", loss);
  }
}

// A counter that the branch sets back: every so many times.
struct Samples {
  int Left = 0, Size = 1000;
  float *Host, *Device;
  float next() {
    if (Left == 0) {
      step<<<1, 1>>>(Device);
      cudaMemcpy(Host, Device, 1 << 20, cudaMemcpyDeviceToHost); // expect: autoprof-copy-synchronous low
      Left = Size;
    }
    return Host[Size - Left--];
  }
};
float draw(Samples &s, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i)
    sum += s.next();
  return sum;
}
int frames = 0, limit = 60;
void frame(float *x, float *h, int n) {
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(x);
    ++frames;
    if (frames >= limit) {
      cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop low
      frames = 0;
    }
    if (frames >= limit)
      cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop low
  }
}

// Where a person presses a key.
void pressed(unsigned char key, float *x, float *h) {
  switch (key) {
  case 'r':
    cudaMemcpy(x, h, 1 << 20, cudaMemcpyHostToDevice); // expect: autoprof-copy-synchronous low
    break;
  }
  if (key == 's')
    cudaMemcpy(h, x, 1 << 20, cudaMemcpyDeviceToHost); // expect: autoprof-copy-synchronous low
}
int readKey();
void events(float *x, float *h, int n) {
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(x);
    pressed(readKey(), x, h);
  }
}

// Each iteration makes an object that is kept: where the program launches more
// elsewhere, this is a minor loop.
void images(float **d, const float *h, int n) {
  for (int i = 0; i < n; ++i) {
    cudaMalloc(&d[i], 1 << 20); // expect: autoprof-memory-alloc-in-loop low
    cudaMemcpy(d[i], h, 1 << 20, cudaMemcpyHostToDevice); // expect: autoprof-copy-synchronous high
    step<<<1, 1>>>(d[i]);
  }
}
void given(float **d, int n) {
  for (int i = 0; i < n; ++i) {
    cudaMalloc(&d[i], 1 << 20); // expect: autoprof-memory-alloc-in-loop low
    step<<<1, 1>>>(d[i]);
    cudaFree(d[i]); // expect: autoprof-memory-alloc-in-loop medium
  }
}

// Once in a while, by a clock. The advice does not repeat what the code does.
double seconds() {
  return std::chrono::duration<double>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}
void whiles(float *x, int n) {
  auto last = std::chrono::steady_clock::now();
  double next = seconds(), best = 1e9;
  for (int i = 0; i < n; ++i) {
    float v;
    step<<<1, 1>>>(x);
    auto now = std::chrono::steady_clock::now();
    if (now - last > std::chrono::seconds(1)) {
      last = now;
      cudaMemcpy(&v, x, 4, cudaMemcpyDeviceToHost); // expect: autoprof-readback-printed low; advice: later
      printf("%f\n", v);
    }
    if (seconds() > next) {
      cudaDeviceSynchronize(); // expect: autoprof-sync-for-timing low
      next = seconds() + 0.5;
    }
    const double took = seconds() - next;
    if (took < best) {
      cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop low
      best = took;
    }
    step<<<1, 1>>>(x);
    if (i % 50 == 0) {
      cudaMemcpy(&v, x, 4, cudaMemcpyDeviceToHost); // expect: autoprof-readback-steers-control low
      if (v < 1e-3f)
        break;
    }
  }
}

// `continue` is like a branch that is not taken; a counter that is reset counts
// up to its limit first.
namespace skipped {
struct Queue {
  float *x;
  int pending = 0;
  void push() {
    step<<<1, 1>>>(x);
    ++pending;
  }
  void drain() {
    if (pending >= 64) {
      cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop low; message: in some iterations
      pending = 0;
    }
  }
  void drainLate() {
    if (pending < 64)
      return;
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop low
    pending = 0;
  }
};
void queues(Queue &q, int n) {
  for (int i = 0; i < n; ++i) {
    q.push();
    q.drain();
  }
  for (int i = 0; i < n; ++i) {
    q.push();
    q.drainLate();
  }
}
void conditions(float *x, int *wanted, int n) {
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(x);
    if (wanted[i])
      cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop low; message: in some iterations
  }
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(x);
    if (!wanted[i])
      continue;
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop low; message: in some iterations
  }
  int pending = 0;
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(x);
    if (++pending < 64)
      continue;
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop low
    pending = 0;
  }
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(x);
    pending = pending + 1;
    if (pending == 64) {
      cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop low
      pending = 0;
    }
  }
}
} // namespace skipped

// A flag that begins as false is off unless somebody sets it; a number is
// seldom 0, but the condition is stated.
struct Feature {
  bool On = false;
  int Count = 0;
  void flagged(float *x) {
    if (!On)
      return;
    step<<<1, 1>>>(x);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop low; message: if On
  }
  void counted(float *x) {
    if (Count == 0)
      return;
    step<<<1, 1>>>(x);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop high; message: if !(Count == 0)
  }
};
void features(Feature &f, bool on, int count, float *x, int n) {
  f.On = on;
  f.Count = count;
  for (int i = 0; i < n; ++i) {
    f.flagged(x);
    f.counted(x);
  }
}

// A condition around the loop is one of the wait, too; a rarer one in it says
// more.
void rarer(float *x, bool full, int n) {
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(x);
    step<<<1, 1>>>(x);
    if (full)
      for (int j = 0; j < n; ++j) {
        step<<<1, 1>>>(x);
        if (j % 10 == 0)
          cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop low; message: if j % 10 == 0
      }
  }
}
void optional(float *x, bool full, int n) {
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(x);
    step<<<1, 1>>>(x);
    if (full)
      for (int j = 0; j < n; ++j) {
        step<<<1, 1>>>(x);
        cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop medium; message: if full
      }
  }
}

// Where a part of a condition is not known, nothing is known of when it holds.
// The elements of a list differ, and some hold.
void parts(std::vector<float> &models, const std::vector<bool> &needed,
           bool full, float *x, int n, int classes) {
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(x);
    for (int c = 0; c < classes; ++c)
      if (full && models.empty())
        cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop low
    step<<<1, 1>>>(x);
    for (int c = 0; c < classes; ++c)
      if (full && needed[c])
        cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop medium
    models.push_back(0);
  }
}
