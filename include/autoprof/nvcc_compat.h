// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Provides what nvcc has and clang lacks, for sources written for nvcc.
// autoprof's commands include this file when they read such sources; a
// compilation with clang gets it with -fplugin-arg-autoprof-nvcc-compat=on. It
// comes after clang's own CUDA headers and before all user code. Anything that
// the user or a newer library may also declare is a template that loses against
// any of their declarations. Only reserved names are used, because macros of
// the command line may define any other. docs/sources.md lists the differences
// that are made up for.
#ifndef AUTOPROF_NVCC_COMPAT_H
#define AUTOPROF_NVCC_COMPAT_H
#pragma GCC system_header

// nvcc defines this as 1, and sources test `#if __CUDACC__`.
#undef __CUDACC__
#define __CUDACC__ 1
#ifndef __CUDACC_VER_MAJOR__
#define __CUDACC_VER_MAJOR__ (CUDA_VERSION / 1000)
#define __CUDACC_VER_MINOR__ (CUDA_VERSION % 1000 / 10)
#define __CUDACC_VER_BUILD__ 0
#endif

// The headers that cuda_runtime.h includes under nvcc.
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

// Host overloads in the global namespace. The ellipsis lets any other overload
// win.
template <class __A, class __B,
          class = typename std::enable_if<std::is_arithmetic<__A>::value &&
                                          std::is_arithmetic<__B>::value>::type>
inline typename std::common_type<__A, __B>::type min(__A __x, __B __y, ...) {
  using __T = typename std::common_type<__A, __B>::type;
  return __T(__y) < __T(__x) ? __T(__y) : __T(__x);
}
template <class __A, class __B,
          class = typename std::enable_if<std::is_arithmetic<__A>::value &&
                                          std::is_arithmetic<__B>::value>::type>
inline typename std::common_type<__A, __B>::type max(__A __x, __B __y, ...) {
  using __T = typename std::common_type<__A, __B>::type;
  return __T(__x) < __T(__y) ? __T(__y) : __T(__x);
}
template <class __T = double> inline __T rsqrt(double __x, ...) {
  return 1 / std::sqrt(__x);
}
template <class __T = float> inline __T rsqrtf(float __x, ...) {
  return __T(1 / std::sqrt(double(__x)));
}
template <class __T = double> inline __T rcbrt(double __x, ...) {
  return 1 / std::cbrt(__x);
}
// Exact reductions: neither fmod nor the subtraction rounds.
template <class __T = double> inline __T sinpi(double __x, ...) {
  const double __turn = std::fmod(__x, 2.0), __rest = std::fmod(__x, 1.0);
  return __rest == 0 ? std::copysign(0.0, __x)
         : std::fabs(__turn) > 1
             ? -std::sin(3.14159265358979323846 *
                         (__turn - std::copysign(1.0, __turn)))
             : std::sin(3.14159265358979323846 * __turn);
}
template <class __T = double> inline __T cospi(double __x, ...) {
  const double __turn = std::fabs(std::fmod(__x, 2.0));
  return __turn == 0.5 || __turn == 1.5
             ? 0.0
             : std::cos(3.14159265358979323846 * __turn);
}
template <class __T = float> inline __T sinpif(float __x, ...) {
  return __T(::sinpi<double>(double(__x)));
}
template <class __T = float> inline __T cospif(float __x, ...) {
  return __T(::cospi<double>(double(__x)));
}
template <class __T = double> inline __T normcdf(double __x, ...) {
  return 0.5 * std::erfc(-__x * 0.70710678118654752440);
}
template <class __T = float> inline __T normcdff(float __x, ...) {
  return __T(::normcdf<double>(double(__x)));
}

// Loads and stores with cache hints that clang's wrapper lacks. The hint is
// dropped: it does not change any value.
template <class __T> inline __device__ void __stwb(__T *__to, __T __x) {
  *__to = __x;
}
template <class __T> inline __device__ void __stcg(__T *__to, __T __x) {
  *__to = __x;
}
template <class __T> inline __device__ void __stcs(__T *__to, __T __x) {
  *__to = __x;
}
template <class __T> inline __device__ void __stwt(__T *__to, __T __x) {
  *__to = __x;
}
template <class __T> inline __device__ __T __ldca(const __T *__from) {
  return *__from;
}

// Removed in CUDA 13. Each function has a single successor that does the same.
#if CUDA_VERSION >= 13000
namespace autoprof_nvcc_compat {
inline cudaMemLocation __location(int __dev) {
  cudaMemLocation __result = {};
  __result.type = __dev == cudaCpuDeviceId ? cudaMemLocationTypeHost
                                           : cudaMemLocationTypeDevice;
  __result.id = __dev == cudaCpuDeviceId ? 0 : __dev;
  return __result;
}
} // namespace autoprof_nvcc_compat
template <class __T = cudaError_t>
inline __T cudaMemPrefetchAsync(const void *__pointer, size_t __bytes,
                                int __dev, cudaStream_t __stream = 0) {
  return ::cudaMemPrefetchAsync(
      __pointer, __bytes, autoprof_nvcc_compat::__location(__dev), 0, __stream);
}
template <class __T = cudaError_t>
inline __T cudaMemAdvise(const void *__pointer, size_t __bytes,
                         cudaMemoryAdvise __advice, int __dev) {
  return ::cudaMemAdvise(__pointer, __bytes, __advice,
                         autoprof_nvcc_compat::__location(__dev));
}
template <class __T = cudaError_t> inline __T cudaThreadSynchronize() {
  return ::cudaDeviceSynchronize();
}
template <class __T = cudaError_t> inline __T cudaThreadExit() {
  return ::cudaDeviceReset();
}
#endif

// Removed in CCCL 3: function objects, which are used by value.
#if __has_include(<cuda/std/__cccl/version.h>)
#include <cuda/std/__cccl/version.h>
#endif
#if defined(CCCL_MAJOR_VERSION) && CCCL_MAJOR_VERSION >= 3
namespace thrust {
template <class __A, class __R> struct unary_function {
  using argument_type = __A;
  using result_type = __R;
};
template <class __A, class __B, class __R> struct binary_function {
  using first_argument_type = __A;
  using second_argument_type = __B;
  using result_type = __R;
};
} // namespace thrust
namespace cub {
struct Max {
  template <class __A, class __B>
  __host__ __device__ typename std::common_type<__A, __B>::type
  operator()(const __A &__x, const __B &__y) const {
    using __T = typename std::common_type<__A, __B>::type;
    return __T(__x) < __T(__y) ? __T(__y) : __T(__x);
  }
};
struct Min {
  template <class __A, class __B>
  __host__ __device__ typename std::common_type<__A, __B>::type
  operator()(const __A &__x, const __B &__y) const {
    using __T = typename std::common_type<__A, __B>::type;
    return __T(__y) < __T(__x) ? __T(__y) : __T(__x);
  }
};
struct Sum {
  template <class __A, class __B>
  __host__ __device__ auto operator()(const __A &__x, const __B &__y) const
      -> decltype(__x + __y) {
    return __x + __y;
  }
};
struct Difference {
  template <class __A, class __B>
  __host__ __device__ auto operator()(const __A &__x, const __B &__y) const
      -> decltype(__x - __y) {
    return __x - __y;
  }
};
struct Division {
  template <class __A, class __B>
  __host__ __device__ auto operator()(const __A &__x, const __B &__y) const
      -> decltype(__x / __y) {
    return __x / __y;
  }
};
struct Equality {
  template <class __A, class __B>
  __host__ __device__ bool operator()(const __A &__x, const __B &__y) const {
    return __x == __y;
  }
};
struct Inequality {
  template <class __A, class __B>
  __host__ __device__ bool operator()(const __A &__x, const __B &__y) const {
    return __x != __y;
  }
};
} // namespace cub
#endif

#endif
