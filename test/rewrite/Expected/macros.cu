// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %check_rewrite
#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                            \
  do {                                                                         \
    cudaError_t error = (call);                                                \
    if (error != cudaSuccess)                                                  \
      std::printf("%s:%d: %s\n", __FILE__, __LINE__, #call);                   \
  } while (0)
#define TRY(call) if ((call) != cudaSuccess) std::abort()
#define BLOCK(call) { if ((call) != cudaSuccess) std::abort(); }
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
#define DISPATCH(...) [&] { __VA_ARGS__ }()

__global__ void k(int *d) {}
void check(cudaError_t, const char *);

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
  ECHO(cudaFree(d); cudaFree(nullptr));
  {AP_SITE_SCOPE(0x21eea654fd1c81f9) RETURN(cudaDeviceSynchronize());}
}

void expressions(int *d) {AP_RANGE(0x9c71debf59db4831)
  AP_SITE(0x492c9ce6402d0f23) FUNCTION(cudaMemset(d, 0, 4));
  cudaError_t e = (AP_SITE(0x25284985d1f9a532) PAREN(cudaFree(d)));
  e = (AP_SITE(0x25284a85d1f9a6e5) GNU(cudaFree(d)));
  e = (AP_SITE(0x25284785d1f9a1cc) ECHO(cudaFree(d)));
  bool b = OPEN(cudaFree(d)) cudaSuccess;
  AP_SITE(0x25284585d1f99e66) b = OPEN(cudaFree(d)) cudaSuccess;
  AP_SITE(0x25284685d1f9a019) b = OPEN(cudaFree(d)) (AP_SITE(0x335101c5363dcf84) cudaDeviceSynchronize());
  check((AP_SITE(0x25284385d1f99b00) PAREN(cudaFree(d))), (AP_SITE(0x335102c5363dd137) PAREN(cudaDeviceSynchronize())) ? "yes" : "no");
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

void reported(int *d) {AP_RANGE(0x0d43636f09348471)
  DECLARE(e, cudaFree(d));
  DISPATCH(k<<<1, 1>>>(d););
  (void)e;
}

void hidden_brace(int *d) BEGIN
  AP_SITE(0x95a00fc116517df9) k<<<1, 1>>>(d);
  AP_SITE(0x95a00ec116517c46) k<<<1, 1>>>(d);
}
AP_TABLE("0xa0116c2fcb8d2474|function|35|13|macros.cu|statements|;0xeb42790d84c80a6e|set|36|9|macros.cu|statements|cudaMemset;0xeb427a0d84c80c21|set|38|7|macros.cu|statements|cudaMemset;0xeb42770d84c80708|set|40|7|macros.cu|statements|cudaMemset;0xeb42780d84c808bb|set|41|9|macros.cu|statements|cudaMemset;0x1b0f36d133d1d80b|free|43|11|macros.cu|statements|cudaFree;0x21eea454fd1c7e93|sync|45|11|macros.cu|statements|cudaDeviceSynchronize;0x71b78166a683bd2e|loop|46|3|macros.cu|statements|;0xeb427d0d84c8113a|set|47|11|macros.cu|statements|cudaMemset;0xeb427e0d84c812ed|set|48|10|macros.cu|statements|cudaMemset;0x21eea354fd1c7ce0|sync|49|9|macros.cu|statements|cudaDeviceSynchronize;0x1b0f35d133d1d658|free|50|7|macros.cu|statements|cudaFree;0x1b0f38d133d1db71|free|50|20|macros.cu|statements|cudaFree;0x1b0f37d133d1d9be|free|51|15|macros.cu|statements|cudaFree;0x1b0f3ad133d1ded7|free|52|8|macros.cu|statements|cudaFree;0x21eea654fd1c81f9|sync|54|10|macros.cu|statements|cudaDeviceSynchronize;0x9c71debf59db4831|function|57|6|macros.cu|expressions|;0x492c9ce6402d0f23|set|58|12|macros.cu|expressions|cudaMemset;0x25284985d1f9a532|free|59|25|macros.cu|expressions|cudaFree;0x25284a85d1f9a6e5|free|60|11|macros.cu|expressions|cudaFree;0x25284785d1f9a1cc|free|61|12|macros.cu|expressions|cudaFree;0x25284585d1f99e66|free|63|12|macros.cu|expressions|cudaFree;0x25284685d1f9a019|free|64|12|macros.cu|expressions|cudaFree;0x335101c5363dcf84|sync|64|25|macros.cu|expressions|cudaDeviceSynchronize;0x25284385d1f99b00|free|65|15|macros.cu|expressions|cudaFree;0x335102c5363dd137|sync|65|35|macros.cu|expressions|cudaDeviceSynchronize;0x25284485d1f99cb3|free|66|13|macros.cu|expressions|cudaFree;0x25285185d1f9b2ca|free|67|14|macros.cu|expressions|cudaFree;0x9eb357e7fbc7a7ab|function|70|6|macros.cu|from_the_body|;0x256f43491251dba6|launch|71|3|macros.cu|from_the_body|k;0x256f44491251dd59|launch|72|3|macros.cu|from_the_body|k;0x32b373e04879d6c2|sync|72|3|macros.cu|from_the_body|cudaDeviceSynchronize;0x256f41491251d840|launch|73|9|macros.cu|from_the_body|k;0x32b374e04879d875|sync|74|9|macros.cu|from_the_body|cudaDeviceSynchronize;0x32b371e04879d35c|sync|75|3|macros.cu|from_the_body|cudaDeviceSynchronize;0x32b372e04879d50f|sync|76|9|macros.cu|from_the_body|cudaDeviceSynchronize;0x72978f1a4332fbd9|loop|77|3|macros.cu|from_the_body|;0x256f42491251d9f3|launch|77|20|macros.cu|from_the_body|k;0x72978e1a4332fa26|loop|78|3|macros.cu|from_the_body|;0x256f47491251e272|launch|78|18|macros.cu|from_the_body|k;0x0d43636f09348471|function|81|6|macros.cu|reported|;0x95a00fc116517df9|launch|88|3|macros.cu|hidden_brace|k;0x95a00ec116517c46|launch|89|3|macros.cu|hidden_brace|k;")
