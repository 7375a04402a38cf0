# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# autoprof_audit(TARGET [FAIL_ON SEVERITY] [SARIF FILE] [OPTIONS ARGUMENT...]):
# adds the build target and the test autoprof-audit-TARGET, which audit the
# target's sources as they are compiled. The target autoprof-audit runs all of
# them.
function(autoprof_audit target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "FAIL_ON;SARIF" "OPTIONS")
  if(arg_UNPARSED_ARGUMENTS OR arg_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR "autoprof_audit: cannot read '${arg_UNPARSED_ARGUMENTS}${arg_KEYWORDS_MISSING_VALUES}'; "
                        "usage: autoprof_audit(TARGET [FAIL_ON SEVERITY] [SARIF FILE] [OPTIONS ARGUMENT...])")
  endif()
  if(NOT CMAKE_GENERATOR MATCHES "Ninja|Makefiles")
    message(FATAL_ERROR "autoprof_audit: needs compile_commands.json, which the generator '${CMAKE_GENERATOR}' does not write")
  endif()
  _autoprof_check_scope(autoprof_audit)
  if(NOT EXISTS "${autoprof_EXECUTABLE}")
    message(FATAL_ERROR "autoprof_audit: '${autoprof_EXECUTABLE}' is missing; install autoprof's programs")
  endif()
  _autoprof_real_target(target autoprof_audit ${target})
  set_target_properties(${target} PROPERTIES EXPORT_COMPILE_COMMANDS ON)

  # Relative to the target's folder, wherever this is called from.
  get_target_property(folder ${target} SOURCE_DIR)
  set(sources "$<FILTER:$<TARGET_PROPERTY:${target},SOURCES>,INCLUDE,\\.(cu|cpp|cc|cxx|c\\+\\+|C|c)$>")
  set(sources "$<PATH:ABSOLUTE_PATH,NORMALIZE,${sources},${folder}>")
  set(command "${autoprof_EXECUTABLE}" audit -p "${CMAKE_BINARY_DIR}" ${arg_OPTIONS})
  set(threshold "")
  if(arg_FAIL_ON)
    set(threshold --fail-on=${arg_FAIL_ON})
  endif()
  # The second run takes the results of all sources from the cache.
  set(sarif "")
  if(arg_SARIF)
    cmake_path(ABSOLUTE_PATH arg_SARIF BASE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}")
    set(sarif COMMAND ${command} --fail-on=never --format=sarif -o "${arg_SARIF}" "${sources}")
  endif()
  add_custom_target(autoprof-audit-${target} ${sarif}
    COMMAND ${command} ${threshold} "${sources}"
    COMMENT "Auditing the sources of ${target}" COMMAND_EXPAND_LISTS VERBATIM)
  if(NOT TARGET autoprof-audit)
    add_custom_target(autoprof-audit)
  endif()
  add_dependencies(autoprof-audit autoprof-audit-${target})
  add_test(NAME autoprof-audit-${target} COMMAND ${command} ${threshold} "${sources}" COMMAND_EXPAND_LISTS)
endfunction()
