// What is advised must not break the program.
// RUN: %check_rules
#include <cstdio>
#include <cublas_v2.h>
#include <vector>

__global__ void step(float *x) { *x += 1; }
extern "C" int MPI_Send(const void *, int, int, int, int, int);
void use(const float *);

// The host, or another library, needs the data at once.
void readNext(float *x, float *h, cudaStream_t s, int n) {
  for (int i = 0; i < n; ++i) {
    step<<<1, 1, 0, s>>>(x);
    cudaMemcpyAsync(h, x, 4096, cudaMemcpyDeviceToHost, s);
    cudaStreamSynchronize(s); // expect: autoprof-sync-in-loop high; no advice: WaitEvent
    use(h);
  }
}
void sent(float *x, cudaStream_t s, int n) {
  for (int i = 0; i < n; ++i) {
    step<<<1, 1, 0, s>>>(x);
    cudaStreamSynchronize(s); // expect: autoprof-sync-in-loop high; no advice: WaitEvent
    MPI_Send(x, 1, 0, 0, 0, 0);
  }
}

// Managed memory is not of a pool.
void managed(int n) {
  for (int i = 0; i < n; ++i) {
    float *x;
    cudaMallocManaged(&x, 64); // takes microseconds
    step<<<1, 1>>>(x);
    cudaFree(x); // expect: autoprof-memory-alloc-in-loop; no advice: cudaFreeAsync
  }
}

// The same handle takes alpha from the host.
void norms(cublasHandle_t handle, float *x, int n) {
  const float alpha = 2;
  for (int i = 0; i < n; ++i) {
    float norm;
    cublasSscal(handle, n, &alpha, x, 1);
    cublasSnrm2(handle, n, x, 1, &norm); // expect: autoprof-readback-printed
    printf("%f\n", norm);
    float dot;
    cublasSdot(handle, n, x, 1, x, 1, &dot); // expect: autoprof-library-blas-host-scalar
    use(&dot);
  }
}

// It is printed under a condition, and read later.
void later(float *x, int n, bool verbose) {
  float best = 1e9f;
  for (int i = 0; i < n; ++i) {
    float value;
    step<<<1, 1>>>(x);
    cudaMemcpy(&value, x, 4, cudaMemcpyDeviceToHost); // expect: autoprof-copy-synchronous; no advice: same condition
    if (verbose)
      printf("%f\n", value);
    if (value < best)
      best = value;
  }
  use(&best);
}

// The wait keeps the buffer alive until the copy from it is done.
void alive(float *x, cudaStream_t s, int n) {
  for (int i = 0; i < n; ++i) {
    float *staged;
    cudaMallocHost(&staged, 4096); // expect: autoprof-memory-alloc-in-loop
    cudaMemcpyAsync(x, staged, 4096, cudaMemcpyHostToDevice, s);
    step<<<1, 1, 0, s>>>(x);
    cudaStreamSynchronize(s); // expect: autoprof-sync-in-loop high; no advice: remove it
    cudaFreeHost(staged); // expect: autoprof-memory-alloc-in-loop; advice: event after the copy before the host overwrites the buffer
  }
}

// The result is needed after further launches: the wait may come later.
void postponed(float *x, float *y, cudaStream_t s, int n) {
  float *h;
  cudaMallocHost(&h, 4096);
  for (int i = 0; i < n; ++i) {
    step<<<1, 1, 0, s>>>(x);
    cudaMemcpyAsync(h, x, 4096, cudaMemcpyDeviceToHost, s);
    cudaStreamSynchronize(s); // expect: autoprof-sync-in-loop high; advice: advice.cu:89
    step<<<1, 1, 0, s>>>(y);
    step<<<1, 1, 0, s>>>(y);
    use(h);
  }
  cudaFreeHost(h);
}

// Nobody reads it before the loop ends.
void afterwards(float *x, std::vector<float> &h, int n) {
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(x);
    cudaMemcpy(h.data(), x, 4096, cudaMemcpyDeviceToHost); // expect: autoprof-copy-synchronous high
  }
  use(h.data());
}

// Used later, but the next iteration's copy reads what the host changes before.
void overwritten(float *x, float *y, float *in, float *h, cudaStream_t s, int n) {
  for (int i = 0; i < n; ++i) {
    cudaMemcpyAsync(x, in, 4096, cudaMemcpyHostToDevice, s);
    step<<<1, 1, 0, s>>>(x);
    cudaMemcpyAsync(h, x, 4096, cudaMemcpyDeviceToHost, s);
    cudaStreamSynchronize(s); // expect: autoprof-sync-in-loop; advice: Also wait
    in[0] = i;
    step<<<1, 1, 0, s>>>(y);
    use(h);
  }
}

// Others go on when the wait is over: another process at a barrier, OpenGL.
static void barrier(volatile int *arrived, int n) {
  __sync_fetch_and_add(arrived, 1);
  while (*arrived < n)
    ;
}
extern "C" void glCopyImage(int from, int to);
void stages(float *x, volatile int *arrived, int n) {
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(x);
    cudaDeviceSynchronize(); // to keep: nothing is better // expect: autoprof-sync-in-loop low
    barrier(arrived, n);
  }
}
void frames(float *x, int n) {
  for (int i = 0; i < n; ++i) {
    glCopyImage(0, 1);
    step<<<1, 1>>>(x);
    cudaDeviceSynchronize(); // to keep // expect: autoprof-sync-in-loop low
  }
}

// The copy waits only because its memory is pageable: with pinned memory, the
// wait after it is needed.
void bothWait(float *x, cudaStream_t s, int n) {
  std::vector<float> h(1024);
  for (int i = 0; i < n; ++i) {
    float v;
    step<<<1, 1, 0, s>>>(x);
    cudaMemcpyAsync(h.data(), x, 4096, cudaMemcpyDeviceToHost, s); // expect: autoprof-copy-async-pageable high; advice: time is gained only if it waits later
    cudaStreamSynchronize(s); // expect: autoprof-sync-repeated low; advice: keep it if the copy at advice.cu:145 gets pinned memory
    use(h.data());
    step<<<1, 1, 0, s>>>(x);
    cudaMemcpyAsync(&v, x, 4, cudaMemcpyDeviceToHost, s); // expect: autoprof-readback-printed high
    cudaStreamSynchronize(s); // expect: autoprof-sync-repeated low; advice: keep it if the copy at advice.cu:149 gets pinned memory
    printf("%f\n", v);
  }
}

// What another copy brings is not the result of this wait.
void otherLoop(float *x, cudaStream_t s, int n) {
  float v = 0, sum = 0;
  for (int i = 0; i < n; ++i) {
    step<<<1, 1, 0, s>>>(x);
    cudaMemcpy(&v, x, 4, cudaMemcpyDeviceToHost); // expect: autoprof-copy-synchronous high
    sum += v;
  }
  for (int i = 0; i < n; ++i) {
    step<<<1, 1, 0, s>>>(x);
    cudaStreamSynchronize(s); // expect: autoprof-sync-in-loop high
    step<<<1, 1, 0, s>>>(x);
  }
  cudaMemcpy(&v, x, 4, cudaMemcpyDeviceToHost);
  printf("%f\n", sum + v);
}

// The result reaches the host in a way that is not seen: through a graph whose
// copy is a node, or through memory that a function of the host may use.
void graph(float *x, cudaGraphExec_t run, cudaStream_t s, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    cudaGraphLaunch(run, s);
    cudaStreamSynchronize(s); // expect: autoprof-sync-in-loop; no advice: nothing in the loop uses
    if (sum < 1) {
      cudaMemcpyAsync(&sum, x, 4, cudaMemcpyDeviceToHost, s);
      break;
    }
  }
  cudaStreamSynchronize(s);
  use(&sum);
}
struct Task {
  float *data;
};
void attached(Task &t, float *x, cudaStream_t s, int n) {
  for (int i = 0; i < n; ++i) {
    cudaStreamAttachMemAsync(s, t.data, 0, cudaMemAttachHost);
    cudaStreamSynchronize(s); // expect: autoprof-sync-in-loop
    use(t.data);
    step<<<1, 1, 0, s>>>(x);
    cudaStreamSynchronize(s); // expect: autoprof-sync-in-loop
  }
}

// The callers may have queued other work.
void callersWork(float *x) {
  cudaStream_t s;
  cudaStreamCreate(&s);
  step<<<1, 1, 0, s>>>(x);
  cudaDeviceSynchronize();
  step<<<1, 1, 0, s>>>(x);
  cudaDeviceSynchronize();
}

// A copy that waits has read its source.
void beforeCopy(float *x, float *h, int n) {
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(x);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop high; no advice: changed at
    cudaMemcpy(x, h, 64, cudaMemcpyHostToDevice); // expect: autoprof-copy-synchronous
    h[0] = i;
  }
}
