# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Programs for any Linux with glibc 2.28 or newer, for the Python
# wheel (scripts/wheel.sh). The objects are those of the ordinary build; only
# the linking differs: ziglang has glibc 2.28's symbols and start files, GCC's
# C++ library is linked statically, and OldLibc.c provides the functions of
# later glibcs that both use.
option(AUTOPROF_PORTABLE "Link programs that need glibc 2.28 only, and no LLVM libraries; no plugin, tests or examples" OFF)
if(NOT AUTOPROF_PORTABLE)
  return()
endif()
find_program(AUTOPROF_ZIG_PYTHON python PATHS ${PROJECT_SOURCE_DIR}/build/wheel-tools/bin NO_DEFAULT_PATH)
if(NOT AUTOPROF_ZIG_PYTHON)
  message(FATAL_ERROR "AUTOPROF_PORTABLE needs the PyPI package ziglang: run scripts/wheel.sh.")
endif()
set(_target)
if(CMAKE_CROSSCOMPILING)
  set(_target --target=${CMAKE_CXX_COMPILER_TARGET} --sysroot=${CMAKE_SYSROOT})
endif()
execute_process(COMMAND ${CMAKE_CXX_COMPILER} ${_target} -print-file-name=libstdc++.a
  OUTPUT_VARIABLE _cxx_library OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)

add_library(autoprof_old_libc STATIC ${PROJECT_SOURCE_DIR}/python/OldLibc.c)
link_libraries(autoprof_old_libc)

set(ZLIB_USE_STATIC_LIBS ON)

set(_link "${AUTOPROF_ZIG_PYTHON} -m ziglang c++ -target ${CMAKE_SYSTEM_PROCESSOR}-linux-gnu.2.28 -nostdlib++ -Wl,--gc-sections")
set(_inputs "<LINK_FLAGS> <OBJECTS> -o <TARGET> <LINK_LIBRARIES> ${_cxx_library} -lunwind")
set(CMAKE_CXX_LINK_EXECUTABLE "${_link} -pie ${_inputs}")
set(CMAKE_CXX_CREATE_SHARED_LIBRARY "${_link} -shared <SONAME_FLAG><TARGET_SONAME> ${_inputs}")
