# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# _autoprof_sources_of(VARIABLE TARGET): a generator expression for the sources
# that a compiler of the host reads, as absolute paths. In CMake 3.25
# $<PATH:ABSOLUTE_PATH> takes a single path, not a list.
function(_autoprof_sources_of variable target)
  # Relative to the target's folder, wherever autoprof_audit() is called from.
  get_target_property(folder ${target} SOURCE_DIR)
  set(all "$<FILTER:$<TARGET_PROPERTY:${target},SOURCES>,INCLUDE,\\.(cu|cpp|cc|cxx|c\\+\\+|C|c)$>")
  set(relative "$<FILTER:${all},EXCLUDE,^/>")
  set(${variable} "$<FILTER:${all},INCLUDE,^/>"
    "$<$<BOOL:${relative}>:${folder}/$<JOIN:${relative},$<SEMICOLON>${folder}/>>" PARENT_SCOPE)
endfunction()

# autoprof_audit(TARGET [FAIL_ON SEVERITY] [BASELINE FILE] [SARIF FILE]
#                [OPTIONS ARGUMENT...]):
# adds the build target and the test autoprof-audit-TARGET, which audit the
# target's sources as they are compiled. The target autoprof-audit runs all of
# them, and autoprof-audit-update writes the baselines.
function(autoprof_audit target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "FAIL_ON;BASELINE;SARIF" "OPTIONS")
  if(arg_UNPARSED_ARGUMENTS OR arg_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR "autoprof_audit: cannot read '${arg_UNPARSED_ARGUMENTS}${arg_KEYWORDS_MISSING_VALUES}'; "
                        "usage: autoprof_audit(TARGET [FAIL_ON SEVERITY] [BASELINE FILE] [SARIF FILE] [OPTIONS ARGUMENT...])")
  endif()
  if(arg_FAIL_ON AND NOT arg_FAIL_ON MATCHES "^(high|medium|low|note|never)$")
    message(FATAL_ERROR "autoprof_audit: FAIL_ON takes high, medium, low, note or never, not '${arg_FAIL_ON}'")
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

  _autoprof_sources_of(sources ${target})
  set(command "${autoprof_EXECUTABLE}" audit -p "${CMAKE_BINARY_DIR}" ${arg_OPTIONS})
  if(arg_BASELINE)
    cmake_path(ABSOLUTE_PATH arg_BASELINE BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}")
    list(APPEND command "--baseline=${arg_BASELINE}")
    _autoprof_add_update(${target} ${command} --update "${sources}")
  endif()
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

# _autoprof_add_update(TARGET COMMAND...): adds the command to
# autoprof-audit-update. Several targets may share a baseline, so the commands
# run one after another.
function(_autoprof_add_update target)
  add_custom_target(autoprof-audit-update-${target} COMMAND ${ARGN}
    COMMENT "Accepting the findings of ${target}" COMMAND_EXPAND_LISTS VERBATIM)
  if(NOT TARGET autoprof-audit-update)
    add_custom_target(autoprof-audit-update)
  endif()
  get_property(last GLOBAL PROPERTY _autoprof_last_update)
  if(last)
    add_dependencies(autoprof-audit-update-${target} ${last})
  endif()
  set_property(GLOBAL PROPERTY _autoprof_last_update autoprof-audit-update-${target})
  add_dependencies(autoprof-audit-update autoprof-audit-update-${target})
endfunction()
