// What a look-up makes once for each key is no finding.
// RUN: %check_rules
#include <cublas_v2.h>
#include <map>
__global__ void step(float *x) { *x += 1; }
struct Handles {
  std::map<int, cublasHandle_t> All;
  bool has(int device) const { return All.count(device) != 0; }
  void make(int device) {
    if (has(device))
      return;
    cublasHandle_t h = nullptr;
    cublasCreate(&h);
    All[device] = h;
  }
  cublasHandle_t get(int device) {
    make(device);
    return All[device];
  }
};
void uses(Handles &handles, float *x, int n) {
  for (int i = 0; i < n; ++i) {
    step<<<1, 1>>>(x);
    handles.get(0);
    cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop
  }
}
