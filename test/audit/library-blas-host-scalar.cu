// A cuBLAS result that is returned to the host.
// RUN: %check_rules
#include <cublas_v2.h>
#include <vector>

void host(cublasHandle_t given, const float *x, float *y, int n) {
  cublasHandle_t handle;
  cublasCreate(&handle);
  float dot, one = 1;
  int largest;
  std::vector<float> norms(n);
  cublasSdot(handle, n, x, 1, x, 1, &dot); // once
  for (int i = 0; i < n; ++i) {
    cublasSdot(handle, n, x, 1, x, 1, &dot); // expect: autoprof-library-blas-host-scalar high
    cublasIsamax(handle, n, x, 1, &largest); // expect: autoprof-library-blas-host-scalar high
    cublasSnrm2(handle, n, x, 1, &norms[i]); // expect: autoprof-library-blas-host-scalar high
    cublasSdot(given, n, x, 1, x, 1, &dot); // expect: autoprof-library-blas-host-scalar high
    cublasSaxpy(handle, n, &one, x, 1, y, 1); // alpha does not wait
    cublasSscal(handle, n, &dot, y, 1);
    cublasScopy(handle, n, x, 1, y, 1);
    cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, x, n, x, n, &one, y, n);
  }
  cublasDestroy(handle);
}

// The result stays on the device.
void device(const float *x, float *given, int n) {
  cublasHandle_t handle;
  cublasCreate(&handle);
  cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE);
  float *result;
  cudaMalloc(&result, 4);
  for (int i = 0; i < n; ++i) {
    cublasSdot(handle, n, x, 1, x, 1, result);
    cublasSnrm2(handle, n, x, 1, given);
    cublasSasum(handle, n, x, 1, result);
  }
  cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST);
  float back;
  for (int i = 0; i < n; ++i)
    cublasSnrm2(handle, n, x, 1, &back); // expect: autoprof-library-blas-host-scalar high
}

// A handle of which nothing is known: the memory of the result decides.
void unknown(cublasHandle_t handle, const float *x, float *given, int n) {
  float *result;
  cudaMalloc(&result, 4);
  for (int i = 0; i < n; ++i) {
    cublasSdot(handle, n, x, 1, x, 1, result);
    cublasSdot(handle, n, x, 1, x, 1, given);
    cublasSnrm2(handle, n, x, 1, given + i);
  }
}

// Of a class, and through a function.
class Solver {
  cublasHandle_t Handle;

public:
  Solver() { cublasCreate(&Handle); }
  float norm(const float *x, int n) {
    float result = 0;
    cublasSnrm2(Handle, n, x, 1, &result); // expect: autoprof-library-blas-host-scalar high
    return result;
  }
};
float solve(Solver &s, const float *x, int n) {
  float last = 0;
  for (int i = 0; i < n; ++i)
    last = s.norm(x, n);
  return last;
}

// Loops that do not run again, and functions with similar names.
namespace mine {
int cublasSdot(int, float *result) { return *result > 0; }
} // namespace mine
void quiet(cublasHandle_t handle, const float *x, int n) {
  float dot = 0;
  for (int i = 0; i < 2; ++i)
    cublasSdot(handle, n, x, 1, x, 1, &dot);
  for (int i = 0; i < n; ++i) {
    mine::cublasSdot(n, &dot);
    if (i == 0)
      cublasSdot(handle, n, x, 1, x, 1, &dot); // expect: autoprof-library-blas-host-scalar low
  }
}
