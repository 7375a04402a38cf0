// Waits after which the host may read results in ways that the audit does not
// follow: through accessors, other names, or in the callers.
// RUN: %check_rules
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <vector>

__global__ void step(float *a, float *b);
void hidden();

class Loss {
  float *h;

public:
  Loss() { cudaMallocHost(&h, 4); }
  ~Loss() { cudaFreeHost(h); }
  float *ptr() { return h; }
  float value() const { return *h; }
  unsigned steps = 0;
  unsigned count() const { return steps; }
};

void accessor(float *a, float *b, float *v, cudaStream_t s, int n) {
  Loss loss;
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    step<<<1, 1, 0, s>>>(a, b);
    cudaMemcpyAsync(loss.ptr(), b, 4, cudaMemcpyDeviceToHost, s);
    cudaStreamSynchronize(s); // expect: autoprof-sync-in-loop high; no advice: remove it
    sum += loss.value();
    cudaMemcpy(a, v, 4, cudaMemcpyHostToDevice); // expect: autoprof-copy-synchronous
  }
  for (int i = 0; i < n; ++i) {
    step<<<1, 1, 0, s>>>(a, b);
    cudaMemcpyAsync(loss.ptr(), b, 4, cudaMemcpyDeviceToHost, s);
    cudaStreamSynchronize(s); // expect: autoprof-sync-in-loop high
    sum += loss.value();
  }
  for (int i = 0; i < n; ++i) {
    step<<<1, 1, 0, s>>>(a, b);
    cudaMemcpyAsync(loss.ptr(), b, 4, cudaMemcpyDeviceToHost, s);
    cudaStreamSynchronize(s); // expect: autoprof-sync-in-loop high
    std::printf("%u %d\n", loss.count(), i);
    cudaMemcpy(a, v, 4, cudaMemcpyHostToDevice); // expect: autoprof-copy-synchronous
  }
  std::printf("%g\n", sum);
}

struct Out {
  float *p;
};
struct View {
  const Out *o;
  float first() const { return o->p[0]; }
};
void view(float *a, float *b, float *v, cudaStream_t s, int n) {
  Out o;
  cudaMallocHost(&o.p, 64);
  View w{&o};
  Out *alias = &o;
  float sum = 0, *pin;
  cudaMallocHost(&pin, 64);
  for (int i = 0; i < n; ++i) {
    step<<<1, 1, 0, s>>>(a, b);
    cudaMemcpyAsync(o.p, b, 64, cudaMemcpyDeviceToHost, s);
    cudaStreamSynchronize(s); // expect: autoprof-sync-in-loop high; no advice: remove it
    sum += w.first();
    cudaMemcpy(a, v, 4, cudaMemcpyHostToDevice); // expect: autoprof-copy-synchronous
  }
  float *first = alias->p, &second = pin[1];
  for (int i = 0; i < n; ++i) {
    step<<<1, 1, 0, s>>>(a, b);
    cudaMemcpyAsync(pin, b, 64, cudaMemcpyDeviceToHost, s);
    cudaStreamSynchronize(s); // expect: autoprof-sync-in-loop high; no advice: remove it
    sum += first[0];
    cudaMemcpy(a, v, 4, cudaMemcpyHostToDevice); // expect: autoprof-copy-synchronous
  }
  for (int i = 0; i < n; ++i) {
    step<<<1, 1, 0, s>>>(a, b);
    cudaMemcpyAsync(pin, b, 64, cudaMemcpyDeviceToHost, s);
    cudaStreamSynchronize(s); // expect: autoprof-sync-in-loop high; no advice: remove it
    sum += second;
    cudaMemcpy(a, v, 4, cudaMemcpyHostToDevice); // expect: autoprof-copy-synchronous
  }
  for (int i = 0; i < n; ++i) {
    step<<<1, 1, 0, s>>>(a, b);
    cudaMemcpyAsync(pin, b, 64, cudaMemcpyDeviceToHost, s);
    cudaStreamSynchronize(s); // expect: autoprof-sync-in-loop high; no advice: remove it
    sum += std::accumulate(first, first + 16, 0.0f);
    cudaMemcpy(a, v, 4, cudaMemcpyHostToDevice); // expect: autoprof-copy-synchronous
  }
  std::function<float()> get = [&] { return pin[0]; };
  for (int i = 0; i < n; ++i) {
    step<<<1, 1, 0, s>>>(a, b);
    cudaMemcpyAsync(pin, b, 64, cudaMemcpyDeviceToHost, s);
    cudaStreamSynchronize(s); // expect: autoprof-sync-in-loop high; no advice: remove it
    sum += get();
    cudaMemcpy(a, v, 4, cudaMemcpyHostToDevice); // expect: autoprof-copy-synchronous
  }
  std::printf("%g\n", sum);
}

// What the copy is in is not seen from here.
static void download(float *h, float *b, cudaStream_t s) {
  cudaMemcpyAsync(h, b, 64, cudaMemcpyDeviceToHost, s);
}
void downloads(Loss &loss, float *a, float *b, float *v, cudaStream_t s, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    step<<<1, 1, 0, s>>>(a, b);
    download(loss.ptr(), b, s);
    cudaStreamSynchronize(s); // expect: autoprof-sync-in-loop high; no advice: remove it
    sum += loss.value();
    cudaMemcpy(a, v, 4, cudaMemcpyHostToDevice); // expect: autoprof-copy-synchronous
  }
  std::printf("%g\n", sum);
}

// Another method reads the result, in the same or the next iteration.
class Adaptive {
  float *a, *b, *kept = nullptr, *last = nullptr, *shown = nullptr;
  cudaStream_t s;
  float time = 0;
  float size() const { return 1 / *kept; }

public:
  Adaptive();
  void advance() {
    time += size();
    run();
    cudaMemcpyAsync(kept, b, 4, cudaMemcpyDeviceToHost, s);
    cudaStreamSynchronize(s); // expect: autoprof-sync-in-loop high; advice: at unfollowed-reads.cu:126; no advice: after the loop
  }
  void run() { step<<<1, 1, 0, s>>>(a, b); }
  // Read only after the loop.
  void finish() {
    run();
    cudaMemcpyAsync(shown, b, 4, cudaMemcpyDeviceToHost, s);
    cudaStreamSynchronize(s); // expect: autoprof-sync-in-loop high; advice: wait once, after the loop
  }
  float result() const { return *shown; }
  // Its own next call.
  void repeat() {
    time += *last;
    run();
    cudaMemcpyAsync(last, b, 4, cudaMemcpyDeviceToHost, s);
    cudaStreamSynchronize(s); // expect: autoprof-sync-in-loop high; no advice: after the loop
  }
};
Adaptive::Adaptive() {
  cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
  cudaMallocHost(&kept, 4);
  cudaMallocHost(&last, 4);
  cudaMallocHost(&shown, 4);
  *kept = *last = 1;
}
void adaptive(int n) {
  Adaptive x;
  for (int i = 0; i < n; ++i)
    x.advance();
  for (int i = 0; i < n; ++i)
    x.repeat();
  for (int i = 0; i < n; ++i)
    x.finish();
  std::printf("%g\n", x.result());
}
