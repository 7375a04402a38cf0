# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Precompiled headers of LLVM, clang and the C++ library: without them, most of
# a build is spent reading these. Sources include what they use all the same,
# which AUTOPROF_PCH=OFF shows.
option(AUTOPROF_PCH "Precompile the headers of LLVM, clang and the C++ library" ON)

set(_autoprof_pch_llvm
  <algorithm> <array> <cmath> <cstdint> <functional> <map> <memory> <optional> <set> <string>
  <tuple> <unordered_map> <utility> <vector>
  <llvm/ADT/ArrayRef.h> <llvm/ADT/DenseMap.h> <llvm/ADT/STLExtras.h> <llvm/ADT/SmallString.h>
  <llvm/ADT/SmallVector.h> <llvm/ADT/StringExtras.h> <llvm/ADT/StringMap.h>
  <llvm/ADT/StringRef.h> <llvm/ADT/StringSet.h> <llvm/Support/Error.h>
  <llvm/Support/FileSystem.h> <llvm/Support/FormatVariadic.h> <llvm/Support/JSON.h>
  <llvm/Support/MemoryBuffer.h> <llvm/Support/Path.h> <llvm/Support/raw_ostream.h>)
set(_autoprof_pch_clang ${_autoprof_pch_llvm}
  <clang/AST/ASTContext.h> <clang/AST/Attr.h> <clang/AST/ExprCXX.h>
  <clang/AST/RecursiveASTVisitor.h> <clang/AST/StmtCXX.h>
  <clang/Frontend/CompilerInstance.h> <clang/Lex/Lexer.h> <clang/Lex/Preprocessor.h>)
set(_autoprof_pch_fmt ${_autoprof_pch_llvm} <fmt/format.h>)
set(_autoprof_pch_test ${_autoprof_pch_llvm} <gtest/gtest.h>)

set(_autoprof_pch_libraries_fmt fmt::fmt-header-only)
set(_autoprof_pch_libraries_test GTest::gtest)
find_package(fmt REQUIRED)
file(CONFIGURE OUTPUT headers.cpp CONTENT "// CMake wants a source.\n")

# autoprof_precompile(KIND target...): gives the targets the headers of KIND:
# llvm, clang, fmt or test. These are compiled once for all libraries, and once
# for all executables, whose code differs (-fPIC, -fPIE), each by a target of
# its own: CMake builds all of it before the sources that use its headers.
function(autoprof_precompile kind)
  # Code for a sanitizer can use only headers compiled for it.
  if(NOT AUTOPROF_PCH OR AUTOPROF_SANITIZE OR AUTOPROF_FUZZ)
    return()
  endif()
  foreach(_target ${ARGN})
    get_target_property(_type ${_target} TYPE)
    set(_headers autoprof_precompiled_${kind})
    if(_type STREQUAL EXECUTABLE)
      string(APPEND _headers _for_programs)
    endif()
    if(NOT TARGET ${_headers})
      add_library(${_headers} OBJECT EXCLUDE_FROM_ALL ${PROJECT_BINARY_DIR}/headers.cpp)
      if(_type STREQUAL EXECUTABLE)
        set_target_properties(${_headers} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
        target_compile_options(${_headers} PRIVATE -fPIE)
      endif()
      target_precompile_headers(${_headers} PRIVATE ${_autoprof_pch_${kind}})
      target_link_libraries(${_headers} PRIVATE autoprof_llvm_headers ${_autoprof_pch_libraries_${kind}} autoprof_warnings)
      # As autoprof_catalogue has it.
      target_compile_definitions(${_headers} PRIVATE LLVM_DISABLE_ABI_BREAKING_CHECKS_ENFORCING=1)
      # The same file from the same headers, for ccache.
      target_compile_options(${_headers} PRIVATE "SHELL:-Xclang -fno-pch-timestamp")
    endif()
    target_precompile_headers(${_target} REUSE_FROM ${_headers})
  endforeach()
endfunction()
