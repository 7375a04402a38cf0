// Memory of the default pool that each synchronization gives back.
// RUN: %check_rules
// A threshold, or another default pool, in another file of the project.
// RUN: rm -rf %t && split-file %S/Inputs/memory-pool-threshold.txt %t
// RUN: cp %s %t/loops.cu
// RUN: bash %S/Inputs/expect.sh 1 %autoprof audit --no-cache --format=json %t/loops.cu %t/reuse.cu > %t/some.json 2> /dev/null
// RUN: FileCheck %s --check-prefix=SOME < %t/some.json
// SOME: autoprof-memory-pool-trimmed
// RUN: bash -c '%autoprof audit --no-cache --format=json %t/loops.cu %t/threshold.cu > %t/threshold.json 2> /dev/null || test $? = 1'
// RUN: bash -c '%autoprof audit --no-cache --format=json %t/loops.cu %t/own.cu > %t/own.json 2> /dev/null || test $? = 1'
// RUN: FileCheck %s --check-prefix=NONE < %t/threshold.json
// RUN: FileCheck %s --check-prefix=NONE < %t/own.json
// NONE: "findings"
// NONE-NOT: autoprof-memory-pool-trimmed

__global__ void step(float *x) { *x += 1; }

void waits(cudaStream_t s) {
  for (int i = 0; i < 100; ++i) {
    float *x, *y;
    cudaMallocAsync((void **)&x, 4096, s); // expect: autoprof-memory-pool-trimmed medium
    cudaMallocAsync((void **)&y, 4096, s);
    step<<<1, 1, 0, s>>>(x);
    step<<<1, 1, 0, s>>>(y);
    cudaFreeAsync(x, s);
    cudaFreeAsync(y, s);
    cudaStreamSynchronize(s); // expect: autoprof-sync-in-loop
  }
}

// The loop is in a caller, and the memory belongs to an object.
struct Scratch {
  float *Data;
  cudaStream_t Stream;
  Scratch(cudaStream_t s) : Stream(s) {
    cudaMallocAsync((void **)&Data, 4096, s); // expect: autoprof-memory-pool-trimmed medium
  }
  ~Scratch() { cudaFreeAsync(Data, Stream); }
};
void iterate(cudaStream_t s) {
  {
    Scratch x(s);
    step<<<1, 1, 0, s>>>(x.Data);
  }
  cudaDeviceSynchronize(); // expect: autoprof-sync-in-loop
}

void never_waits(cudaStream_t s) {
  for (int i = 0; i < 100; ++i) {
    float *x;
    cudaMallocAsync((void **)&x, 4096, s);
    step<<<1, 1, 0, s>>>(x);
    cudaFreeAsync(x, s);
  }
  cudaStreamSynchronize(s);
}

// What is in use when the host synchronizes stays mapped.
void in_use(cudaStream_t s) {
  for (int i = 0; i < 100; ++i) {
    float *x;
    cudaMallocAsync((void **)&x, 4096, s);
    step<<<1, 1, 0, s>>>(x);
    cudaStreamSynchronize(s); // expect: autoprof-sync-in-loop
    cudaFreeAsync(x, s);
  }
}

void own_pool(cudaStream_t s, cudaMemPool_t pool) {
  for (int i = 0; i < 100; ++i) {
    float *x;
    cudaMallocFromPoolAsync((void **)&x, 4096, pool, s);
    step<<<1, 1, 0, s>>>(x);
    cudaFreeAsync(x, s);
    cudaStreamSynchronize(s); // expect: autoprof-sync-in-loop
  }
}

int main() {
  cudaStream_t s;
  cudaStreamCreate(&s);
  waits(s);
  for (int i = 0; i < 100; ++i)
    iterate(s);
  never_waits(s);
  in_use(s);
  own_pool(s, nullptr);
}
