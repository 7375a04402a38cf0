// What stands around a wait and matters to its advice.
// RUN: %check_rules
#include <chrono>
#include <cstdio>

__global__ void step(float *x);
__global__ void other(float *x);
static double use(const float *h) { return *h; }

static void wait() { cudaDeviceSynchronize(); } // expect: autoprof-sync-repeated; message: since cudaMemcpy at advice-context.cu:19 waited
static void fetch(float *h, const float *d) {
  cudaMemcpy(h, d, 4096, cudaMemcpyDeviceToHost); // expect: autoprof-copy-synchronous high
}

// Another wait is named where this function makes it, not in its wrapper.
void wrapped(float *x, float *h, int n) {
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(x);
    fetch(h, x);
    wait();
  }
}

// The time that is measured would be another one.
void timed(float *x, float *h, int n) {
  for (int i = 0; i < n; ++i) {
    auto start = std::chrono::steady_clock::now();
    step<<<1, 1>>>(x);
    cudaMemcpy(h, x, 4096, cudaMemcpyDeviceToHost); // expect: autoprof-copy-synchronous; advice: advice-context.cu:30, then includes less or other work of the GPU
    auto end = std::chrono::steady_clock::now();
    printf("%f %f\n", std::chrono::duration<double>(end - start).count(), use(h));
  }
}

// Only the copies order the streams.
void orders(float *x, float *y, const float *a, const float *b, int n) {
  cudaStream_t s, t;
  cudaStreamCreate(&s);
  cudaStreamCreate(&t);
  for (int i = 0; i < n; ++i) {
    step<<<1, 1, 0, s>>>(x);
    cudaMemcpy(y, a, 4096, cudaMemcpyHostToDevice); // expect: autoprof-copy-synchronous; advice: This call also orders the work at advice-context.cu:44, 
    cudaMemcpy(y + 1024, b, 4096, cudaMemcpyHostToDevice); // expect: same
    other<<<1, 1, 0, t>>>(x);
  }
}

// There is something to wait for only if the kernel was launched.
void sometimes(float *x, float *y, float *h, int n, bool more) {
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(y);
    cudaMemcpy(h, y, 4096, cudaMemcpyDeviceToHost); // expect: autoprof-copy-synchronous high
    printf("%f\n", use(h));
    if (more)
      other<<<1, 1>>>(x);
    cudaMemcpy(h, x, 4096, cudaMemcpyDeviceToHost); // expect: autoprof-copy-synchronous medium; message: if more
    printf("%f\n", use(h));
  }
}

// The data goes back to the GPU at once.
void bounces(float *x, float *y, float *h, int n) {
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(x);
    cudaMemcpy(h, x, 4096, cudaMemcpyDeviceToHost); // expect: autoprof-copy-synchronous; advice: if the host only copies the data back, at advice-context.cu:66, keep it on the GPU
    cudaMemcpy(y, h, 4096, cudaMemcpyHostToDevice); // expect: autoprof-copy-synchronous low
  }
}

// Nothing is queued before the host uses the data, in the next iteration.
void nextTime(float *x, float *h, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    sum += use(h);
    step<<<1, 1>>>(x);
    cudaMemcpy(h, x, 4096, cudaMemcpyDeviceToHost); // expect: autoprof-copy-synchronous; advice: The host uses the data immediately
  }
  printf("%f\n", sum);
}

// A clock that is read under a condition is for a log.
void logs(float *x, float *h, int n, bool verbose) {
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(x);
    cudaMemcpy(h, x, 4096, cudaMemcpyDeviceToHost); // expect: autoprof-copy-synchronous; no advice: The time that is read next
    if (verbose)
      printf("%f\n", std::chrono::steady_clock::now().time_since_epoch().count() + use(h));
  }
}

// The same field of two objects is two buffers. Reading what a copy reads does
// not overwrite it.
namespace objects {
struct Layer {
  float *Out, *OutGpu, *Sum, *In, *InGpu;
};
void consume(float);
float sum(Layer *l) { return l->Sum[0] + l->Out[1]; }
void forward(Layer *l) {
  step<<<1, 1>>>(l->OutGpu);
  cudaMemcpy(l->Out, l->OutGpu, 64, cudaMemcpyDeviceToHost); // expect: autoprof-copy-synchronous high; advice: where the host first uses the data
}
void cost(Layer *l) { consume(sum(l)); }
void load(Layer *l) {
  cudaMemcpy(l->InGpu, l->In, 1 << 20, cudaMemcpyHostToDevice); // expect: autoprof-copy-synchronous high; no advice: is overwritten, as at
  l->Sum[2] = l->In[0];
}
void train(Layer *a, Layer *b, int n) {
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(a->InGpu);
    load(a);
    forward(a);
    cost(b);
  }
}
} // namespace objects
