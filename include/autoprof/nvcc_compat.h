// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What nvcc has and clang lacks, for sources written for nvcc. autoprof's
// commands include it when they read such sources; in a compilation with clang
// it comes with -fplugin-arg-autoprof-nvcc-compat=on. It stands behind clang's
// own CUDA headers and before anything of the user's. Whatever may also be
// declared by the user or by a newer library is a template that loses against
// any declaration of theirs. docs/sources.md lists what is made up for.
#ifndef AUTOPROF_NVCC_COMPAT_H
#define AUTOPROF_NVCC_COMPAT_H
#pragma GCC system_header

// nvcc defines it as 1, and sources ask `#if __CUDACC__`.
#undef __CUDACC__
#define __CUDACC__ 1
#ifndef __CUDACC_VER_MAJOR__
#define __CUDACC_VER_MAJOR__ (CUDA_VERSION / 1000)
#define __CUDACC_VER_MINOR__ (CUDA_VERSION % 1000 / 10)
#define __CUDACC_VER_BUILD__ 0
#endif

// What cuda_runtime.h brings along under nvcc.
#include <assert.h>
#include <cmath>
#include <cstdlib>
#include <math.h>
#include <new>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <type_traits>

// Host overloads in the global namespace. The ellipsis lets any other win.
template <class A, class B,
          class = typename std::enable_if<std::is_arithmetic<A>::value &&
                                          std::is_arithmetic<B>::value>::type>
inline typename std::common_type<A, B>::type min(A X, B Y, ...) {
  using T = typename std::common_type<A, B>::type;
  return T(Y) < T(X) ? T(Y) : T(X);
}
template <class A, class B,
          class = typename std::enable_if<std::is_arithmetic<A>::value &&
                                          std::is_arithmetic<B>::value>::type>
inline typename std::common_type<A, B>::type max(A X, B Y, ...) {
  using T = typename std::common_type<A, B>::type;
  return T(X) < T(Y) ? T(Y) : T(X);
}
template <class T = double> inline T rsqrt(double X, ...) {
  return 1 / std::sqrt(X);
}
template <class T = float> inline T rsqrtf(float X, ...) {
  return T(1 / std::sqrt(double(X)));
}
template <class T = double> inline T rcbrt(double X, ...) {
  return 1 / std::cbrt(X);
}
// Exact reductions: fmod loses nothing, and neither does the subtraction.
template <class T = double> inline T sinpi(double X, ...) {
  const double Turn = std::fmod(X, 2.0), Half = std::fmod(X, 1.0);
  return Half == 0             ? std::copysign(0.0, X)
         : std::fabs(Turn) > 1 ? -std::sin(3.14159265358979323846 *
                                           (Turn - std::copysign(1.0, Turn)))
                               : std::sin(3.14159265358979323846 * Turn);
}
template <class T = double> inline T cospi(double X, ...) {
  const double Turn = std::fabs(std::fmod(X, 2.0));
  return Turn == 0.5 || Turn == 1.5 ? 0.0
                                    : std::cos(3.14159265358979323846 * Turn);
}
template <class T = float> inline T sinpif(float X, ...) {
  return T(::sinpi<double>(double(X)));
}
template <class T = float> inline T cospif(float X, ...) {
  return T(::cospi<double>(double(X)));
}
template <class T = double> inline T normcdf(double X, ...) {
  return 0.5 * std::erfc(-X * 0.70710678118654752440);
}
template <class T = float> inline T normcdff(float X, ...) {
  return T(::normcdf<double>(double(X)));
}

// Loads and stores with cache hints that clang's wrapper lacks. The hint is
// dropped: it changes no value.
template <class T> inline __device__ void __stwb(T *To, T X) { *To = X; }
template <class T> inline __device__ void __stcg(T *To, T X) { *To = X; }
template <class T> inline __device__ void __stcs(T *To, T X) { *To = X; }
template <class T> inline __device__ void __stwt(T *To, T X) { *To = X; }
template <class T> inline __device__ T __ldca(const T *From) { return *From; }

// Removed in CUDA 13. Each has one successor that does the same.
#if CUDA_VERSION >= 13000
namespace autoprof_nvcc_compat {
inline cudaMemLocation location(int Device) {
  cudaMemLocation Result = {};
  Result.type = Device == cudaCpuDeviceId ? cudaMemLocationTypeHost
                                          : cudaMemLocationTypeDevice;
  Result.id = Device == cudaCpuDeviceId ? 0 : Device;
  return Result;
}
} // namespace autoprof_nvcc_compat
template <class T = cudaError_t>
inline T cudaMemPrefetchAsync(const void *Pointer, size_t Bytes, int Device,
                              cudaStream_t Stream = 0) {
  return ::cudaMemPrefetchAsync(
      Pointer, Bytes, autoprof_nvcc_compat::location(Device), 0, Stream);
}
template <class T = cudaError_t>
inline T cudaMemAdvise(const void *Pointer, size_t Bytes,
                       cudaMemoryAdvise Advice, int Device) {
  return ::cudaMemAdvise(Pointer, Bytes, Advice,
                         autoprof_nvcc_compat::location(Device));
}
template <class T = cudaError_t> inline T cudaThreadSynchronize() {
  return ::cudaDeviceSynchronize();
}
template <class T = cudaError_t> inline T cudaThreadExit() {
  return ::cudaDeviceReset();
}
#endif

// Removed in CCCL 3. Function objects, which are used by value.
#if __has_include(<cuda/std/__cccl/version.h>)
#include <cuda/std/__cccl/version.h>
#endif
#if defined(CCCL_MAJOR_VERSION) && CCCL_MAJOR_VERSION >= 3
namespace thrust {
template <class A, class R> struct unary_function {
  using argument_type = A;
  using result_type = R;
};
template <class A, class B, class R> struct binary_function {
  using first_argument_type = A;
  using second_argument_type = B;
  using result_type = R;
};
} // namespace thrust
namespace cub {
struct Max {
  template <class A, class B>
  __host__ __device__ typename std::common_type<A, B>::type
  operator()(const A &X, const B &Y) const {
    using T = typename std::common_type<A, B>::type;
    return T(X) < T(Y) ? T(Y) : T(X);
  }
};
struct Min {
  template <class A, class B>
  __host__ __device__ typename std::common_type<A, B>::type
  operator()(const A &X, const B &Y) const {
    using T = typename std::common_type<A, B>::type;
    return T(Y) < T(X) ? T(Y) : T(X);
  }
};
struct Sum {
  template <class A, class B>
  __host__ __device__ auto operator()(const A &X, const B &Y) const
      -> decltype(X + Y) {
    return X + Y;
  }
};
struct Difference {
  template <class A, class B>
  __host__ __device__ auto operator()(const A &X, const B &Y) const
      -> decltype(X - Y) {
    return X - Y;
  }
};
struct Division {
  template <class A, class B>
  __host__ __device__ auto operator()(const A &X, const B &Y) const
      -> decltype(X / Y) {
    return X / Y;
  }
};
struct Equality {
  template <class A, class B>
  __host__ __device__ bool operator()(const A &X, const B &Y) const {
    return X == Y;
  }
};
struct Inequality {
  template <class A, class B>
  __host__ __device__ bool operator()(const A &X, const B &Y) const {
    return X != Y;
  }
};
} // namespace cub
#endif

#endif
