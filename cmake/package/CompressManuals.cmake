# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Run by cpack on the files of a package, because Debian's man pages are
# compressed.
file(GLOB_RECURSE _pages "${CPACK_TEMPORARY_DIRECTORY}/*.1")
if(_pages)
  execute_process(COMMAND gzip -9n ${_pages} COMMAND_ERROR_IS_FATAL ANY)
endif()
