// A wait in every n-th iteration may be there to bound how far the host runs
// ahead: the advice is to keep it, or to bound that with events.
// RUN: %check_rules
#include <vector>

__global__ void step(float *x) { *x += 1; }

void remainder(float *x, cudaStream_t s, int n, int k) {
  for (int i = 0; i < n; ++i) {
    step<<<1, 1, 0, s>>>(x);
    if (i % 16 == 0)
      cudaStreamSynchronize(s); // expect: autoprof-sync-in-loop low; advice: keep the wait if it bounds how far the host runs ahead; advice: wait in each iteration for an event that was recorded N iterations earlier; advice: Otherwise, wait once, after the loop
  }
  for (int i = 0; i < n; ++i) {
    if (i % k == 0)
      cudaStreamSynchronize(s); // expect: autoprof-sync-in-loop low; advice: keep the wait if it bounds
    step<<<1, 1, 0, s>>>(x);
  }
}

void counter(float *x, cudaStream_t s, int n) {
  int queued = 0;
  for (int i = 0; i < n; ++i) {
    step<<<1, 1, 0, s>>>(x);
    if (++queued == 32) {
      cudaStreamSynchronize(s); // expect: autoprof-sync-in-loop low; advice: keep the wait if it bounds
      queued = 0;
    }
  }
}

void bytes(float *x, size_t size, size_t most, cudaStream_t s, int n) {
  size_t queued = 0;
  for (int i = 0; i < n; ++i) {
    step<<<1, 1, 0, s>>>(x);
    queued += size;
    if (queued > most) {
      cudaStreamSynchronize(s); // expect: autoprof-sync-in-loop low; advice: keep the wait if it bounds
      queued = 0;
    }
  }
}

// A ring of buffers.
void ring(float *d, cudaStream_t s, int n) {
  float *pinned;
  cudaMallocHost(&pinned, 32);
  for (int i = 0; i < n; ++i) {
    if (i % 8 == 0)
      cudaStreamSynchronize(s); // expect: autoprof-sync-in-loop low; advice: keep the wait if it bounds; advice: Otherwise, record an event after the work
    pinned[i % 8] = i;
    cudaMemcpyAsync(d, pinned + i % 8, 4, cudaMemcpyHostToDevice, s);
    step<<<1, 1, 0, s>>>(d);
  }
}

// The events must be on all streams.
void device(float *x, cudaStream_t s, cudaStream_t t, int n) {
  for (int i = 0; i < n; ++i) {
    step<<<1, 1, 0, s>>>(x);
    step<<<1, 1, 0, t>>>(x);
    if (i % 16 == 0)
      cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop low; advice: keep the wait if it bounds; advice: on each stream
  }
}

// In a helper, and followed only by work on the same stream.
static void drain(cudaStream_t s) {
  cudaStreamSynchronize(s); // expect: autoprof-sync-in-loop low; advice: keep the wait if it bounds
}
static void run(float *x, cudaStream_t s, bool wait) {
  step<<<1, 1, 0, s>>>(x);
  if (wait)
    cudaStreamSynchronize(s); // expect: autoprof-sync-in-loop low; advice: keep the wait if it bounds
  step<<<1, 1, 0, s>>>(x);
}
void helpers(float *x, cudaStream_t s, int n) {
  for (int i = 0; i < n; ++i) {
    step<<<1, 1, 0, s>>>(x);
    if (i % 16 == 0)
      drain(s);
  }
  for (int i = 0; i < n; ++i)
    run(x, s, i % 16 == 0);
}

// What queued work uses is kept until the wait.
void kept(float *x, cudaStream_t s, int n) {
  std::vector<std::vector<float>> used;
  for (int i = 0; i < n; ++i) {
    used.emplace_back(16);
    step<<<1, 1, 0, s>>>(x);
    if (used.size() >= 16) {
      cudaStreamSynchronize(s); // expect: autoprof-sync-in-loop low; advice: keep the wait if it bounds
      used.clear();
    }
  }
}

// Not a bound: each iteration, debug mode, a value that the host uses.
void others(float *x, float *pinned, cudaStream_t s, int n, bool verbose) {
  for (int i = 0; i < n; ++i) {
    step<<<1, 1, 0, s>>>(x);
    cudaStreamSynchronize(s); // expect: autoprof-sync-in-loop medium; no advice: runs ahead
  }
  for (int i = 0; i < n; ++i) {
    step<<<1, 1, 0, s>>>(x);
    if (verbose)
      cudaStreamSynchronize(s); // expect: autoprof-sync-in-loop low; no advice: runs ahead
  }
}
