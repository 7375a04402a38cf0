// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls that `postpone` changes, in every form, and calls that stay as they are.
// RUN: %check_rewrite --probe %include/autoprof/experiment.h --strict --clang-flag=-Wno-gnu-statement-expression --std=c++11 --std=c++17 --std=c++20 -- -fplugin-arg-autoprof-postpone=experiments.cu:24,experiments.cu:25,experiments.cu:27,experiments.cu:28,experiments.cu:29,experiments.cu:30,experiments.cu:31,experiments.cu:33,experiments.cu:35,experiments.cu:36,experiments.cu:37,experiments.cu:38,experiments.cu:39,experiments.cu:40,experiments.cu:41,experiments.cu:42,experiments.cu:43,experiments.cu:44,experiments.cu:45,experiments.cu:46,experiments.cu:47,experiments.cu:52,experiments.cu:53,experiments.cu:56
#include <cuda.h>
#include <cstdio>

#define CHECK(call)                                                            \
  do {                                                                         \
    cudaError_t error = (call);                                                \
    if (error != cudaSuccess)                                                  \
      std::printf("%s\n", #call);                                              \
  } while (0)
#define TRY(call) check((call), #call)
#define SYNC() cudaDeviceSynchronize()
#define DECLARE(name, call) cudaError_t name = call

__global__ void k(float *) {}
bool check(cudaError_t e, const char *what) {
  return e == cudaSuccess || std::printf("%s\n", what) != 0;
}

float copies(float *d, float *h, size_t n, cudaStream_t s, cudaEvent_t e) {AP_RANGE(0xf538bacbceab9767)
  float v = 0;
  AP_SITE(0x61bd1170a4798343) AP_POSTPONED(0x61bd1170a4798343)cudaMemcpy(&v, d, sizeof v, cudaMemcpyDeviceToHost);
  cudaError_t error = (AP_SITE(0x3c0684370e6571a5) AP_POSTPONED(0x3c0684370e6571a5)cudaMemcpyAsync(h, d, n * sizeof *h, cudaMemcpyDeviceToHost, s));
  if (
      (AP_SITE(0x3c0683370e656ff2) AP_POSTPONED(0x3c0683370e656ff2)cudaMemcpyAsync(&v, d, 4, cudaMemcpyDeviceToHost)) == error)
    {AP_SITE_SCOPE(0x61bd1070a4798190) AP_POSTPONED_CALL(0x61bd1070a4798190, cudaMemcpy) CHECK(cudaMemcpy(&v, d, sizeof v, cudaMemcpyDeviceToHost));}
  {AP_SITE_SCOPE(0x3c0682370e656e3f) AP_POSTPONED_ASYNC(0x3c0682370e656e3f, cudaMemcpyAsync) CHECK(cudaMemcpyAsync(&v, d, sizeof v, cudaMemcpyDeviceToHost, s));}
  {AP_POSTPONED_CALL(0x61bd1370a47986a9, cudaMemcpy) AP_SITE(0x61bd1370a47986a9) TRY(cudaMemcpy(&v, d, sizeof v, cudaMemcpyDeviceToHost));}
  if ((AP_SITE(0x61bd1270a47984f6) TRY(cudaMemcpy(&v, d, sizeof v, cudaMemcpyDeviceToHost)))) // in a condition
    for (int i = 0; i < 2; ++i)
      {AP_RANGE(0xb4498b693a46495d) {AP_REMOVED_CALL(0x0cbee023d7f142d4, cudaStreamSynchronize) AP_SITE(0x0cbee023d7f142d4) TRY(cudaStreamSynchronize(s));}}
  else
    AP_SITE(0xcb10422da5ab9036) AP_REMOVED(0xcb10422da5ab9036)cudaDeviceSynchronize()AP_REMOVED_END;
  (AP_SITE(0x0cbee123d7f14487) AP_REMOVED(0x0cbee123d7f14487)cudaStreamSynchronize(s)AP_REMOVED_END), (AP_SITE(0x10cfbcb701771ff8) AP_REMOVED(0x10cfbcb701771ff8)cudaEventSynchronize(e)AP_REMOVED_END);
  error = (AP_SITE(0x0cbee223d7f1463a) AP_REMOVED(0x0cbee223d7f1463a)::cudaStreamSynchronize(s)AP_REMOVED_END);
  {AP_REMOVED_CALL(0xcb10432da5ab91e9, cudaDeviceSynchronize) error = (AP_SITE(0xcb10432da5ab91e9) SYNC());}
  {AP_REMOVED_CALL(0xcb10402da5ab8cd0, cudaDeviceSynchronize) AP_SITE(0xcb10402da5ab8cd0) TRY(SYNC());}
  {AP_SITE_SCOPE(0x10cfbdb7017721ab) AP_REMOVED_CALL(0x10cfbdb7017721ab, cudaEventSynchronize) CHECK(cudaEventSynchronize(e));}
  (AP_SITE(0x1140b741f336b4ac) AP_REMOVED(0x1140b741f336b4ac)cuCtxSynchronize()AP_REMOVED_END), (AP_SITE(0x212e21413d623375) AP_REMOVED(0x212e21413d623375)cuStreamSynchronize(s)AP_REMOVED_END);
  AP_SITE_BEGIN(0xcb10412da5ab8e83) DECLARE(declared, cudaDeviceSynchronize()); AP_SITE_END(0xcb10412da5ab8e83)
  AP_SITE(0x61bd1570a4798a0f) cudaMemcpy(d, &v, sizeof v, cudaMemcpyHostToDevice);
  AP_SITE(0x61bd1470a479885c) cudaMemcpy(&v, d, sizeof v, cudaMemcpyDefault);
  AP_SITE(0x61bd1770a4798d75) ::cudaMemcpy(&v, d, sizeof v, cudaMemcpyDeviceToHost);
  AP_SITE(0x82f7e6c21d9aeb0a) k<<<1, 1>>>(d);
  AP_SITE(0x512f937bb9a0b8c4) cudaFree(d);
  return error == declared ? v : 0;
}

template <class T> T of_template(const T *d, cudaStream_t s, T v = T()) {AP_RANGE(0xbff3be47ef3b06b9)
  AP_SITE(0xa0b589797177c945) AP_POSTPONED(0xa0b589797177c945)cudaMemcpy(&v, d, sizeof v, cudaMemcpyDeviceToHost);
  {AP_SITE_SCOPE(0x3a92bcdb7e0eb24f) AP_POSTPONED_ASYNC(0x3a92bcdb7e0eb24f, cudaMemcpyAsync) CHECK(cudaMemcpyAsync(&v, d, sizeof v, cudaMemcpyDeviceToHost, s));}
  auto wait = [&] {
    // In a lambda.
    {AP_SITE_SCOPE(0xe86171cff0cdc882) AP_REMOVED_CALL(0xe86171cff0cdc882, cudaStreamSynchronize) CHECK(cudaStreamSynchronize(s));}
  };
  wait();
  return v;
}

int main() {AP_RANGE(0x9d3df5ac40513177)
  float *d = nullptr, h[4];
  return static_cast<int>(copies(d, h, 4, 0, 0) + of_template(d, 0) + of_template(h, 0));
}
AP_TABLE("0xf538bacbceab9767|function|22|7|experiments.cu|copies|;0x61bd1170a4798343|copy|24|3|experiments.cu|copies|cudaMemcpy;0x3c0684370e6571a5|copy|25|23|experiments.cu|copies|cudaMemcpyAsync;0x3c0683370e656ff2|copy|27|7|experiments.cu|copies|cudaMemcpyAsync;0x61bd1070a4798190|copy|28|11|experiments.cu|copies|cudaMemcpy;0x3c0682370e656e3f|copy|29|9|experiments.cu|copies|cudaMemcpyAsync;0x61bd1370a47986a9|copy|30|7|experiments.cu|copies|cudaMemcpy;0x61bd1270a47984f6|copy|31|11|experiments.cu|copies|cudaMemcpy;0xb4498b693a46495d|loop|32|5|experiments.cu|copies|;0x0cbee023d7f142d4|sync|33|11|experiments.cu|copies|cudaStreamSynchronize;0xcb10422da5ab9036|sync|35|5|experiments.cu|copies|cudaDeviceSynchronize;0x0cbee123d7f14487|sync|36|3|experiments.cu|copies|cudaStreamSynchronize;0x10cfbcb701771ff8|sync|36|29|experiments.cu|copies|cudaEventSynchronize;0x0cbee223d7f1463a|sync|37|11|experiments.cu|copies|cudaStreamSynchronize;0xcb10432da5ab91e9|sync|38|11|experiments.cu|copies|cudaDeviceSynchronize;0xcb10402da5ab8cd0|sync|39|7|experiments.cu|copies|cudaDeviceSynchronize;0x10cfbdb7017721ab|sync|40|9|experiments.cu|copies|cudaEventSynchronize;0x1140b741f336b4ac|sync|41|3|experiments.cu|copies|cuCtxSynchronize;0x212e21413d623375|sync|41|23|experiments.cu|copies|cuStreamSynchronize;0xcb10412da5ab8e83|sync|42|21|experiments.cu|copies|cudaDeviceSynchronize;0x61bd1570a4798a0f|copy|43|3|experiments.cu|copies|cudaMemcpy;0x61bd1470a479885c|copy|44|3|experiments.cu|copies|cudaMemcpy;0x61bd1770a4798d75|copy|45|3|experiments.cu|copies|cudaMemcpy;0x82f7e6c21d9aeb0a|launch|46|3|experiments.cu|copies|k;0x512f937bb9a0b8c4|free|47|3|experiments.cu|copies|cudaFree;0xbff3be47ef3b06b9|function|51|22|experiments.cu|of_template|;0xa0b589797177c945|copy|52|3|experiments.cu|of_template|cudaMemcpy;0x3a92bcdb7e0eb24f|copy|53|9|experiments.cu|of_template|cudaMemcpyAsync;0xe86171cff0cdc882|sync|56|11|experiments.cu|of_template|cudaStreamSynchronize;0x9d3df5ac40513177|function|62|5|experiments.cu|main|;")
