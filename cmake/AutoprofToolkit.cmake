# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# AUTOPROF_CUDA_PATH, and AUTOPROF_CUDA_LIB inside it: the CUDA toolkit whose headers (CUPTI, NVTX, runtime) the
# runtime is compiled with and which the examples and tests use. Nothing of it
# is linked into libautoprof.so.
if(NOT AUTOPROF_CUDA_PATH)
  find_program(_autoprof_nvcc nvcc HINTS ENV CUDA_HOME ENV CUDA_PATH /usr/local/cuda PATH_SUFFIXES bin NO_CACHE)
  set(_autoprof_candidates ${PROJECT_SOURCE_DIR}/build/toolkit $ENV{CUDA_HOME} $ENV{CUDA_PATH} /usr/local/cuda)
  if(_autoprof_nvcc)
    file(REAL_PATH ${_autoprof_nvcc} _autoprof_nvcc)
    cmake_path(GET _autoprof_nvcc PARENT_PATH _autoprof_nvcc)
    cmake_path(GET _autoprof_nvcc PARENT_PATH _autoprof_nvcc)
    list(PREPEND _autoprof_candidates ${_autoprof_nvcc})
  endif()
  foreach(_dir IN LISTS _autoprof_candidates)
    if(EXISTS ${_dir}/include/cuda_runtime.h)
      set(AUTOPROF_CUDA_PATH ${_dir})
      break()
    endif()
  endforeach()
endif()
set(AUTOPROF_CUDA_PATH "${AUTOPROF_CUDA_PATH}" CACHE PATH "CUDA toolkit (headers, nvcc, CUPTI, NVTX)" FORCE)
if(NOT EXISTS "${AUTOPROF_CUDA_PATH}/include/cuda_runtime.h")
  message(FATAL_ERROR "No CUDA toolkit found. Run scripts/setup.sh, which fetches one from PyPI, "
                      "or configure with -DAUTOPROF_CUDA_PATH=<toolkit>.")
endif()

find_path(_autoprof_cuda_lib libcudart_static.a PATHS ${AUTOPROF_CUDA_PATH} NO_DEFAULT_PATH NO_CACHE
          PATH_SUFFIXES lib64 lib targets/x86_64-linux/lib)
if(NOT _autoprof_cuda_lib)
  message(FATAL_ERROR "The CUDA toolkit in ${AUTOPROF_CUDA_PATH} has no libcudart_static.a. Install its runtime "
                      "library, or configure with -DAUTOPROF_CUDA_PATH=<another toolkit>.")
endif()
set(AUTOPROF_CUDA_LIB ${_autoprof_cuda_lib})
set(AUTOPROF_CUDA_ARCH "sm_90" CACHE STRING "GPU architecture that examples and tests are compiled for")

add_library(autoprof_cuda_headers INTERFACE)
foreach(_sub include extras/CUPTI/include)
  if(EXISTS ${AUTOPROF_CUDA_PATH}/${_sub})
    target_include_directories(autoprof_cuda_headers SYSTEM INTERFACE ${AUTOPROF_CUDA_PATH}/${_sub})
  endif()
endforeach()
