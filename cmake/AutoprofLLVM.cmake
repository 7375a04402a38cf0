# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# LLVM and the clang headers.
#
# The command line links LLVMSupport statically (it starts in a millisecond and
# runs on machines without LLVM). The plugin does not link LLVM: its symbols
# come from the clang that loads it, and a second copy of cl::opt would abort.
set(AUTOPROF_LLVM_VERSION 22 CACHE STRING "Major version of LLVM, and of the clang that loads the plugin: 22 or 19")
set_property(CACHE AUTOPROF_LLVM_VERSION PROPERTY STRINGS 19 22)
# Without a version: LLVM's config accepts only its exact major.minor.
find_package(LLVM CONFIG QUIET PATHS ${LLVM_DIR} /usr/lib/llvm-${AUTOPROF_LLVM_VERSION} NO_DEFAULT_PATH)
if(NOT LLVM_VERSION_MAJOR EQUAL AUTOPROF_LLVM_VERSION)
  message(FATAL_ERROR "LLVM ${AUTOPROF_LLVM_VERSION} not found (found: '${LLVM_PACKAGE_VERSION}'): install llvm-${AUTOPROF_LLVM_VERSION}-dev "
                      "and libclang-${AUTOPROF_LLVM_VERSION}-dev, or set LLVM_DIR. AUTOPROF_LLVM_VERSION selects another version.")
endif()

add_library(autoprof_llvm_headers INTERFACE)
target_include_directories(autoprof_llvm_headers SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS})
target_compile_definitions(autoprof_llvm_headers INTERFACE ${LLVM_DEFINITIONS_LIST})
target_compile_options(autoprof_llvm_headers INTERFACE -fno-rtti)

# Not every machine has libzstd.so.
find_library(_zstd_static NAMES libzstd.a REQUIRED NO_CACHE)
set(_z z)
if(AUTOPROF_PORTABLE)
  find_library(_z_static NAMES libz.a REQUIRED NO_CACHE)
  set(_z ${_z_static})
endif()
add_library(autoprof_llvm_support INTERFACE)
target_link_libraries(autoprof_llvm_support INTERFACE autoprof_llvm_headers
  ${LLVM_LIBRARY_DIR}/libLLVMSupport.a ${LLVM_LIBRARY_DIR}/libLLVMDemangle.a ${_z} ${_zstd_static} pthread)

# The folder of LLVM's programs, of this machine also when the libraries are of
# another architecture.
set(AUTOPROF_LLVM_BIN ${LLVM_TOOLS_BINARY_DIR})
if(CMAKE_CROSSCOMPILING)
  set(AUTOPROF_LLVM_BIN /usr/lib/llvm-${AUTOPROF_LLVM_VERSION}/bin)
endif()
# autoprof_llvm_files(VARIABLE component...): LLVM's static libraries, as files.
function(autoprof_llvm_files variable)
  execute_process(COMMAND ${AUTOPROF_LLVM_BIN}/llvm-config --link-static --libnames ${ARGN}
    OUTPUT_VARIABLE _names OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  separate_arguments(_names UNIX_COMMAND "${_names}")
  list(TRANSFORM _names PREPEND ${LLVM_LIBRARY_DIR}/)
  set(${variable} ${_names} PARENT_SCOPE)
endfunction()

# For reading object files and debug information; only what is used is linked.
add_library(autoprof_llvm_symbolize INTERFACE)
# Linked as files: LLVM's own targets add libraries that not every machine has.
autoprof_llvm_files(_symbolize symbolize)
target_link_libraries(autoprof_llvm_symbolize INTERFACE ${_symbolize} ${_zstd_static} autoprof_llvm_support)

# clang and LLVM for bin/autoprof-source: the shared libraries that clang itself
# uses, or the static ones for the wheel.
add_library(autoprof_llvm_shared INTERFACE)
if(AUTOPROF_PORTABLE)
  set(_clang "")
  foreach(_part FrontendTool Frontend Driver Options Serialization Tooling ToolingInclusions ToolingInclusionsStdlib ToolingCore Rewrite
          RewriteFrontend CodeGen Parse Sema Analysis AnalysisLifetimeSafety APINotes Edit ASTMatchers AST Lex Basic
          Support Format Index DependencyScanning)
    list(APPEND _clang ${LLVM_LIBRARY_DIR}/libclang${_part}.a)
  endforeach()
  autoprof_llvm_files(_llvm support option
    frontendopenmp frontendoffloading frontenddriver frontendhlsl targetparser mcparser object bitreader bitwriter
    profiledata core analysis irreader coverage windowsdriver x86 nvptx debuginfodwarf plugins)
  target_link_libraries(autoprof_llvm_shared INTERFACE autoprof_llvm_headers ${_clang} ${_llvm}
    autoprof_llvm_support)
else()
  find_library(_clang_cpp NAMES clang-cpp libclang-cpp.so.${LLVM_VERSION_MAJOR}.${LLVM_VERSION_MINOR} PATHS ${LLVM_LIBRARY_DIR} NO_DEFAULT_PATH REQUIRED NO_CACHE)
  find_library(_llvm_shared NAMES LLVM LLVM-${LLVM_VERSION_MAJOR} PATHS ${LLVM_LIBRARY_DIR} NO_DEFAULT_PATH REQUIRED NO_CACHE)
  target_link_libraries(autoprof_llvm_shared INTERFACE autoprof_llvm_headers ${_clang_cpp} ${_llvm_shared})
endif()
