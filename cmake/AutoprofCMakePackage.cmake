# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The files by which find_package() finds autoprof, also in the wheel.
include(CMakePackageConfigHelpers)
set(_files ${PROJECT_SOURCE_DIR}/cmake/package)
# The same tree below the build folder, so that the package works from there.
set(_package ${CMAKE_INSTALL_LIBDIR}/cmake/autoprof)
configure_file(${_files}/autoprofConfig.cmake.in ${_package}/autoprofConfig.cmake @ONLY)
configure_file(${_files}/autoprofInstrument.cmake ${_package}/autoprofInstrument.cmake COPYONLY)
configure_file(${_files}/autoprofAudit.cmake ${_package}/autoprofAudit.cmake COPYONLY)
configure_file(${_files}/audit-with-hint.sh ${_package}/audit-with-hint.sh COPYONLY)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/${_package}/autoprofConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(DIRECTORY ${PROJECT_BINARY_DIR}/${_package}/ DESTINATION ${_package} COMPONENT dev)
