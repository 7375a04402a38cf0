# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# AUTOPROF_CUDA_PATH, and AUTOPROF_CUDA_LIB inside it: the CUDA toolkit whose
# headers (CUPTI, NVTX, runtime) the runtime is compiled with and which the
# examples and tests use. Nothing of it is linked into libautoprof.so.
# A toolkit's folder for programs of this architecture is targets/<this>.
set(AUTOPROF_CUDA_TARGET x86_64-linux)
if(CMAKE_SYSTEM_PROCESSOR STREQUAL aarch64)
  set(AUTOPROF_CUDA_TARGET sbsa-linux)
endif()
if(NOT AUTOPROF_CUDA_PATH)
  find_program(_nvcc nvcc NO_CACHE)
  if(_nvcc)
    # Asks nvcc itself: on PATH there may be a script that calls it.
    execute_process(COMMAND ${_nvcc} --dryrun -x cu -c /dev/null OUTPUT_VARIABLE _dryrun ERROR_VARIABLE _dryrun)
    unset(_nvcc)
    if(_dryrun MATCHES "TOP=([^\n]+)")
      file(REAL_PATH "${CMAKE_MATCH_1}" _nvcc)
    endif()
  endif()
  # scripts/setup.sh makes build/toolkit only if the others are missing or
  # incomplete (clang includes cuRAND's headers in every CUDA file), with the
  # same check.
  foreach(_dir ${PROJECT_SOURCE_DIR}/build/toolkit ${_nvcc} $ENV{CUDA_HOME} $ENV{CUDA_PATH} /usr/local/cuda)
    set(_complete TRUE)
    foreach(_part bin/nvcc include/cuda_runtime.h include/cublas_v2.h include/nvtx3/nvToolsExt.h
            include/curand_mtgp32_kernel.h)
      if(NOT EXISTS "${_dir}/${_part}")
        set(_complete FALSE)
      endif()
    endforeach()
    file(GLOB _found ${_dir}/include/cupti.h ${_dir}/extras/CUPTI/include/cupti.h)
    file(GLOB _library ${_dir}/lib64/libcudart_static.a ${_dir}/lib/libcudart_static.a
         ${_dir}/targets/${AUTOPROF_CUDA_TARGET}/lib/libcudart_static.a)
    if(_complete AND _found AND _library)
      set(AUTOPROF_CUDA_PATH ${_dir})
      break()
    endif()
  endforeach()
endif()
set(AUTOPROF_CUDA_PATH "${AUTOPROF_CUDA_PATH}" CACHE PATH "CUDA toolkit (headers, nvcc, CUPTI, NVTX)" FORCE)
if(NOT EXISTS "${AUTOPROF_CUDA_PATH}/include/cuda_runtime.h")
  message(FATAL_ERROR "No CUDA toolkit with nvcc, cuBLAS, cuRAND, CUPTI and NVTX found. Run scripts/setup.sh, which fetches one from PyPI, "
                      "or configure with -DAUTOPROF_CUDA_PATH=<toolkit>.")
endif()

find_path(_cuda_lib libcudart_static.a PATHS ${AUTOPROF_CUDA_PATH} NO_DEFAULT_PATH NO_CACHE
          PATH_SUFFIXES lib64 lib targets/${AUTOPROF_CUDA_TARGET}/lib)
if(NOT _cuda_lib)
  message(FATAL_ERROR "The CUDA toolkit in ${AUTOPROF_CUDA_PATH} has no libcudart_static.a. Install its runtime "
                      "library, or configure with -DAUTOPROF_CUDA_PATH=<another toolkit>.")
endif()
set(AUTOPROF_CUDA_LIB ${_cuda_lib})

# The architecture of this machine's GPU, or that of the H200 on which the
# shipped recordings were made.
set(_arch sm_90)
execute_process(COMMAND nvidia-smi --query-gpu=compute_cap --format=csv,noheader --id=0
                OUTPUT_VARIABLE _compute_cap ERROR_QUIET RESULT_VARIABLE _status)
if(_status EQUAL 0 AND _compute_cap MATCHES "^([0-9]+)\\.([0-9])")
  set(_arch sm_${CMAKE_MATCH_1}${CMAKE_MATCH_2})
endif()
set(AUTOPROF_CUDA_ARCH ${_arch} CACHE STRING "GPU architecture that examples and tests are compiled for")

add_library(autoprof_cuda_headers INTERFACE)
foreach(_sub include extras/CUPTI/include)
  if(EXISTS ${AUTOPROF_CUDA_PATH}/${_sub})
    target_include_directories(autoprof_cuda_headers SYSTEM INTERFACE ${AUTOPROF_CUDA_PATH}/${_sub})
  endif()
endforeach()
