// Every instantiation counts, not only the first.
// RUN: %check_rules
__global__ void step(float *x) { *x += 1; }
struct Quick {
  static void done() {}
};
struct Slow {
  static void done() { cudaDeviceSynchronize(); } // expect: autoprof-sync-in-loop high
};
template <class Policy> void run(float *x, int n) {
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(x);
    Policy::done();
  }
}
template <bool Wait, int Bytes> void sized(float *x, int n) {
  for (int i = 0; i < n; ++i) {
    step<<<1, 1, Bytes>>>(x);
    if constexpr (Wait)
      cudaStreamSynchronize(0); // expect: autoprof-sync-in-loop high
    step<<<1, 1, Bytes>>>(x);
    if (Bytes > 48 * 1024)
      cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop high
  }
}
void all(float *x, int n) {
  run<Quick>(x, n);
  run<Slow>(x, n);
  sized<false, 1024>(x, n);
  sized<true, 1024>(x, n);
  sized<false, 1 << 16>(x, n);
}

// The call that a template makes for another type is the same wait.
template <class T> T sum(const T *x);
template <> float sum(const float *x) {
  float v;
  cudaMemcpy(&v, x, sizeof v, cudaMemcpyDeviceToHost); // expect: autoprof-readback-steers-control high
  return v;
}
template <> double sum(const double *x) {
  double v;
  cudaMemcpy(&v, x, sizeof v, cudaMemcpyDeviceToHost);
  return v;
}
template <class T> void reduce(T *x, float *y, int n) {
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(y);
    if (sum(x) < 1)
      break;
  }
}
void types(float *x, double *z, int n) {
  reduce(x, x, n);
  reduce(z, x, n);
}
