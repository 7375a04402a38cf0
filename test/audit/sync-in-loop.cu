// An explicit wait in a launching loop.
// RUN: %check_rules
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                            \
  do {                                                                         \
    cudaError_t e = (call);                                                    \
    if (e != cudaSuccess)                                                      \
      return;                                                                  \
  } while (0)

__global__ void step(float *x) { *x += 1; }

void each(float *x, int steps, cudaStream_t s) {
  cudaDeviceSynchronize(); // once
  for (int i = 0; i < steps; ++i) {
    step<<<1, 1, 0, s>>>(x);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop high
  }
  while (steps-- > 0) {
    step<<<1, 1, 0, s>>>(x);
    CHECK(cudaStreamSynchronize(s)); // expect: autoprof-sync-in-loop high
  }
  step<<<1, 1, 0, s>>>(x);
  cudaStreamSynchronize(s); // once, after the loop
}

void nested(float *x, int n) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      step<<<1, 1>>>(x);
      cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop high
    }
}

void sometimes(float *x, int n, bool verbose) {
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(x);
    if (i % 100 == 0)
      cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop low
    if (verbose)
      cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop medium
    if (i == 0)
      cudaDeviceSynchronize(); // once // expect: autoprof-sync-in-loop low
    if (*x > 7) {
      cudaDeviceSynchronize(); // the loop ends here
      break;
    }
    if (cudaGetLastError() != cudaSuccess) {
      cudaDeviceSynchronize(); // on the way out
      return;
    }
  }
}

// Reached through calls: the loop is the caller's.
static void finish(cudaStream_t s) {
  cudaStreamSynchronize(s); // expect: autoprof-sync-in-loop high
}
static void forward(float *x, cudaStream_t s) {
  step<<<1, 1, 0, s>>>(x);
  finish(s);
}
void train(float *x, cudaStream_t s, int steps) {
  for (int i = 0; i < steps; ++i)
    forward(x, s);
}

// Loops that do not launch, or hardly loop.
void quiet(std::vector<cudaStream_t> streams, float *x, int n) {
  for (cudaStream_t s : streams)
    cudaStreamSynchronize(s);
  for (int i = 0; i < 3; ++i) {
    step<<<1, 1>>>(x);
    cudaDeviceSynchronize();
  }
  do {
    step<<<1, 1>>>(x);
    cudaDeviceSynchronize();
  } while (0);
  for (int device = 0; device < n; ++device) {
    cudaSetDevice(device);
    step<<<1, 1>>>(x);
    cudaDeviceSynchronize();
  }
}

// Calls that do not wait.
void queries(float *x, cudaStream_t s, cudaEvent_t e, int n) {
  for (int i = 0; i < n; ++i) {
    step<<<1, 1, 0, s>>>(x);
    cudaEventRecord(e, s);
    cudaStreamWaitEvent(s, e, 0);
    cudaStreamQuery(s);
  }
}

// The user's function with a similar name.
namespace mine {
void cudaDeviceSynchronize() {}
} // namespace mine
void similar(float *x, int n) {
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(x);
    mine::cudaDeviceSynchronize();
  }
}

// Virtual: one of these is called, perhaps the one that waits.
struct Model {
  virtual void end() {}
  virtual ~Model() = default;
};
struct Waiting : Model {
  void end() override { cudaDeviceSynchronize(); } // expect: autoprof-sync-in-loop medium
};
void perhaps(Model &m, float *x, int n) {
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(x);
    m.end();
  }
}

// An event of an earlier iteration bounds how far the CPU runs ahead.
void ahead(float *x, cudaStream_t s, cudaEvent_t *done, int n) {
  for (int i = 0; i < n; ++i) {
    if (i > 1)
      cudaEventSynchronize(done[i % 2]);
    step<<<1, 1, 0, s>>>(x);
    cudaEventRecord(done[i % 2], s);
  }
  for (int i = 0; i < n; ++i) {
    step<<<1, 1, 0, s>>>(x);
    cudaEventRecord(done[0], s);
    cudaEventSynchronize(done[0]); // expect: autoprof-sync-in-loop high
  }
}

// Templates that nobody instantiates: which kernel it is depends on them.
template <class T> __global__ void fill(T *dst, int n) { *dst = n; }
template <class T> struct Filler {
  template <class K> void run(T *x, int n, K kernel) {
    for (int i = 0; i < n; ++i) {
      fill<<<1, 1>>>(x, n);
      fill<T><<<1, 1>>>(x, n);
      kernel<<<1, 1>>>(x, n);
      cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop high
    }
  }
};

// Loops that run a few times, as far as their text says.
void few(float *x, int n) {
  int kinds = 3, more = 3;
  ++more;
  for (int i = 0; i < kinds; ++i) {
    step<<<1, 1>>>(x);
    cudaDeviceSynchronize();
  }
  for (int i = 0; i < more; ++i) {
    step<<<1, 1>>>(x);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop high
  }
  for (int i = 1; i <= 1024; i *= 2) {
    step<<<1, 1>>>(x);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop high
  }
  for (int i = 0; i < n && i != 4; i += 2) {
    step<<<1, 1>>>(x);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop high
  }
  for (int size : {16, 32, 64}) {
    step<<<size, 1>>>(x);
    cudaDeviceSynchronize();
  }
  const int sizes[] = {1, 2, 4, 8, 16, 32};
  for (int size : sizes) {
    step<<<size, 1>>>(x);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop high
  }
  for (int i = 0; i < 4; ++i) {
    step<<<1, 1>>>(x);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop high
    if (n > 7)
      i = 0;
  }
}

// The device is chosen by a loop in the loop, or by nothing that it counts.
void devices(float **x, int count, int n) {
  for (int i = 0; i < n; ++i) {
    for (int d = 0; d < count; ++d) {
      cudaSetDevice(d);
      step<<<1, 1>>>(x[d]);
    }
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop high
  }
  int last = count - 1;
  for (int i = 0; i < n; ++i) {
    cudaSetDevice(last);
    step<<<1, 1>>>(x[0]);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop high
  }
  int d = 0;
  while (d < count) {
    const int chosen = d++;
    cudaSetDevice(chosen);
    step<<<1, 1>>>(x[chosen]);
    cudaDeviceSynchronize();
  }
}

// A mode is no counter.
void modes(float *x, int mode, int n) {
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(x);
    if (mode == 1)
      cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop medium
    if (i == 1)
      cudaDeviceSynchronize(); // once // expect: autoprof-sync-in-loop low
  }
}

// What a helper is given runs in the helper's loop.
template <typename F> void repeat(int n, F f) {
  for (int i = 0; i < n; ++i)
    f(i);
}
struct Once {
  template <typename F> void operator()(F f) { f(0); }
};
void helpers(float *x, int n) {
  repeat(n, [=](int i) {
    step<<<1, 1>>>(x);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop high
  });
  repeat(n, [=](int i) {
    step<<<i, 1>>>(x);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop high
  });
  Once()([=](int i) {
    step<<<1, 1>>>(x);
    cudaDeviceSynchronize();
  });
}

// A branch with checks that may exit is no error's.
#define CHECK_OR_EXIT(call)                                                    \
  do {                                                                         \
    if ((call) != cudaSuccess) {                                               \
      printf("failed\n");                                                      \
      exit(1);                                                                 \
    }                                                                          \
  } while (0)
void branches(float *x, int n, bool gpu) {
  cudaError_t state = cudaSuccess;
  for (int i = 0; i < n; ++i) {
    if (gpu) {
      step<<<1, 1>>>(x);
      CHECK_OR_EXIT(cudaDeviceSynchronize()); // expect: autoprof-sync-in-loop medium
    } else {
      CHECK_OR_EXIT(cudaDeviceSynchronize());
      exit(2);
    }
    if (state == cudaSuccess && gpu) {
      step<<<1, 1>>>(x);
      cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop medium
      printf("work\n");
    }
    if (state != cudaSuccess && gpu)
      cudaDeviceSynchronize();
  }
}

// `return` ends one call, not the caller's loop; `break` of a switch ends no
// loop.
static bool advance(float *x, int mode) {
  if (mode > 3) {
    step<<<1, 1>>>(x);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop low
    return true;
  }
  if (mode > 2) {
    cudaDeviceSynchronize(); // the caller is told to stop // expect: autoprof-sync-in-loop low
    return false;
  }
  for (;;) {
    step<<<1, 1>>>(x);
    if (mode == -1) {
      cudaStreamSynchronize(0); // expect: autoprof-sync-in-loop low
      return mode;
    }
  }
}
void advances(float *x, int n) {
  for (int i = 0; i < n; ++i)
    advance(x, i);
}
void switches(float *x, int n, int mode) {
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(x);
    switch (mode) {
    case 1:
      if (n > 7) {
        cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop medium
        break;
      }
    }
  }
}

// It completes a copy whose data is used: that is said at the copy, if the copy
// may wait.
float completes(float *d, cudaStream_t s, int n) {
  float *pinned, *never, value, sum = 0;
  cudaMallocHost(&pinned, 64);
  cudaMallocHost(&never, 64);
  for (int i = 0; i < n; ++i) {
    step<<<1, 1, 0, s>>>(d);
    cudaMemcpyAsync(pinned, d, 64, cudaMemcpyDeviceToHost, s);
    CHECK_OR_EXIT(cudaStreamSynchronize(s)); // expect: autoprof-sync-in-loop high
    sum += pinned[0];
  }
  for (int i = 0; i < n; ++i) {
    step<<<1, 1, 0, s>>>(d);
    cudaMemcpyAsync(&value, d, 4, cudaMemcpyDeviceToHost, s); // expect: autoprof-readback-steers-control high
    cudaStreamSynchronize(s); // expect: autoprof-sync-repeated low
    if (value < 1)
      break;
  }
  for (int i = 0; i < n; ++i) {
    cudaMemcpyAsync(never, d, 64, cudaMemcpyDeviceToHost, s);
    step<<<1, 1, 0, s>>>(d);
    cudaStreamSynchronize(s); // expect: autoprof-sync-in-loop high
  }
  return sum;
}
