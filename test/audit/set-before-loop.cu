// What is set before the loop, in the same function, stays as it is in it.
// RUN: %check_rules
#include <cstring>

__global__ void step(float *x);

struct Options {
  bool Check = false, Log = true;
};

int main(int argc, char **argv) {
  Options o;
  for (int i = 1; i < argc; ++i)
    if (!strcmp(argv[i], "--check"))
      o.Check = true;
    else if (!strcmp(argv[i], "--quiet"))
      o.Log = false;
  float *x;
  cudaMalloc(&x, 4);
  bool IsFirst = true;
  for (int i = 0; i < 1000; ++i) {
    step<<<1, 1>>>(x);
    if (o.Check)
      cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop low; message: false by default
    step<<<1, 1>>>(x);
    if (o.Log)
      cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop medium
    step<<<1, 1>>>(x);
    if (IsFirst)
      cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop low
    IsFirst = false;
  }
}
