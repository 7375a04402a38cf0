// Copyright: nobody.
#include "../include/common.h"
#include <part.h>
float near(float *);
__global__ void add(float *P) { *P += 1; }
int main() {
  float *P = make<float>(4);
  for (int I = 0; I < 3; ++I)
    add<<<1, 1>>>(P);
  finish();
  std::printf("%s:%d: %d %d\n", __FILE__, __LINE__, near(P) > 0, isFar());
}
