// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What earlier waits complete: an event's, one under a condition, and what lies
// between them and the next call.
// RUN: %check_rules
__global__ void step(float *x) { *x += 1; }
void record(float ms);

// The event covers what was queued before it was recorded.
void timed(float *x, float *h, cudaEvent_t begin, cudaEvent_t end, int n) {
  for (int i = 0; i < n; ++i) {
    cudaEventRecord(begin);
    step<<<1, 1>>>(x);
    cudaEventRecord(end);
    cudaEventSynchronize(end); // expect: autoprof-sync-for-timing low
    float ms;
    cudaEventElapsedTime(&ms, begin, end);
    record(ms); // Unseen code seldom queues work behind a wait.
    cudaMemcpy(h, x, 1 << 20, cudaMemcpyDeviceToHost); // expect: autoprof-copy-synchronous low
  }
}

// Another element may be another event.
void elements(float *x, cudaEvent_t *events, cudaStream_t s, int n) {
  for (int i = 0; i < n; ++i) {
    step<<<1, 1, 0, s>>>(x);
    cudaEventRecord(events[i % 2], s);
    cudaEventSynchronize(events[(i + 1) % 2]);
    cudaStreamSynchronize(s); // expect: autoprof-sync-in-loop high
  }
}

// The end of an inner loop has not run when its first iteration begins.
void first(float *x, int n) {
  cudaStream_t one, two;
  cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking);
  for (int i = 0; i < n; ++i) {
    step<<<1, 1, 0, one>>>(x);
    step<<<1, 1, 0, two>>>(x);
    for (int j = 0; j < n; ++j) {
      cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop high
      cudaStreamSynchronize(one); // expect: autoprof-sync-repeated low
      cudaStreamSynchronize(two); // expect: autoprof-sync-repeated low
      step<<<1, 1, 0, one>>>(x);
    }
  }
}

// Work that is queued after the event was recorded is not covered.
void late(float *x, float *h, cudaEvent_t done, int n) {
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(x);
    cudaEventRecord(done);
    step<<<1, 1>>>(x);
    cudaEventSynchronize(done); // expect: autoprof-sync-in-loop high
    cudaMemcpy(h, x, 1 << 20, cudaMemcpyDeviceToHost); // expect: autoprof-copy-synchronous high
  }
}

// An event of another stream completes nothing of this one.
void other(float *x, float *h, cudaEvent_t done, int n) {
  cudaStream_t s;
  cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(x);
    cudaEventRecord(done, s);
    cudaEventSynchronize(done); // expect: autoprof-sync-in-loop low
    cudaMemcpy(h, x, 1 << 20, cudaMemcpyDeviceToHost); // expect: autoprof-copy-synchronous high
  }
}

// A wait under the condition under which work was queued completes that work.
void branch(float *x, float *h, int n, bool onGpu) {
  for (int i = 0; i < n; ++i) {
    if (onGpu) {
      step<<<1, 1>>>(x);
      cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop medium
    }
    cudaMemcpy(x, h, 1 << 20, cudaMemcpyHostToDevice); // expect: autoprof-copy-synchronous low
  }
}
// But no other work.
void before(float *x, float *h, int n, bool onGpu) {
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(x);
    if (onGpu)
      cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop medium
    cudaMemcpy(x, h, 1 << 20, cudaMemcpyHostToDevice); // expect: autoprof-copy-synchronous high
  }
}

// The wait that follows at once would wait in its place.
void both(float *x, float *h, float *g, int n) {
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(x);
    cudaMemcpy(h, x, 1 << 20, cudaMemcpyDeviceToHost); // expect: autoprof-copy-synchronous high; advice: The call at drained.cu:98 waits next
    g[0] = h[0];
    cudaDeviceSynchronize(); // expect: autoprof-sync-repeated low
  }
}

// Each stream is complete: nothing is left for a call that waits for all.
void perStream(float *x, float *h, int n) {
  cudaStream_t other;
  cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
  for (int i = 0; i < n; ++i) {
    float *y;
    cudaMalloc(&y, 64); // expect: autoprof-memory-alloc-in-loop low
    step<<<1, 1>>>(y);
    step<<<1, 1, 0, other>>>(x);
    cudaStreamSynchronize(other); // expect: autoprof-sync-in-loop high
    cudaMemcpy(h, y, 64, cudaMemcpyDeviceToHost); // expect: autoprof-copy-synchronous high
    cudaFree(y); // expect: autoprof-memory-alloc-in-loop low
  }
}

// A copy to the device uses what the host got.
void forwards(float *x, float *y, int n) {
  float h[64];
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(x);
    cudaMemcpy(h, x, sizeof h, cudaMemcpyDeviceToHost); // expect: autoprof-copy-synchronous high; advice: drained.cu:124
    step<<<1, 1>>>(y);
    cudaMemcpy(y, h, sizeof h, cudaMemcpyHostToDevice); // expect: autoprof-copy-synchronous high
  }
}

// The copy is what orders the streams.
void ordered(float *x, float *h, int n) {
  cudaStream_t one, two;
  cudaStreamCreate(&one);
  cudaStreamCreate(&two);
  for (int i = 0; i < n; ++i) {
    step<<<1, 1, 0, one>>>(x);
    cudaMemcpy(h, x, 1 << 20, cudaMemcpyDeviceToHost); // expect: autoprof-copy-synchronous high; advice: also orders the work at drained.cu:136
    step<<<1, 1, 0, two>>>(x);
  }
}

// What is computed from one object's field and stored in another's is another
// value.
struct Box { float Volume; int Cells; };
struct Solver {
  float Pressure, Tolerance;
  Box B;
  void steps(float *x, int n) {
    for (int i = 0; i < n; ++i) {
      step<<<1, 1>>>(x);
      cudaMemcpy(&Pressure, x, 4, cudaMemcpyDeviceToHost); // expect: autoprof-copy-synchronous high
      scale();
      count();
      if (B.Cells > 3)
        break;
    }
  }
  void scale() { B.Volume = Pressure * 2; }
  void count() { B.Cells = int(B.Volume); }
  void converges(float *x, int n) {
    for (int i = 0; i < n; ++i) {
      step<<<1, 1>>>(x);
      cudaMemcpy(&Tolerance, x, 4, cudaMemcpyDeviceToHost); // expect: autoprof-readback-steers-control high
      if (Tolerance < 1)
        break;
    }
  }
};
void solve(Solver &s, float *x, int n) {
  s.steps(x, n);
  s.converges(x, n);
}
