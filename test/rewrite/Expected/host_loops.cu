// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loops that do no more than allocate get no range; those that give the GPU
// work or may wait do, directly or through functions, nested or not.
// RUN: %check_rewrite -- -std=c++17
#include <vector>

__global__ void kernel(float *x) { x[threadIdx.x] += 1; }

static float *grown(float *old, int used, int *room) {AP_RANGE(0x0a7fb2b9b4c8b4d7)
  if (used < *room)
    return old;
  float *now = nullptr;
  AP_SITE(0xf107d93a9a2043b2) cudaMalloc(&now, (*room *= 2) * sizeof(float));
  return now;
}

static void release(float *x) {AP_RANGE(0xffd91200fb106ff1)
  if (x)
    AP_SITE(0xf6b9f304a176e1f2) cudaFree(x);
}

static void train_step(float *x) {AP_RANGE(0xae1c3e8fd6d04ca7)
  AP_SITE(0x0663c85456247e28) kernel<<<1, 32>>>(x);
  AP_SITE(0x0663c95456247fdb) kernel<<<1, 32>>>(x);
}

void allocates(int n) {AP_RANGE(0x5c934963aa0886d5)
  float *x = nullptr;
  for (int i = 0; i < n; ++i) // none: it allocates
    if (i % 1000 == 0)
      AP_SITE(0x480af2939800d14c) cudaMalloc(&x, 4 * i);
  for (int i = 0; i < n; ++i) // the second of this function, whose id stays
    {AP_RANGE(0x9725845fe53dcc1c) AP_SITE(0xdca822348276cd5f) cudaMemset(x, 0, 4);}
}

void allocates_through_calls(int n) {AP_RANGE(0x9392d7b383339b75)
  float *x = nullptr;
  int room = 1;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) // none, nor the outer one
      x = grown(x, i * n + j, &room);
}

void frees(float **x, int n) {AP_RANGE(0xc726d6d81734d6c4)
  for (int i = 0; i < n; ++i) // cudaFree waits
    {AP_RANGE(0x5bf6a143ea11be5e) release(x[i]);}
  for (int i = 0; i < n; ++i) // cudaFreeAsync does not
    AP_SITE(0x684853731d99462d) cudaFreeAsync(x[i], 0);
}

void epochs(float *x, int n) {AP_RANGE(0x263bcc70e6c8aa57)
  for (int epoch = 0; epoch < n; ++epoch) {AP_RANGE(0x9828bc437b1a9bed)
    for (int batch = 0; batch < n; ++batch) // the step
      {AP_RANGE(0x9828bb437b1a9a3a) train_step(x);}
    for (int i = 0; i < n; ++i) // none: pinned memory is allocated
      AP_SITE(0x63a2fe3e5cc6b44c) cudaMallocHost(&x, 4);
    AP_SITE(0x2a6b343a5547e646) cudaDeviceSynchronize();
  }
}

void destroys(std::vector<cudaStream_t> &streams) {AP_RANGE(0xf8270a08b5778ceb)
  for (cudaStream_t s : streams) {AP_RANGE(0xba2a3937780cb919)
    AP_SITE(0x1416829709a58d68) cudaStreamSynchronize(s);
    cudaStreamDestroy(s);
  }
}
AP_TABLE("0x0a7fb2b9b4c8b4d7|function|9|15|host_loops.cu|grown|;0xf107d93a9a2043b2|alloc|13|3|host_loops.cu|grown|cudaMalloc;0xffd91200fb106ff1|function|17|13|host_loops.cu|release|;0xf6b9f304a176e1f2|free|19|5|host_loops.cu|release|cudaFree;0xae1c3e8fd6d04ca7|function|22|13|host_loops.cu|train_step|;0x0663c85456247e28|launch|23|3|host_loops.cu|train_step|kernel;0x0663c95456247fdb|launch|24|3|host_loops.cu|train_step|kernel;0x5c934963aa0886d5|function|27|6|host_loops.cu|allocates|;0x480af2939800d14c|alloc|31|7|host_loops.cu|allocates|cudaMalloc;0x9725845fe53dcc1c|loop|32|3|host_loops.cu|allocates|;0xdca822348276cd5f|set|33|5|host_loops.cu|allocates|cudaMemset;0x9392d7b383339b75|function|36|6|host_loops.cu|allocates_through_calls|;0xc726d6d81734d6c4|function|44|6|host_loops.cu|frees|;0x5bf6a143ea11be5e|loop|45|3|host_loops.cu|frees|;0x684853731d99462d|free|48|5|host_loops.cu|frees|cudaFreeAsync;0x263bcc70e6c8aa57|function|51|6|host_loops.cu|epochs|;0x9828bc437b1a9bed|loop|52|3|host_loops.cu|epochs|;0x9828bb437b1a9a3a|loop|53|5|host_loops.cu|epochs|;0x63a2fe3e5cc6b44c|alloc|56|7|host_loops.cu|epochs|cudaMallocHost;0x2a6b343a5547e646|sync|57|5|host_loops.cu|epochs|cudaDeviceSynchronize;0xf8270a08b5778ceb|function|61|6|host_loops.cu|destroys|;0xba2a3937780cb919|loop|62|3|host_loops.cu|destroys|;0x1416829709a58d68|sync|63|5|host_loops.cu|destroys|cudaStreamSynchronize;")
