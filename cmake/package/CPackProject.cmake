# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Read by cpack, once for each kind of package.
if(CPACK_GENERATOR STREQUAL "DEB")
  set(CPACK_DEB_COMPONENT_INSTALL ON)
  set(CPACK_COMPONENTS_GROUPING ONE_PER_GROUP)
  set(CPACK_COMPONENTS_ALL tools debian-tools dev debian-dev debian-plugin)
  set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
  # The synopsis of all packages; each has its own description below it.
  set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "hidden CPU-GPU synchronization in CUDA programs")
else()
  set(CPACK_ARCHIVE_COMPONENT_INSTALL ON)
  set(CPACK_COMPONENT_INCLUDE_TOPLEVEL_DIRECTORY ON)
  set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE)
  set(CPACK_COMPONENTS_ALL tools dev plugin license)
endif()
