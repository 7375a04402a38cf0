// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %check_rewrite --run --std=c++17 --std=c++20
#include <cstdio>
#include <initializer_list>

__global__ void k(int *d) {}
bool ok(cudaError_t e, int line = 0) {
  std::printf("%s %d\n", e == cudaSuccess ? "ok" : "failed", line);
  return e != cudaSuccess;
}
struct Values {
  int numbers[2] = {1, 2};
  int *begin() { return numbers; }
  int *end() { return numbers + 2; }
};
struct Stream {
  Stream &operator<<(cudaError_t e) { return ok(e), *this; }
} out;

cudaError_t global = (AP_SITE(0x76dac41edfd9a0c0) cudaDeviceSynchronize());

cudaError_t initialisers(int *d) {AP_RANGE(0xdacf916ac43ed966)
  cudaError_t a = (AP_SITE(0x18a707acfe3820a0) cudaMemset(d, 0, 4)), b((AP_SITE(0x18a708acfe382253) cudaMemset(d, 1, 4))), c{(AP_SITE(0x18a709acfe382406) cudaMemset(d, 2, 4))};
  static cudaError_t s = (AP_SITE(0x1c45eb9761b62591) cudaDeviceSynchronize());
  auto &&r = (AP_SITE(0x1c45ea9761b623de) cudaDeviceSynchronize());
  const cudaError_t array[] = {(AP_SITE(0x09b5e92f5dbaac51) cudaFree(d)), (AP_SITE(0x09b5e82f5dbaaa9e) cudaFree(nullptr))};
  a = (AP_SITE(0x09b5e72f5dbaa8eb) cudaFree(d));
  a = b = (AP_SITE(0x09b5e62f5dbaa738) cudaFree(d));
  return a == c && r == s ? array[0] : (AP_SITE(0x09b5ed2f5dbab31d) cudaFree(d));
}

cudaError_t conditions(int *d) {AP_RANGE(0x81fbde1ea0d30928)
  if ((AP_SITE(0x9f29351d9635f9da) cudaMemset(d, 0, 4)) == cudaSuccess)
    return AP_SITE(0x1c104726fea0b3ef) cudaDeviceSynchronize();
  if (cudaError_t e = (AP_SITE(0x9f29361d9635fb8d) cudaMemset(d, 0, 4)))
    ok(e);
  if (AP_SITE(0x9f29331d9635f674) cudaMemset(d, 1, 4); d)
    ok((AP_SITE(0x1c104626fea0b23c) cudaDeviceSynchronize()), __LINE__);
  while (!(AP_SITE(0x1c104926fea0b755) cudaDeviceSynchronize())) {AP_RANGE(0x234670d6f088d11a)
    break;
  }
  do {AP_RANGE(0x234671d6f088d2cd)
  } while (!(AP_SITE(0x1c104826fea0b5a2) cudaDeviceSynchronize()));
  switch ((AP_SITE(0x1c104326fea0ad23) cudaDeviceSynchronize())) {
  case cudaSuccess: break;
  default: return AP_SITE(0xa94c7c4ebf1bf417) cudaFree(d);
  }
  for (; !(AP_SITE(0x1c104226fea0ab70) cudaDeviceSynchronize());)
    ;
  return cudaError_t((AP_SITE(0xa94c7b4ebf1bf264) cudaFree(d)));
}

void operands(int *d, bool b) {AP_RANGE(0xdebe769913a6bed0)
  b ? (AP_SITE(0xb29897d4adebd65f) cudaFree(d)) : (AP_SITE(0xfb7ee34a36dd0d67) cudaDeviceSynchronize());
  b ? (AP_SITE(0x0c4ccd8191e1f1a3) k<<<1, 1>>>(d)) : (void)0;
  b && ok((AP_SITE(0xb29896d4adebd4ac) cudaFree(d))) && ok((AP_SITE(0xfb7ee24a36dd0bb4) cudaDeviceSynchronize()));
  ok((AP_SITE(0xb29899d4adebd9c5) cudaFree(d))), (AP_SITE(0x0c4ccc8191e1eff0) k<<<1, 1>>>(d));
  (void)(AP_SITE(0xfb7ee54a36dd10cd) cudaDeviceSynchronize());
  static_cast<void>((AP_SITE(0xfb7ee44a36dd0f1a) cudaDeviceSynchronize()));
  out << (AP_SITE(0xfb7edf4a36dd069b) cudaDeviceSynchronize()) << (AP_SITE(0xb29898d4adebd812) cudaFree(d));
  int a[2] = {0, 1};
  a[(AP_SITE(0xfb7ede4a36dd04e8) cudaDeviceSynchronize()) == cudaSuccess] = (AP_SITE(0xb29893d4adebcf93) cudaFree(d)) == cudaSuccess ? 1 : 2;
  for (cudaError_t e : {cudaFree(d), cudaSuccess})
    {AP_RANGE(0x6691daed1e308212) ok(e);}
  Values (*values)(cudaError_t) = [](cudaError_t) { return Values(); };
  for (int e : values((AP_SITE(0xb29895d4adebd2f9) cudaFree(d))))
    {AP_RANGE(0x6691dbed1e3083c5) a[0] = e;}
  if (b)
    throw (AP_SITE(0xb29894d4adebd146) cudaFree(d));
}

struct Member {
  cudaError_t first = (AP_SITE(0xca548cefb8d6cae1) cudaDeviceSynchronize()), second;
  Member(int *d) : second((AP_SITE(0xc9b4930bb4c95fa9) cudaFree(d))) {}
  Member() : second{(AP_SITE(0x7e50ec4bae04b5f0) cudaDeviceSynchronize())} {}
};

void default_argument(int n, cudaError_t e = cudaDeviceSynchronize());

void lambdas(int *d) {AP_RANGE(0x8612e6dbeb6649c2)
  auto copy = [e = (AP_SITE(0x724b5318e34c27c5) cudaDeviceSynchronize())] { return e; };
  auto launch = [=](int n) {
    for (int i = 0; i < n; ++i)
      {AP_RANGE(0x849d65288a4c5df0) AP_SITE(0x08b89ccc1ee57ded) k<<<1, 1>>>(d);}
    return cudaGetLastError() ? (AP_SITE(0x724b5218e34c2612) cudaDeviceSynchronize()) : cudaSuccess;
  };
  launch(copy());
  ok([&] { return AP_SITE(0xfee779cae21d4315) cudaFree(d); }());
}

unsigned never_evaluated(int *d) {
  decltype(cudaFree(d)) e = cudaSuccess;
  static_assert(sizeof(cudaFree(d)) == sizeof e, "");
  return sizeof(cudaDeviceSynchronize()) + noexcept(cudaFree(d)) + alignof(decltype(cudaFree(d)));
}

int main() {AP_RANGE(0x0f41b4fbe73e8b32)
  int *d = nullptr;
  ok(initialisers(d));
  ok(conditions(d));
  operands(d, false);
  try {
    operands(d, true);
  } catch (cudaError_t e) {
    ok(e);
  }
  ok(Member(d).second);
  ok(Member().second);
  lambdas(d);
  return never_evaluated(d) == 0 || global == cudaSuccess;
}
AP_TABLE("0x76dac41edfd9a0c0|sync|20|22|expressions.cu|global|cudaDeviceSynchronize;0xdacf916ac43ed966|function|22|13|expressions.cu|initialisers|;0x18a707acfe3820a0|set|23|19|expressions.cu|initialisers|cudaMemset;0x18a708acfe382253|set|23|42|expressions.cu|initialisers|cudaMemset;0x18a709acfe382406|set|23|66|expressions.cu|initialisers|cudaMemset;0x1c45eb9761b62591|sync|24|26|expressions.cu|initialisers|cudaDeviceSynchronize;0x1c45ea9761b623de|sync|25|14|expressions.cu|initialisers|cudaDeviceSynchronize;0x09b5e92f5dbaac51|free|26|32|expressions.cu|initialisers|cudaFree;0x09b5e82f5dbaaa9e|free|26|45|expressions.cu|initialisers|cudaFree;0x09b5e72f5dbaa8eb|free|27|7|expressions.cu|initialisers|cudaFree;0x09b5e62f5dbaa738|free|28|11|expressions.cu|initialisers|cudaFree;0x09b5ed2f5dbab31d|free|29|40|expressions.cu|initialisers|cudaFree;0x81fbde1ea0d30928|function|32|13|expressions.cu|conditions|;0x9f29351d9635f9da|set|33|7|expressions.cu|conditions|cudaMemset;0x1c104726fea0b3ef|sync|34|12|expressions.cu|conditions|cudaDeviceSynchronize;0x9f29361d9635fb8d|set|35|23|expressions.cu|conditions|cudaMemset;0x9f29331d9635f674|set|37|7|expressions.cu|conditions|cudaMemset;0x1c104626fea0b23c|sync|38|8|expressions.cu|conditions|cudaDeviceSynchronize;0x234670d6f088d11a|loop|39|3|expressions.cu|conditions|;0x1c104926fea0b755|sync|39|11|expressions.cu|conditions|cudaDeviceSynchronize;0x234671d6f088d2cd|loop|42|3|expressions.cu|conditions|;0x1c104826fea0b5a2|sync|43|13|expressions.cu|conditions|cudaDeviceSynchronize;0x1c104326fea0ad23|sync|44|11|expressions.cu|conditions|cudaDeviceSynchronize;0xa94c7c4ebf1bf417|free|46|19|expressions.cu|conditions|cudaFree;0x1c104226fea0ab70|sync|48|11|expressions.cu|conditions|cudaDeviceSynchronize;0xa94c7b4ebf1bf264|free|50|22|expressions.cu|conditions|cudaFree;0xdebe769913a6bed0|function|53|6|expressions.cu|operands|;0xb29897d4adebd65f|free|54|7|expressions.cu|operands|cudaFree;0xfb7ee34a36dd0d67|sync|54|21|expressions.cu|operands|cudaDeviceSynchronize;0x0c4ccd8191e1f1a3|launch|55|7|expressions.cu|operands|k;0xb29896d4adebd4ac|free|56|11|expressions.cu|operands|cudaFree;0xfb7ee24a36dd0bb4|sync|56|30|expressions.cu|operands|cudaDeviceSynchronize;0xb29899d4adebd9c5|free|57|6|expressions.cu|operands|cudaFree;0x0c4ccc8191e1eff0|launch|57|20|expressions.cu|operands|k;0xfb7ee54a36dd10cd|sync|58|9|expressions.cu|operands|cudaDeviceSynchronize;0xfb7ee44a36dd0f1a|sync|59|21|expressions.cu|operands|cudaDeviceSynchronize;0xfb7edf4a36dd069b|sync|60|10|expressions.cu|operands|cudaDeviceSynchronize;0xb29898d4adebd812|free|60|37|expressions.cu|operands|cudaFree;0xfb7ede4a36dd04e8|sync|62|5|expressions.cu|operands|cudaDeviceSynchronize;0xb29893d4adebcf93|free|62|47|expressions.cu|operands|cudaFree;0x6691daed1e308212|loop|63|3|expressions.cu|operands|;0x6691dbed1e3083c5|loop|66|3|expressions.cu|operands|;0xb29895d4adebd2f9|free|66|23|expressions.cu|operands|cudaFree;0xb29894d4adebd146|free|69|11|expressions.cu|operands|cudaFree;0xca548cefb8d6cae1|sync|73|23|expressions.cu|Member|cudaDeviceSynchronize;0xc9b4930bb4c95fa9|free|74|27|expressions.cu|Member::Member|cudaFree;0x7e50ec4bae04b5f0|sync|75|21|expressions.cu|Member::Member|cudaDeviceSynchronize;0x8612e6dbeb6649c2|function|80|6|expressions.cu|lambdas|;0x724b5318e34c27c5|sync|81|20|expressions.cu|lambdas|cudaDeviceSynchronize;0x849d65288a4c5df0|loop|83|5|expressions.cu|lambdas|;0x08b89ccc1ee57ded|launch|84|7|expressions.cu|lambdas|k;0x724b5218e34c2612|sync|85|33|expressions.cu|lambdas|cudaDeviceSynchronize;0xfee779cae21d4315|free|88|19|expressions.cu|lambdas|cudaFree;0x0f41b4fbe73e8b32|function|97|5|expressions.cu|main|;")
