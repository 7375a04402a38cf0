// Waits that the host needs, because it then accesses memory that it shares with
// the GPU, or because each is for another device.
// RUN: %check_rules
#include <cstdlib>
#include <sys/time.h>
#include <vector>

__managed__ int stop;
__device__ __managed__ float table[64];
__global__ void step(float *x) {
  *x += 1;
  stop = 1;
}
void use(float);
void validate(float *);
double seconds() {
  timeval now;
  gettimeofday(&now, nullptr);
  return now.tv_sec;
}

// Managed variables.
void variable(float *d, int n) {
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(d);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop high
    if (stop)
      break;
  }
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(d);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop; advice: changes what queued work uses
    table[0] = i;
  }
  for (int i = 0; i < n; ++i) {
    ++stop;
    step<<<1, 1>>>(d);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop; advice: changes what queued work uses
  }
}
static float first() { return table[0]; }
float inHelper(float *d, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(d);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop high
    sum += first();
  }
  return sum;
}

// Managed memory, by the same name, another one, a field, in a function.
struct Model {
  float *weights;
};
void allocated(Model &m, int n) {
  float *x;
  cudaMallocManaged(&x, 64);
  cudaMallocManaged(&m.weights, 64);
  float *rest = x + 4;
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(x);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop high
    use(x[0]);
  }
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(x);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop high
    use(rest[0]);
  }
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(m.weights);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop high
    use(m.weights[0]);
  }
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(x);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop high
    validate(x);
  }
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(x);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop high; advice: wait once, after the loop
  }
  use(x[0]);
}
// What the host reads through the kernel's argument is not only on the GPU.
void given(float *x, int n) {
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(x);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop high
    use(x[0]);
  }
}
void buffers(float **x, int n) {
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(x[i]); // The host reads the pointer.
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop high; advice: wait once, after the loop
  }
}

// The caller accesses it.
static void finish() { cudaDeviceSynchronize(); } // expect: autoprof-sync-in-loop high; advice: keep the wait
void byCaller(int n) {
  float *x;
  cudaMallocManaged(&x, 64);
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(x);
    finish();
    use(x[0]);
  }
}

// Memory of the host that is mapped.
void mapped(int n) {
  float *h, *d, *r = static_cast<float *>(std::malloc(64)), *dr;
  cudaHostAlloc(&h, 64, cudaHostAllocMapped);
  cudaHostGetDevicePointer(&d, h, 0);
  cudaHostRegister(r, 64, cudaHostRegisterMapped);
  cudaHostGetDevicePointer(&dr, r, 0);
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(d);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop high
    use(h[0]);
  }
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(dr);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop high
    use(r[0]);
  }
  for (int i = 0; i < n; ++i) {
    h[0] = i;
    step<<<1, 1>>>(d);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop; advice: changes what queued work uses
  }
}

// The access may be what later work waits for.
void signals(int n) {
  float *h, *d;
  cudaHostAlloc(&h, 64, cudaHostAllocMapped);
  cudaHostGetDevicePointer(&d, h, 0);
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(d);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop; advice: changes what queued work uses
    step<<<1, 1>>>(d);
    h[0] = 1;
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop
  }
}

// The memory belongs to the host only after the wait.
void attached(cudaStream_t s, float **x, int n) {
  for (int i = 0; i < n; ++i) {
    step<<<1, 1, 0, s>>>(x[i]);
    cudaStreamAttachMemAsync(s, x[i], 0, cudaMemAttachHost);
    cudaStreamSynchronize(s); // it completes the kernel, too // expect: autoprof-sync-in-loop high
    use(x[i][0]);
  }
  for (int i = 0; i < n; ++i) {
    cudaStreamAttachMemAsync(s, x[i], 0, cudaMemAttachHost);
    cudaStreamSynchronize(s); // expect: autoprof-sync-in-loop
    use(x[i][0]);
    step<<<1, 1, 0, s>>>(x[i]);
    cudaStreamSynchronize(s); // expect: autoprof-sync-in-loop
  }
}

// Each wait is for another device.
struct Gpu {
  int device;
  cudaStream_t stream;
  float *x;
};
void devices(std::vector<Gpu> &gpus, int n, int steps) {
  for (int i = 0; i < steps; ++i) {
    for (Gpu &g : gpus) {
      cudaSetDevice(g.device);
      step<<<1, 1, 0, g.stream>>>(g.x);
    }
    for (Gpu &g : gpus) {
      cudaSetDevice(g.device);
      cudaStreamSynchronize(g.stream); // expect: autoprof-sync-in-loop high
    }
  }
  for (int g = 0; g < n; ++g) { // Each device has its own loop.
    cudaSetDevice(g);
    for (int i = 0; i < steps; ++i) {
      step<<<1, 1>>>(gpus[g].x);
      cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop high; advice: wait once, after the loop
    }
  }
}

void twoDevices(float *a, float *b, int n) {
  for (int i = 0; i < n; ++i) {
    cudaSetDevice(0);
    step<<<1, 1>>>(a);
    cudaDeviceSynchronize(); // expect: autoprof-sync-for-timing low
    use(seconds());
    cudaSetDevice(1);
    step<<<1, 1>>>(b);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop high
  }
}

// Not only for the clock.
void timed(float *d, cudaStream_t s, int n) {
  float *h, *m;
  cudaMallocHost(&h, 64);
  cudaMallocManaged(&m, 64);
  for (int i = 0; i < n; ++i) {
    double begin = seconds();
    step<<<1, 1, 0, s>>>(m);
    cudaStreamSynchronize(s); // expect: autoprof-sync-in-loop high
    double end = seconds();
    use(end - begin + m[0]);
    step<<<1, 1, 0, s>>>(d);
    cudaMemcpyAsync(h, d, 64, cudaMemcpyDeviceToHost, s);
    cudaStreamSynchronize(s); // expect: autoprof-sync-in-loop high; advice: The host uses the result immediately
    use(seconds());
    validate(h);
    step<<<1, 1, 0, s>>>(d);
    cudaStreamSynchronize(s); // expect: autoprof-sync-for-timing low; advice: record a pair of events
    use(seconds());
  }
}

// Destroying a stream needs no wait.
void destroys(float *x, int n) {
  for (int i = 0; i < n; ++i) {
    cudaStream_t s;
    cudaStreamCreate(&s);
    step<<<1, 1, 0, s>>>(x);
    cudaStreamSynchronize(s); // expect: autoprof-sync-in-loop high; no advice: keep the wait
    cudaStreamDestroy(s);
  }
}
