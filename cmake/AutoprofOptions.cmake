# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Language level, warnings, and the sanitizer switch of the asan preset.
set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
# The same numbers, to the last digit, as on x86-64: AArch64 can multiply and add
# without rounding in between.
if(CMAKE_SYSTEM_PROCESSOR STREQUAL aarch64)
  add_compile_options(-ffp-contract=off)
endif()

set(AUTOPROF_SANITIZE "" CACHE STRING
    "Sanitizers for the command line and the runtime (-fsanitize=...); never the plugin, whose host is not built with them")
option(AUTOPROF_SANITIZE_LIBRARY "Also lib/libautoprof.so, which then only programs with the same sanitizers can load" OFF)
option(AUTOPROF_WERROR "Treat warnings in autoprof's own code as errors" OFF)

add_library(autoprof_warnings INTERFACE)
target_compile_options(autoprof_warnings INTERFACE -Wall -Wextra -Wno-unused-parameter
  $<$<BOOL:${AUTOPROF_WERROR}>:-Werror>)

option(AUTOPROF_FUZZ "Build test/fuzz for libFuzzer (with clang)" OFF)

add_library(autoprof_sanitize INTERFACE)
if(AUTOPROF_FUZZ)
  target_compile_options(autoprof_sanitize INTERFACE -fsanitize=fuzzer-no-link)
endif()
if(AUTOPROF_SANITIZE)
  target_compile_options(autoprof_sanitize INTERFACE -fsanitize=${AUTOPROF_SANITIZE} -fno-omit-frame-pointer)
  target_link_options(autoprof_sanitize INTERFACE -fsanitize=${AUTOPROF_SANITIZE})
endif()
