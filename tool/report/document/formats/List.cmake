# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# A file of this folder is a format: NAME.cpp defines renderNAME, and --format
# takes its name in lower case. Writes them to the folder OUT, the default first: as rows
# (Formats.def), and as --format's choices (FormatNames.h).
if(NOT CMAKE_SCRIPT_MODE_FILE)
  set(Again CONFIGURE_DEPENDS)
endif()
file(GLOB Formats RELATIVE ${CMAKE_CURRENT_LIST_DIR} ${Again} ${CMAKE_CURRENT_LIST_DIR}/*.cpp)
list(REMOVE_ITEM Formats Terminal.cpp)
list(PREPEND Formats Terminal.cpp)
set(Rows "")
set(Names "")
foreach(Format IN LISTS Formats)
  string(REPLACE ".cpp" "" Name ${Format})
  string(TOLOWER ${Name} Option)
  string(APPEND Rows "AUTOPROF_FORMAT(\"${Option}\", render${Name})\n")
  list(APPEND Names ${Option})
endforeach()
list(JOIN Names "|" Names)
file(CONFIGURE OUTPUT ${OUT}/Formats.def CONTENT "${Rows}" @ONLY)
file(CONFIGURE OUTPUT ${OUT}/FormatNames.h CONTENT "#define AUTOPROF_FORMAT_NAMES \"${Names}\"\n" @ONLY)
