// Results, sizes and pivots of cuSPARSE that are returned to the host.
// REQUIRES: cusparse
// RUN: %check_rules
#include <cusparse.h>

void scalars(cusparseHandle_t handle, cusparseSpVecDescr_t x, cusparseDnVecDescr_t y,
             void *buffer, float *given, int n) {
  float dot;
  cusparseSpVV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, x, y, &dot, CUDA_R_32F, buffer); // once
  for (int i = 0; i < n; ++i) {
    cusparseSpVV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, x, y, &dot, CUDA_R_32F, buffer); // expect: autoprof-library-blas-host-scalar high
    cusparseAxpby(handle, &dot, x, &dot, y);
    cusparseGather(handle, y, x);
    cusparseScatter(handle, x, y);
  }
}

void onDevice(cusparseSpVecDescr_t x, cusparseDnVecDescr_t y, void *buffer, int n) {
  cusparseHandle_t handle;
  cusparseCreate(&handle);
  cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_DEVICE);
  float *result;
  cudaMalloc(&result, 4);
  for (int i = 0; i < n; ++i)
    cusparseSpVV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, x, y, result, CUDA_R_32F, buffer);
  cusparseDestroy(handle);
}

void pivots(cusparseHandle_t handle, csrilu02Info_t info, int n) {
  int position;
  cusparseXcsrilu02_zeroPivot(handle, info, &position); // once
  for (int i = 0; i < n; ++i)
    cusparseXcsrilu02_zeroPivot(handle, info, &position); // expect: autoprof-library-blas-host-scalar high
}

void sizes(cusparseHandle_t handle, cusparseSpMatDescr_t a, cusparseSpMatDescr_t b,
           cusparseSpMatDescr_t c, cusparseSpGEMMDescr_t d, void *buffer, int n) {
  float one = 1;
  size_t bytes = 0;
  for (int i = 0; i < n; ++i) {
    cusparseSpGEMM_workEstimation(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, a, b, &one, c, CUDA_R_32F, CUSPARSE_SPGEMM_DEFAULT, d, &bytes, nullptr); // how large the buffer has to be
    cusparseSpGEMM_workEstimation(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, a, b, &one, c, CUDA_R_32F, CUSPARSE_SPGEMM_DEFAULT, d, &bytes, buffer); // expect: autoprof-library-blas-host-scalar high
    cusparseSpGEMM_copy(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, a, b, &one, c, CUDA_R_32F, CUSPARSE_SPGEMM_DEFAULT, d);
  }
}

// Queries of descriptors.
void queries(cusparseSpMatDescr_t a, cusparseHandle_t handle, cusparseDnVecDescr_t x, cusparseDnVecDescr_t y, void *buffer, int n) {
  int64_t rows, cols, nonzeros;
  float one = 1;
  for (int i = 0; i < n; ++i) {
    cusparseSpMatGetSize(a, &rows, &cols, &nonzeros);
    cusparseSpMV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, a, x, &one, y, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, buffer);
  }
}
