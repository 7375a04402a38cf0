// Calls of one block are one finding, also if a helper makes them, or if others
// stand in between.
// RUN: %check_rules
__global__ void step(float *x);

static void upload(float *d, const float *h) {
  cudaMemcpy(d, h, 64, cudaMemcpyHostToDevice); // expect: autoprof-copy-synchronous high
}
void uploads(float *a, float *b, const float *h, int n) {
  for (int i = 0; i < n; ++i) {
    upload(a, h);
    upload(b, h); // expect: same
    step<<<1, 1>>>(a);
  }
}

// But not two branches.
static void uploadOne(float *d, const float *h) {
  cudaMemcpy(d, h, 64, cudaMemcpyHostToDevice); // expect: autoprof-copy-synchronous medium
}
void branches(float *a, const float *h, int n, bool first) {
  for (int i = 0; i < n; ++i) {
    if (first) {
      uploadOne(a, h);
    } else {
      uploadOne(a + 64, h + 64);
    }
    step<<<1, 1>>>(a);
  }
}

static float *made(const float *h) {
  float *d;
  cudaMalloc(&d, 64); // expect: autoprof-memory-alloc-in-loop low
  cudaMemcpy(d, h, 64, cudaMemcpyHostToDevice); // expect: autoprof-copy-synchronous high
  return d;
}
void tables(const float *h, int n) {
  for (int i = 0; i < n; ++i) {
    float *a = made(h), *b = made(h); // expect: same
    step<<<1, 1>>>(a);
    step<<<1, 1>>>(b);
  }
}
