// A value is read back in each iteration for printing that is seldom done.
// RUN: %check_rules
#include <cstdio>
#include <iostream>

__global__ void step(float *x) { *x += 1; }

void levels(float *x, int n, bool verbose, int level) {
  for (int i = 0; i < n; ++i) {
    float loss, other;
    step<<<1, 1>>>(x);
    cudaMemcpy(&loss, x, 4, cudaMemcpyDeviceToHost); // expect: autoprof-copy-synchronous high
    if (verbose)
      std::printf("%f\n", loss);
    cudaMemcpy(&other, x, 4, cudaMemcpyDeviceToHost); // expect: same
    if (i % 100 == 0 && level > 1)
      std::cout << other << '\n';
  }
}

static void log(bool on, float value) {
  if (on)
    std::fprintf(stderr, "%f\n", value);
}
void byCall(float *x, int n, bool on) {
  for (int i = 0; i < n; ++i) {
    float loss;
    step<<<1, 1>>>(x);
    cudaMemcpy(&loss, x, 4, cudaMemcpyDeviceToHost); // expect: autoprof-copy-synchronous high
    log(on, loss);
  }
}

// It is printed in each iteration.
void always(float *x, int n) {
  for (int i = 0; i < n; ++i) {
    float loss;
    step<<<1, 1>>>(x);
    cudaMemcpy(&loss, x, 4, cudaMemcpyDeviceToHost); // expect: autoprof-readback-printed
    std::printf("%f\n", loss);
  }
}

// The copy is under the same condition.
void together(float *x, int n, bool verbose) {
  for (int i = 0; i < n; ++i) {
    float loss;
    step<<<1, 1>>>(x);
    if (verbose) {
      cudaMemcpy(&loss, x, 4, cudaMemcpyDeviceToHost); // expect: autoprof-readback-printed medium
      std::printf("%f\n", loss);
    }
  }
}

// It is used for more, too: kept, returned, printed after the loop, compared.
struct History {
  float Last;
};
float more(float *x, int n, bool verbose, History &history) {
  float loss = 0, sum = 0, best = 0;
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(x);
    cudaMemcpy(&loss, x, 4, cudaMemcpyDeviceToHost); // expect: autoprof-copy-synchronous
    history.Last = loss;
    if (verbose)
      std::printf("%f\n", loss);
    cudaMemcpy(&loss, x, 4, cudaMemcpyDeviceToHost); // expect: same
    sum += loss;
    if (verbose)
      std::printf("%f\n", sum);
    float now;
    cudaMemcpy(&now, x, 4, cudaMemcpyDeviceToHost); // expect: same
    if (now > best)
      best = now;
    if (verbose)
      std::printf("%f\n", now);
  }
  return sum;
}

// Through the result of a function.
static float readLoss(const float *x) {
  float h;
  cudaMemcpy(&h, x, 4, cudaMemcpyDeviceToHost); // expect: autoprof-copy-synchronous high
  return h;
}
void byResult(float *x, int n, bool verbose, bool csv) {
  float last;
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(x);
    const float loss = readLoss(x);
    if (verbose)
      std::printf("%d %f\n", i, loss);
    last = readLoss(x); // expect: same
    if (csv)
      std::cout << i << ',' << last << '\n';
  }
}
// The call is under the same condition.
static float readWhenShown(const float *x) {
  float h;
  cudaMemcpy(&h, x, 4, cudaMemcpyDeviceToHost); // expect: autoprof-readback-printed medium
  return h;
}
void resultTogether(float *x, int n, bool verbose) {
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(x);
    if (verbose)
      std::printf("%f\n", readWhenShown(x));
  }
}
// A caller uses the result for more, or prints it in each iteration.
static float readSum(const float *x) {
  float h;
  cudaMemcpy(&h, x, 4, cudaMemcpyDeviceToHost); // expect: autoprof-copy-synchronous
  return h;
}
static float readBest(const float *x) {
  float h;
  cudaMemcpy(&h, x, 4, cudaMemcpyDeviceToHost); // expect: autoprof-copy-synchronous
  return h;
}
static float readShown(const float *x) {
  float h;
  cudaMemcpy(&h, x, 4, cudaMemcpyDeviceToHost); // expect: autoprof-readback-printed
  return h;
}
float moreResults(float *x, int n, bool verbose) {
  float sum = 0, best = 0;
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(x);
    float now = readSum(x);
    sum += now;
    if (verbose)
      std::printf("%f\n", now);
    best = readBest(x);
    if (verbose)
      std::printf("%f\n", best);
    float shown = readShown(x);
    std::printf("%f\n", shown);
    if (verbose)
      std::cout << shown;
  }
  return sum + best;
}

// Large copies, and once.
void others(float *x, float *h, int n, bool verbose) {
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(x);
    cudaMemcpy(h, x, 1 << 20, cudaMemcpyDeviceToHost); // expect: autoprof-copy-synchronous
    if (verbose)
      std::printf("%f\n", h[0]);
  }
  float loss;
  cudaMemcpy(&loss, x, 4, cudaMemcpyDeviceToHost);
  if (verbose)
    std::printf("%f\n", loss);
}
