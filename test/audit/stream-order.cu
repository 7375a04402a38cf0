// Without a wait, only streams order the GPU's work: advice must not remove the
// only order.
// RUN: %check_rules
#include <cstdio>

__global__ void step(float *x) { *x += 1; }
static void launchOn(float *x, cudaStream_t s) { step<<<1, 1, 0, s>>>(x); }

float nonBlocking(float *d, int n) {
  cudaStream_t nb, other, joined;
  cudaStreamCreateWithFlags(&nb, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
  cudaStreamCreate(&joined);
  float v, sum = 0;
  // The copy is on the legacy stream, which does not wait for nb.
  for (int i = 0; i < n; ++i) {
    step<<<1, 1, 0, nb>>>(d);
    cudaStreamSynchronize(nb); // expect: autoprof-sync-in-loop high; no advice: wait once
    cudaMemcpy(&v, d, 4, cudaMemcpyDeviceToHost); // expect: autoprof-copy-synchronous
    sum += v;
  }
  for (int i = 0; i < n; ++i) {
    step<<<1, 1, 0, nb>>>(d);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop high; no advice: wait once
    cudaMemcpy(&v, d, 4, cudaMemcpyDeviceToHost); // expect: autoprof-copy-synchronous
    sum += v;
  }
  // A kernel on the legacy stream, on another non-blocking one, on any.
  for (int i = 0; i < n; ++i) {
    step<<<1, 1, 0, nb>>>(d);
    cudaStreamSynchronize(nb); // expect: autoprof-sync-in-loop high; no advice: after the loop
    step<<<1, 1>>>(d);
  }
  for (int i = 0; i < n; ++i) {
    step<<<1, 1, 0, nb>>>(d);
    cudaStreamSynchronize(nb); // expect: autoprof-sync-in-loop high; no advice: after the loop
    step<<<1, 1, 0, other>>>(d);
  }
  for (int i = 0; i < n; ++i) {
    step<<<1, 1, 0, nb>>>(d);
    cudaStreamSynchronize(nb); // expect: autoprof-sync-in-loop high
    launchOn(d, other);
  }
  // Not only the next work counts.
  for (int i = 0; i < n; ++i) {
    step<<<1, 1, 0, nb>>>(d);
    cudaStreamSynchronize(nb); // expect: autoprof-sync-in-loop high; advice: stream-order.cu:49; no advice: after the loop
    step<<<1, 1, 0, nb>>>(d);
    step<<<1, 1>>>(d);
  }
  // The wait looks as if it were only for errors.
  for (int i = 0; i < n; ++i) {
    step<<<1, 1, 0, nb>>>(d);
    cudaStreamSynchronize(nb); // expect: autoprof-sync-in-loop high
    cudaGetLastError();
    step<<<1, 1>>>(d);
  }
  // Ordered by streams.
  for (int i = 0; i < n; ++i) {
    step<<<1, 1, 0, nb>>>(d);
    cudaStreamSynchronize(nb); // expect: autoprof-sync-in-loop high; no advice: keep the wait; no advice: Keep the wait
    step<<<1, 1, 0, nb>>>(d);
  }
  for (int i = 0; i < n; ++i) {
    step<<<1, 1, 0, joined>>>(d);
    cudaStreamSynchronize(joined); // expect: autoprof-sync-in-loop high; no advice: keep the wait; no advice: Keep the wait
    step<<<1, 1>>>(d);
  }
  for (int i = 0; i < n; ++i) {
    step<<<1, 1, 0, nb>>>(d);
    cudaStreamSynchronize(nb); // expect: autoprof-sync-in-loop high; no advice: other streams
    cudaGetLastError();
    step<<<1, 1, 0, nb>>>(d);
  }
  return sum;
}

// The host needs the wait, too.
float read(float *d, float *e, cudaStream_t given, int n) {
  cudaStream_t nb;
  cudaStreamCreateWithFlags(&nb, cudaStreamNonBlocking);
  float *h, sum = 0;
  cudaMallocHost(&h, 4);
  for (int i = 0; i < n; ++i) {
    step<<<1, 1, 0, nb>>>(d);
    cudaMemcpyAsync(h, d, 4, cudaMemcpyDeviceToHost, nb);
    cudaStreamSynchronize(nb); // to keep: the host needs it // expect: autoprof-sync-in-loop high; advice: must still wait
    sum += *h;
    step<<<1, 1>>>(e);
  }
  // Whether this stream is another one is not known.
  for (int i = 0; i < n; ++i) {
    step<<<1, 1, 0, nb>>>(d);
    cudaStreamSynchronize(nb); // expect: autoprof-sync-in-loop high; advice: order
    step<<<1, 1, 0, given>>>(d);
  }
  return sum;
}

// What waits on the legacy stream does not wait for all work.
void named(float *d, float *h, int n) {
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(d);
    cudaMemcpy(h, d, 4096, cudaMemcpyDeviceToHost); // expect: autoprof-copy-synchronous
  }
}

// Work that a function or a copy has waited for needs no order any more.
static void finish(cudaStream_t s) { cudaStreamSynchronize(s); } // expect: autoprof-sync-in-loop
static void queueAndLeave(float *d, cudaStream_t s) {
  cudaStreamSynchronize(s); // expect: autoprof-sync-repeated low
  step<<<1, 1, 0, s>>>(d);
}
float completed(float *d, float *x, float *hx, float *v, int n) {
  cudaStream_t s, up;
  cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&up, cudaStreamNonBlocking);
  float sum = 0, w;
  for (int i = 0; i < n; ++i) {
    hx[0] = i;
    cudaMemcpyAsync(x, hx, 1 << 20, cudaMemcpyHostToDevice, up);
    finish(up);
    step<<<1, 1, 0, s>>>(d);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop high; no advice: keep the wait
    step<<<1, 1, 0, s>>>(d);
    finish(s);
    cudaMemcpy(&w, d, 4, cudaMemcpyDeviceToHost); // expect: autoprof-copy-synchronous
    sum += w;
  }
  // The function queues more work after its wait.
  for (int i = 0; i < n; ++i) {
    queueAndLeave(x, up);
    step<<<1, 1, 0, s>>>(d);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop high; no advice: wait once
    step<<<1, 1, 0, s>>>(x);
  }
  // One stream, and a copy that blocks the host.
  for (int i = 0; i < n; ++i) {
    step<<<1, 1, 0, s>>>(d);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop high; no advice: keep the wait
    step<<<1, 1, 0, s>>>(d);
    cudaStreamSynchronize(s); // expect: autoprof-sync-in-loop; no advice: wait once
    cudaMemcpy(&w, d, 4, cudaMemcpyDeviceToHost); // expect: autoprof-copy-synchronous
    sum += w;
  }
  return sum;
}

// All work is on one stream, which orders it.
int main() {
  cudaStream_t s;
  cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
  float *a, *b;
  cudaMalloc(&a, 64);
  cudaMalloc(&b, 64);
  for (int i = 0; i < 1000; ++i) {
    step<<<1, 1, 0, s>>>(a);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop high
    step<<<1, 1, 0, s>>>(b);
  }
}
void onlyOne(float *a, float *b, cudaStream_t s, int n) {
  for (int i = 0; i < n; ++i) {
    step<<<1, 1, 0, s>>>(a);
    cudaStreamSynchronize(s); // expect: autoprof-sync-in-loop high
    step<<<1, 1, 0, s>>>(b);
  }
  for (int i = 0; i < n; ++i) {
    step<<<1, 1, 0, s>>>(a);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop high
    step<<<1, 1, 0, s>>>(b);
  }
}

// Memory that is freed in the order of the stream needs no wait.
void orderedFree(cudaStream_t s, cudaStream_t t, int n) {
  float *x;
  for (int i = 0; i < n; ++i) {
    cudaMallocAsync((void **)&x, 64, s);
    step<<<1, 1, 0, s>>>(x);
    cudaStreamSynchronize(s); // expect: autoprof-sync-in-loop high; no advice: freed
    cudaFreeAsync(x, s);
  }
  for (int i = 0; i < n; ++i) {
    step<<<1, 1, 0, t>>>(x);
    cudaStreamSynchronize(t); // expect: autoprof-sync-in-loop high; advice: order the streams with an event
    cudaFreeAsync(x, s);
  }
}

// The wait also protects the source of the copy.
static void fill(float *h);
void upload(float *x, int n) {
  cudaStream_t up, work;
  float *h;
  cudaStreamCreateWithFlags(&up, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&work, cudaStreamNonBlocking);
  cudaMallocHost(&h, 64);
  for (int i = 0; i < n; ++i) {
    fill(h);
    cudaMemcpyAsync(x, h, 64, cudaMemcpyHostToDevice, up);
    cudaStreamSynchronize(up); // expect: autoprof-sync-in-loop high; advice: must still wait
    step<<<1, 1, 0, work>>>(x);
    cudaStreamSynchronize(work); // expect: autoprof-sync-in-loop high; no advice: changes its source
  }
}
static void fill(float *h) { *h += 1; }

// What each branch of a condition orders anew is not named.
void ordersAgain(float *d, bool checks, int n) {
  cudaStream_t one, other;
  cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
  for (int i = 0; i < n; ++i) {
    step<<<1, 1, 0, one>>>(d);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop high; advice: stream-order.cu:219 after work; no advice: stream-order.cu:226
    step<<<1, 1, 0, other>>>(d);
    if (checks) {
      step<<<1, 1, 0, other>>>(d);
      cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop medium
    } else {
      step<<<1, 1, 0, other>>>(d);
      cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop medium
    }
    step<<<1, 1, 0, one>>>(d);
    step<<<1, 1, 0, other>>>(d);
  }
}
