// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %check_rewrite --run --std=c++17
__global__ void k(int *d, int n) {}

void unbraced(int *d, int n, cudaStream_t s) {AP_RANGE(0x17afb1aee42ba072)
  if (n > 0)
    AP_SITE(0xc2cdb5a6590076bd) k<<<1, 1>>>(d, n);
  else
    AP_SITE(0x55d7165bf5fe7c38) cudaMemsetAsync(d, 0, 4, s); // trailing comment
  for (int i = 0; i < n; ++i)
    {AP_RANGE(0x4b54a425f81145c0) AP_SITE(0xc2cdb4a65900750a) k<<<1, 1, 0, s>>>(d, i);}
  for (int i = 0; i < n; ++i)
    {AP_RANGE(0x4b54a525f8114773) for (int j = 0; j < n; ++j)
      {AP_RANGE(0x4b54a625f8114926) AP_SITE(0xc2cdb3a659007357) k<<<1, 1>>>(d, j);}}
  while (n-- > 0)
    {AP_RANGE(0x4b54a725f8114ad9) if (n & 1)
      AP_SITE(0xc6ccfd642dfb8a2f) cudaStreamSynchronize(s);
    else {
      AP_SITE(0x35df37a645505455) cudaDeviceSynchronize();
    }}
  do
    {AP_RANGE(0x4b54a825f8114c8c) AP_SITE(0x5cbafdeb888eb205) cudaFree(d);}
  while (n-- > 0);
  for (int i = 0; i < n; ++i)
    ; // nothing to see
}

void init_and_increment(int *d, int n) {AP_RANGE(0x50f6f5cac11cec1a)
  for (AP_SITE(0xc6481336c10e6fb7) cudaMalloc(&d, 4); n > 0; AP_SITE(0xbe2b522057ef48a5) k<<<1, 1>>>(d, n)) {AP_RANGE(0x8c0c66db077ac978)
    n--;
  }
}

void labels(int *d, int n) {AP_RANGE(0xdf560002c88997f5)
  switch (n) {
  case 0: AP_SITE(0x201e496eddc2adbf) cudaMemset(d, 0, 4); break;
  case 1:
  case 2: AP_SITE(0x8895b4fb46e21748) k<<<1, 1>>>(d, 2); break;
  default: AP_SITE(0x8895b5fb46e218fb) k<<<dim3(1, 2), dim3(3)>>>(d, 3);
  }
again:
  AP_SITE(0x8895b6fb46e21aae) k<<<1, 1>>>(d, 4);
  if (n-- > 0)
    goto again;
}

void blocks(int *d, int n) {AP_RANGE(0x28bb6ad54c88960e)
  { AP_SITE(0xe12b96a9e5dbb791) k<<<1, 1>>>(d, 1); }
  try {
    AP_SITE(0xe12b95a9e5dbb5de) k<<<1, 1>>>(d, 2);
  } catch (int) {
    AP_SITE(0x6253edb62d163669) cudaDeviceSynchronize();
  }
  AP_SITE(0xe12b94a9e5dbb42b) k <<<1, 1>>>(d, 3); AP_SITE(0xe12b93a9e5dbb278) k<<<1, 1>>>
      (d, 4);
  /* before */ AP_SITE(0x6253ecb62d1634b6) cudaDeviceSynchronize /* between */ (); /* behind */
}

int main() {AP_RANGE(0xa64d2cf1ddfffd0b)
  int *d = nullptr;
  unbraced(d, 3, nullptr);
  unbraced(d, 0, nullptr);
  init_and_increment(d, 2);
  for (int n = 0; n < 4; ++n)
    {AP_RANGE(0x14d233b6c8a6f6b9) labels(d, n);}
  blocks(d, 1);
}
AP_TABLE("0x17afb1aee42ba072|function|5|6|statements.cu|unbraced|;0xc2cdb5a6590076bd|launch|7|5|statements.cu|unbraced|k;0x55d7165bf5fe7c38|set|9|5|statements.cu|unbraced|cudaMemsetAsync;0x4b54a425f81145c0|loop|10|3|statements.cu|unbraced|;0xc2cdb4a65900750a|launch|11|5|statements.cu|unbraced|k;0x4b54a525f8114773|loop|12|3|statements.cu|unbraced|;0x4b54a625f8114926|loop|13|5|statements.cu|unbraced|;0xc2cdb3a659007357|launch|14|7|statements.cu|unbraced|k;0x4b54a725f8114ad9|loop|15|3|statements.cu|unbraced|;0xc6ccfd642dfb8a2f|sync|17|7|statements.cu|unbraced|cudaStreamSynchronize;0x35df37a645505455|sync|19|7|statements.cu|unbraced|cudaDeviceSynchronize;0x4b54a825f8114c8c|loop|21|3|statements.cu|unbraced|;0x5cbafdeb888eb205|free|22|5|statements.cu|unbraced|cudaFree;0x50f6f5cac11cec1a|function|28|6|statements.cu|init_and_increment|;0x8c0c66db077ac978|loop|29|3|statements.cu|init_and_increment|;0xc6481336c10e6fb7|alloc|29|8|statements.cu|init_and_increment|cudaMalloc;0xbe2b522057ef48a5|launch|29|34|statements.cu|init_and_increment|k;0xdf560002c88997f5|function|34|6|statements.cu|labels|;0x201e496eddc2adbf|set|36|11|statements.cu|labels|cudaMemset;0x8895b4fb46e21748|launch|38|11|statements.cu|labels|k;0x8895b5fb46e218fb|launch|39|12|statements.cu|labels|k;0x8895b6fb46e21aae|launch|42|3|statements.cu|labels|k;0x28bb6ad54c88960e|function|47|6|statements.cu|blocks|;0xe12b96a9e5dbb791|launch|48|5|statements.cu|blocks|k;0xe12b95a9e5dbb5de|launch|50|5|statements.cu|blocks|k;0x6253edb62d163669|sync|52|5|statements.cu|blocks|cudaDeviceSynchronize;0xe12b94a9e5dbb42b|launch|54|3|statements.cu|blocks|k;0xe12b93a9e5dbb278|launch|54|23|statements.cu|blocks|k;0x6253ecb62d1634b6|sync|56|16|statements.cu|blocks|cudaDeviceSynchronize;0xa64d2cf1ddfffd0b|function|59|5|statements.cu|main|;0x14d233b6c8a6f6b9|loop|64|3|statements.cu|main|;")
