// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %check_rewrite --run --std=c++11 --std=c++17 --std=c++20
#include <cstdio>

#define CHECK(call)                                                            \
  do {                                                                         \
    cudaError_t error = (call);                                                \
    if (error != cudaSuccess)                                                  \
      std::printf("%s\n", #call);                                              \
  } while (0)
#define TRY(call) if ((call) == cudaSuccess) std::printf("unlikely\n")
#define BLOCK(call) { if ((call) == cudaSuccess) std::printf("unlikely\n"); }
#define FUNCTION(call) check((call), #call)
#define PAREN(call) (call)
#define ECHO(call) call
#define OPEN(call) call ==
#define GNU(call) ({ cudaError_t error_ = (call); error_; })
#define TWICE(call) do { call; call; } while (0)
#define RETURN(call) return call
#define DECLARE(name, call) cudaError_t name = call
#define TWO(a, b) do { a; b; } while (0)
#define NESTED(call) CHECK(PAREN(call))
#define LAUNCH(d) k<<<1, 1>>>(d)
#define LAUNCH_STATEMENT(d) do { k<<<1, 1>>>(d); cudaDeviceSynchronize(); } while (0)
#define SYNC cudaDeviceSynchronize
#define SYNC_NOW cudaDeviceSynchronize()
#define FOR_EACH(i, n) for (int i = 0; i < n; ++i)
#define BEGIN {
#define WITH_SEMICOLON cudaDeviceSynchronize();
#define CALL_WITH_SEMICOLON(call) call;
#define TWO_WITH_SEMICOLONS(d) cudaMemset(d, 0, 4); k<<<1, 1>>>(d);
#define IF_OK(call) if ((call) == cudaSuccess)
#define CASE(n, call) case n: call
#define DISPATCH(...) [&] { __VA_ARGS__ }()

__global__ void k(int *d) {}
void check(cudaError_t e, const char *what) { std::printf("%d %s\n", e != cudaSuccess, what); }

cudaError_t statements(int *d, bool b) {AP_RANGE(0xa0116c2fcb8d2474)
  {AP_SITE_SCOPE(0xeb42790d84c80a6e) CHECK(cudaMemset(d, 0, 4));}
  {AP_SITE_SCOPE(0xeb427a0d84c80c21) CHECK(
      cudaMemset(d, 0, sizeof(int)
                 * 2));}
  {AP_SITE_SCOPE(0xeb42770d84c80708) TRY(cudaMemset(d, 1, 4));}
  {AP_SITE_SCOPE(0xeb42780d84c808bb) BLOCK(cudaMemset(d, 2, 4))};
  if (b)
    {AP_SITE_SCOPE(0x1b0f36d133d1d80b) CHECK(cudaFree(d));}
  else
    {AP_SITE_SCOPE(0x21eea454fd1c7e93) CHECK(cudaDeviceSynchronize());}
  for (int i = 0; i < 3; ++i)
    {AP_RANGE(0x71b78166a683bd2e) {AP_SITE_SCOPE(0xeb427d0d84c8113a) CHECK(cudaMemset(d, i, 4));}}
  {AP_SITE_SCOPE(0xeb427e0d84c812ed) NESTED(cudaMemset(d, 3, 4));}
  {AP_SITE_SCOPE(0x21eea354fd1c7ce0) TWICE(cudaDeviceSynchronize());}
  {AP_SITE_SCOPE(0x1b0f35d133d1d658) {AP_SITE_SCOPE(0x1b0f38d133d1db71) TWO(cudaFree(d), cudaFree(nullptr));}}
  {AP_SITE_SCOPE(0x1b0f37d133d1d9be) CHECK(PAREN(cudaFree(d)));}
  AP_SITE(0x1b0f3ad133d1ded7) ECHO(cudaFree(d));
  {AP_SITE_SCOPE(0x1b0f39d133d1dd24) {AP_SITE_SCOPE(0x1b0f3cd133d1e23d) ECHO(cudaFree(d); cudaFree(nullptr));}}
  {AP_SITE_SCOPE(0x21eea654fd1c81f9) RETURN(cudaDeviceSynchronize());}
}

void expressions(int *d) {AP_RANGE(0x9c71debf59db4831)
  AP_SITE(0x492c9ce6402d0f23) FUNCTION(cudaMemset(d, 0, 4));
  cudaError_t e = (AP_SITE(0x25284985d1f9a532) PAREN(cudaFree(d)));
  e = (AP_SITE(0x25284a85d1f9a6e5) GNU(cudaFree(d)));
  e = (AP_SITE(0x25284785d1f9a1cc) ECHO(cudaFree(d)));
  bool b = (AP_SITE(0x25284885d1f9a37f) OPEN(cudaFree(d)) cudaSuccess);
  b = (AP_SITE(0x25284585d1f99e66) OPEN(cudaFree(d)) cudaSuccess);
  b = (AP_SITE(0x25284685d1f9a019) OPEN(cudaFree(d)) (AP_SITE(0x335101c5363dcf84) cudaDeviceSynchronize()));
  check((AP_SITE(0x25284385d1f99b00) PAREN(cudaFree(d))), "yes"), check(e, (AP_SITE(0x335102c5363dd137) PAREN(cudaDeviceSynchronize())) ? "yes" : "no");
  if ((AP_SITE(0x25284485d1f99cb3) PAREN(cudaFree(d))) == e && b)
    AP_SITE(0x25285185d1f9b2ca) FUNCTION(cudaFree(d));
}

void from_the_body(int *d) {AP_RANGE(0x9eb357e7fbc7a7ab)
  AP_SITE(0x256f43491251dba6) LAUNCH(d);
  {AP_SITE_SCOPE(0x256f44491251dd59) {AP_SITE_SCOPE(0x32b373e04879d6c2) LAUNCH_STATEMENT(d);}}
  AP_SITE(0x256f41491251d840) PAREN(LAUNCH(d));
  check((AP_SITE(0x32b374e04879d875) SYNC()), "renamed");
  AP_SITE(0x32b371e04879d35c) SYNC();
  check((AP_SITE(0x32b372e04879d50f) SYNC_NOW), "object-like");
  FOR_EACH(i, 3) {AP_RANGE(0x72978f1a4332fbd9) AP_SITE(0x256f42491251d9f3) LAUNCH(d); }
  FOR_EACH(i, 3) {AP_RANGE(0x72978e1a4332fa26) AP_SITE(0x256f47491251e272) LAUNCH(d);}
}

void declares_and_lambdas(int *d) {AP_RANGE(0x25be5cc813d449bc)
  AP_SITE_BEGIN(0x10608bea33cf7753) DECLARE(e, cudaFree(d)); AP_SITE_END(0x10608bea33cf7753)
  AP_SITE(0x64eb04fc4751cff7) DISPATCH(k<<<1, 1>>>(d););
  (void)e;
}

int semicolons(int *d, int n) {AP_RANGE(0x9eafe9b4058e82d3)
  {AP_SITE_SCOPE(0x2f2426973664c5fa) WITH_SEMICOLON}
  {AP_SITE_SCOPE(0x2f2427973664c7ad) WITH_SEMICOLON};
  {AP_SITE_SCOPE(0xe3c8e0bb72749fb8) CALL_WITH_SEMICOLON(cudaFree(d))};
  {AP_SITE_SCOPE(0xe3c8e1bb7274a16b) CALL_WITH_SEMICOLON(check(PAREN(cudaFree(d)), "nested"))}
  {AP_SITE_SCOPE(0xd35f2d03219311cd) {AP_SITE_SCOPE(0x02b3427f77a73ace) TWO_WITH_SEMICOLONS(d)}}
  if (n)
    {AP_SITE_SCOPE(0x2f2424973664c294) WITH_SEMICOLON}
  if (n)
    {AP_SITE_SCOPE(0xe3c8e2bb7274a31e) CALL_WITH_SEMICOLON(cudaFree(d))};
  for (int i = 0; i < n; ++i)
    {AP_RANGE(0x9c7bb151beacf411) {AP_SITE_SCOPE(0x2f2425973664c447) WITH_SEMICOLON}}
  switch (n) {
  case 0:
    {AP_SITE_SCOPE(0x2f2422973664bf2e) WITH_SEMICOLON}
    break;
  case 1:
    TWO_WITH_SEMICOLONS(d);
    break;
  CASE(2, cudaFree(d));
  default:
    {AP_SITE_SCOPE(0x2f2423973664c0e1) WITH_SEMICOLON}
  }
  int a = ({ {AP_SITE_SCOPE(0x2f2420973664bbc8) WITH_SEMICOLON} 1; });
  a += ({ (void)n; {AP_SITE_SCOPE(0xe3c8e4bb7274a684) TWICE(cudaFree(d));} 2; });
  IF_OK(cudaFree(d)) {
    AP_SITE(0x02b3407f77a73768) k<<<1, 1>>>(d);
  }
  return a;
}

int jumps(int *d, int n) {AP_RANGE(0xc675b4d19a35c742)
  if (n > 3)
    goto end;
  {AP_SITE_SCOPE(0xb6b984ede0da0495) {AP_SITE_SCOPE(0xb6b983ede0da02e2) ECHO(cudaFree(d); cudaFree(nullptr));}}
  { {AP_SITE_SCOPE(0xb6b982ede0da012f) {AP_SITE_SCOPE(0xb6b981ede0d9ff7c) ECHO(cudaFree(d); cudaFree(nullptr));}} }
end:
  return n;
}

void hidden_brace(int *d) BEGIN
  AP_SITE(0x95a00fc116517df9) k<<<1, 1>>>(d);
  AP_SITE(0x95a00ec116517c46) k<<<1, 1>>>(d);
}

int main() {AP_RANGE(0xa435b39396a9787a)
  int *d = nullptr;
  std::printf("%d\n", statements(d, true) != cudaSuccess);
  expressions(d);
  from_the_body(d);
  declares_and_lambdas(d);
  int sum = 0;
  for (int n = 0; n < 4; ++n)
    {AP_RANGE(0x1a757129549892d8) sum += semicolons(d, n);}
  std::printf("%d %d\n", sum, jumps(d, 1) + jumps(d, 5));
  hidden_brace(d);
  std::printf("%d\n", __LINE__);
}
AP_TABLE("0xa0116c2fcb8d2474|function|39|13|macros.cu|statements|;0xeb42790d84c80a6e|set|40|9|macros.cu|statements|cudaMemset;0xeb427a0d84c80c21|set|42|7|macros.cu|statements|cudaMemset;0xeb42770d84c80708|set|44|7|macros.cu|statements|cudaMemset;0xeb42780d84c808bb|set|45|9|macros.cu|statements|cudaMemset;0x1b0f36d133d1d80b|free|47|11|macros.cu|statements|cudaFree;0x21eea454fd1c7e93|sync|49|11|macros.cu|statements|cudaDeviceSynchronize;0x71b78166a683bd2e|loop|50|3|macros.cu|statements|;0xeb427d0d84c8113a|set|51|11|macros.cu|statements|cudaMemset;0xeb427e0d84c812ed|set|52|10|macros.cu|statements|cudaMemset;0x21eea354fd1c7ce0|sync|53|9|macros.cu|statements|cudaDeviceSynchronize;0x1b0f35d133d1d658|free|54|7|macros.cu|statements|cudaFree;0x1b0f38d133d1db71|free|54|20|macros.cu|statements|cudaFree;0x1b0f37d133d1d9be|free|55|15|macros.cu|statements|cudaFree;0x1b0f3ad133d1ded7|free|56|8|macros.cu|statements|cudaFree;0x1b0f39d133d1dd24|free|57|8|macros.cu|statements|cudaFree;0x1b0f3cd133d1e23d|free|57|21|macros.cu|statements|cudaFree;0x21eea654fd1c81f9|sync|58|10|macros.cu|statements|cudaDeviceSynchronize;0x9c71debf59db4831|function|61|6|macros.cu|expressions|;0x492c9ce6402d0f23|set|62|12|macros.cu|expressions|cudaMemset;0x25284985d1f9a532|free|63|25|macros.cu|expressions|cudaFree;0x25284a85d1f9a6e5|free|64|11|macros.cu|expressions|cudaFree;0x25284785d1f9a1cc|free|65|12|macros.cu|expressions|cudaFree;0x25284885d1f9a37f|free|66|17|macros.cu|expressions|cudaFree;0x25284585d1f99e66|free|67|12|macros.cu|expressions|cudaFree;0x25284685d1f9a019|free|68|12|macros.cu|expressions|cudaFree;0x335101c5363dcf84|sync|68|25|macros.cu|expressions|cudaDeviceSynchronize;0x25284385d1f99b00|free|69|15|macros.cu|expressions|cudaFree;0x335102c5363dd137|sync|69|52|macros.cu|expressions|cudaDeviceSynchronize;0x25284485d1f99cb3|free|70|13|macros.cu|expressions|cudaFree;0x25285185d1f9b2ca|free|71|14|macros.cu|expressions|cudaFree;0x9eb357e7fbc7a7ab|function|74|6|macros.cu|from_the_body|;0x256f43491251dba6|launch|75|3|macros.cu|from_the_body|k;0x256f44491251dd59|launch|76|3|macros.cu|from_the_body|k;0x32b373e04879d6c2|sync|76|3|macros.cu|from_the_body|cudaDeviceSynchronize;0x256f41491251d840|launch|77|9|macros.cu|from_the_body|k;0x32b374e04879d875|sync|78|9|macros.cu|from_the_body|cudaDeviceSynchronize;0x32b371e04879d35c|sync|79|3|macros.cu|from_the_body|cudaDeviceSynchronize;0x32b372e04879d50f|sync|80|9|macros.cu|from_the_body|cudaDeviceSynchronize;0x72978f1a4332fbd9|loop|81|3|macros.cu|from_the_body|;0x256f42491251d9f3|launch|81|20|macros.cu|from_the_body|k;0x72978e1a4332fa26|loop|82|3|macros.cu|from_the_body|;0x256f47491251e272|launch|82|18|macros.cu|from_the_body|k;0x25be5cc813d449bc|function|85|6|macros.cu|declares_and_lambdas|;0x10608bea33cf7753|free|86|14|macros.cu|declares_and_lambdas|cudaFree;0x64eb04fc4751cff7|launch|87|12|macros.cu|declares_and_lambdas|k;0x9eafe9b4058e82d3|function|91|5|macros.cu|semicolons|;0x2f2426973664c5fa|sync|92|3|macros.cu|semicolons|cudaDeviceSynchronize;0x2f2427973664c7ad|sync|93|3|macros.cu|semicolons|cudaDeviceSynchronize;0xe3c8e0bb72749fb8|free|94|23|macros.cu|semicolons|cudaFree;0xe3c8e1bb7274a16b|free|95|35|macros.cu|semicolons|cudaFree;0x02b3427f77a73ace|launch|96|3|macros.cu|semicolons|k;0xd35f2d03219311cd|set|96|3|macros.cu|semicolons|cudaMemset;0x2f2424973664c294|sync|98|5|macros.cu|semicolons|cudaDeviceSynchronize;0xe3c8e2bb7274a31e|free|100|25|macros.cu|semicolons|cudaFree;0x9c7bb151beacf411|loop|101|3|macros.cu|semicolons|;0x2f2425973664c447|sync|102|5|macros.cu|semicolons|cudaDeviceSynchronize;0x2f2422973664bf2e|sync|105|5|macros.cu|semicolons|cudaDeviceSynchronize;0x2f2423973664c0e1|sync|112|5|macros.cu|semicolons|cudaDeviceSynchronize;0x2f2420973664bbc8|sync|114|14|macros.cu|semicolons|cudaDeviceSynchronize;0xe3c8e4bb7274a684|free|115|26|macros.cu|semicolons|cudaFree;0x02b3407f77a73768|launch|117|5|macros.cu|semicolons|k;0xc675b4d19a35c742|function|122|5|macros.cu|jumps|;0xb6b984ede0da0495|free|125|8|macros.cu|jumps|cudaFree;0xb6b983ede0da02e2|free|125|21|macros.cu|jumps|cudaFree;0xb6b982ede0da012f|free|126|10|macros.cu|jumps|cudaFree;0xb6b981ede0d9ff7c|free|126|23|macros.cu|jumps|cudaFree;0x95a00fc116517df9|launch|132|3|macros.cu|hidden_brace|k;0x95a00ec116517c46|launch|133|3|macros.cu|hidden_brace|k;0xa435b39396a9787a|function|136|5|macros.cu|main|;0x1a757129549892d8|loop|143|3|macros.cu|main|;")
