// A variable of the environment is not set unless somebody sets it.
// RUN: %check_rules
#include <cstdlib>
__global__ void step(float *x);
bool Debug = getenv("DEBUG") != NULL;
inline bool traces() {
  static const bool On = std::getenv("TRACE") != nullptr;
  return On;
}
int main() {
  float *x;
  cudaMalloc(&x, 4);
  const char *check = getenv("CHECK");
  const bool quiet = getenv("QUIET");
  for (int i = 0; i < 1000; ++i) {
    static const bool Strict = std::getenv("STRICT") != nullptr;
    step<<<1, 1>>>(x);
    if (Debug)
      cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop low
    step<<<1, 1>>>(x);
    if (Strict)
      cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop low
    step<<<1, 1>>>(x);
    if (check && *check == '1')
      cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop low
    step<<<1, 1>>>(x);
    if (!quiet)
      cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop medium
    step<<<1, 1>>>(x);
    if (traces())
      cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop low
  }
}
