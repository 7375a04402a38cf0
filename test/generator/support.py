# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The macros and kernels that generated C++ programs use."""

MACROS = r"""
#ifndef MACROS_H
#define MACROS_H
#include <trace.h>
#define CHECK(...)                                                             \
  do {                                                                         \
    cudaError_t error_ = (__VA_ARGS__);                                        \
    if (error_ != cudaSuccess)                                                 \
      trace_text("failed: " #__VA_ARGS__);                                     \
  } while (0)
#define CHECK_LINE(...)                                                        \
  do {                                                                         \
    if (cudaError_t at_ = (__VA_ARGS__)) {                                     \
      trace_text(__func__);                                                    \
      trace(__LINE__ + (int)at_);                                              \
    }                                                                          \
  } while (0)
#define TRY(...) if ((__VA_ARGS__) != cudaSuccess) trace_text("not so")
#define BLOCK(...) { if ((__VA_ARGS__) == cudaSuccess) trace_text("fine"); }
#define EXPECT(...) expect((__VA_ARGS__), #__VA_ARGS__)
#define ECHO(...) __VA_ARGS__
#define PAREN(...) (__VA_ARGS__)
#define NESTED(...) CHECK(PAREN(__VA_ARGS__))
#define GNU(...) ({ cudaError_t error_ = (__VA_ARGS__); error_; })
#define VALUE(...) number(__VA_ARGS__)
#define TWICE(...) do { __VA_ARGS__; trace(2); __VA_ARGS__; } while (0)
#define TWO(A, ...) do { A; __VA_ARGS__; } while (0)
#define ALL(...) ignore(__VA_ARGS__)
#define MAXIMUM(A, B) ({ int a_ = (A), b_ = (B); a_ > b_ ? a_ : b_; })
#define SHOW(...) (trace_text(#__VA_ARGS__), (__VA_ARGS__))
#define RETURN(...) return __VA_ARGS__
#define DECLARE(Name, ...) cudaError_t Name = __VA_ARGS__
#define DECLARE_TWO(Name, A, B) cudaError_t Name = A, Name##1 = B
#define SYNC cudaDeviceSynchronize
#define SYNC_NOW cudaDeviceSynchronize()
#define WITH_SEMICOLON cudaDeviceSynchronize();
#define CALL_WITH_SEMICOLON(...) __VA_ARGS__;
#define IF_OK(...) if ((__VA_ARGS__) == cudaSuccess)
#define FOR_EACH(I, N) for (int I = 0; I < N; ++I)
#define REPEAT(N, ...) for (int i_ = 0; i_ < N; ++i_) { __VA_ARGS__ }
#define CASE(N) case N:
#define RUN(...) do __VA_ARGS__ while (0)
#define DISPATCH(...) [&] { __VA_ARGS__ }()
#define OPENED(...) { if (__VA_ARGS__) {
#define CLOSED } }
#define JOIN_(A, B) A##B
#define JOIN(A, B) JOIN_(A, B)
#define UNIQUE(Name) JOIN(Name, __LINE__)
#define LAUNCH(Kernel, ...) Kernel<<<1, 4>>>(__VA_ARGS__)
#define LAUNCH_CHECKED(Kernel, ...)                                            \
  do {                                                                         \
    Kernel<<<1, 8>>>(__VA_ARGS__);                                             \
    CHECK(cudaGetLastError());                                                 \
    CHECK(cudaDeviceSynchronize());                                            \
  } while (0)
#endif
"""

KERNELS = r"""
#ifndef KERNELS_H
#define KERNELS_H
static __global__ void fill(int *p) { p[0] = 1; }
static __global__ void add(int *p, int a) { p[0] += a; }
template <int N, class T = int> __global__ void typed(int *p, T a) { p[0] = N + static_cast<int>(a); }
namespace inside {
static __global__ void kernel(int *p) { p[0] = 3; }
} // namespace inside
#endif
"""

COMMON = r"""
static inline void cleaned(int *Value) { trace(21000 + *Value); }
"""
