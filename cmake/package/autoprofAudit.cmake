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

# _autoprof_is_our_folder(VARIABLE FOLDER): whether the source folder is the
# project's own: FetchContent puts others' into the build folder.
function(_autoprof_is_our_folder variable folder)
  set(${variable} FALSE PARENT_SCOPE)
  cmake_path(IS_PREFIX CMAKE_SOURCE_DIR "${folder}" below)
  # A build folder at or above the project's contains all of its sources.
  cmake_path(IS_PREFIX CMAKE_BINARY_DIR "${CMAKE_SOURCE_DIR}" above)
  cmake_path(IS_PREFIX CMAKE_BINARY_DIR "${folder}" fetched)
  if(below AND (above OR NOT fetched))
    set(${variable} TRUE PARENT_SCOPE)
  endif()
endfunction()

# _autoprof_is_ours(VARIABLE TARGET): whether the project compiles the target.
function(_autoprof_is_ours variable target)
  set(${variable} FALSE PARENT_SCOPE)
  get_target_property(imported ${target} IMPORTED)
  get_target_property(type ${target} TYPE)
  if(imported OR NOT type MATCHES "^(EXECUTABLE|(STATIC|SHARED|MODULE|OBJECT)_LIBRARY)$")
    return()
  endif()
  get_target_property(folder ${target} SOURCE_DIR)
  _autoprof_is_our_folder(is_our_folder "${folder}")
  set(${variable} ${is_our_folder} PARENT_SCOPE)
endfunction()

# _autoprof_linked_by(VARIABLE TARGET): the targets that this one names, also in
# generator expressions, whose conditions are not known yet.
function(_autoprof_linked_by variable target)
  set(found "")
  foreach(property IN ITEMS LINK_LIBRARIES INTERFACE_LINK_LIBRARIES)
    get_target_property(items ${target} ${property})
    if(items)
      string(REPLACE "::" "\n" items "${items}")
      string(REGEX REPLACE "[$<>:,]" ";" items "${items}")
      string(REPLACE "\n" "::" items "${items}")
      list(APPEND found ${items})
    endif()
  endforeach()
  set(objects "")
  foreach(property IN ITEMS SOURCES INTERFACE_SOURCES)
    get_target_property(sources ${target} ${property})
    string(REGEX MATCHALL "TARGET_OBJECTS:[^>]+" named "${sources}")
    list(APPEND objects ${named})
  endforeach()
  string(REPLACE "TARGET_OBJECTS:" "" objects "${objects}")
  set(targets "")
  foreach(name IN LISTS found objects)
    if(TARGET "${name}")
      get_target_property(aliased "${name}" ALIASED_TARGET)
      if(aliased)
        set(name "${aliased}")
      endif()
      list(APPEND targets "${name}")
    endif()
  endforeach()
  set(${variable} "${targets}" PARENT_SCOPE)
endfunction()

# _autoprof_program(VARIABLE TARGET): the target, and the project's libraries
# that it links, directly or through others.
function(_autoprof_program variable target)
  set(ours "${target}")
  set(seen "${target}")
  set(worklist "${target}")
  while(worklist)
    list(POP_FRONT worklist current)
    _autoprof_linked_by(linked ${current})
    foreach(next IN LISTS linked)
      if(next IN_LIST seen)
        continue()
      endif()
      list(APPEND seen "${next}")
      list(APPEND worklist "${next}")
      _autoprof_is_ours(is_ours "${next}")
      if(is_ours)
        list(APPEND ours "${next}")
      endif()
    endforeach()
  endwhile()
  set(${variable} "${ours}" PARENT_SCOPE)
endfunction()

# _autoprof_export_all(FOLDER): switches compile_commands.json on for all targets
# of the project in and below the folder.
function(_autoprof_export_all folder)
  get_property(targets DIRECTORY "${folder}" PROPERTY BUILDSYSTEM_TARGETS)
  foreach(target IN LISTS targets)
    _autoprof_is_ours(is_ours ${target})
    if(is_ours)
      set_target_properties(${target} PROPERTIES EXPORT_COMPILE_COMMANDS ON)
    endif()
  endforeach()
  get_property(below DIRECTORY "${folder}" PROPERTY SUBDIRECTORIES)
  foreach(next IN LISTS below)
    _autoprof_export_all("${next}")
  endforeach()
endfunction()

# _autoprof_others_folders(VARIABLE FOLDER): the source and build folders of
# others' targets in and below the folder. compile_commands.json lists these,
# too, if the project switches it on with CMAKE_EXPORT_COMPILE_COMMANDS.
function(_autoprof_others_folders variable folder)
  set(others "")
  _autoprof_is_our_folder(is_ours "${folder}")
  if(NOT is_ours)
    get_property(build DIRECTORY "${folder}" PROPERTY BINARY_DIR)
    cmake_path(IS_PREFIX folder "${CMAKE_SOURCE_DIR}" has_our_sources)
    if(NOT has_our_sources)
      list(APPEND others "${folder}")
    endif()
    cmake_path(IS_PREFIX build "${CMAKE_BINARY_DIR}" has_our_build)
    if(NOT has_our_build)
      list(APPEND others "${build}")
    endif()
  endif()
  get_property(below DIRECTORY "${folder}" PROPERTY SUBDIRECTORIES)
  foreach(next IN LISTS below)
    _autoprof_others_folders(more "${next}")
    list(APPEND others ${more})
  endforeach()
  set(${variable} "${others}" PARENT_SCOPE)
endfunction()

# _autoprof_check_baselines(): warns if calls share a baseline but not the
# folders that their OPTIONS leave out: a finding may depend on a loop there, so
# an update of one call would change what another accepts.
function(_autoprof_check_baselines)
  get_property(names GLOBAL PROPERTY _autoprof_updates)
  foreach(name IN LISTS names)
    get_property(file GLOBAL PROPERTY _autoprof_baseline_of_${name})
    get_property(options GLOBAL PROPERTY _autoprof_options_of_${name})
    string(SHA1 key "${file}")
    if(NOT DEFINED first_${key})
      set(first_${key} "${name}")
      set(options_${key} "${options}")
    elseif(NOT options STREQUAL "${options_${key}}" AND "${options};${options_${key}}" MATCHES "--exclude-dir")
      message(WARNING "autoprof_audit: the calls for '${first_${key}}' and '${name}' share the baseline ${file}, "
                      "but leave out different folders, so updating it for one of them can change what the other "
                      "accepts; give each its own BASELINE, or both the same OPTIONS")
    endif()
  endforeach()
endfunction()

# _autoprof_annotated_tree(VARIABLE): the annotated tree that has the project's
# source folder, or an empty string.
function(_autoprof_annotated_tree variable)
  set(folder "${CMAKE_SOURCE_DIR}")
  set(above "")
  while(NOT folder STREQUAL above)
    if(EXISTS "${folder}/autoprof-sites.json" AND EXISTS "${folder}/autoprof/annotated.h")
      set(${variable} "${folder}" PARENT_SCOPE)
      return()
    endif()
    set(above "${folder}")
    cmake_path(GET folder PARENT_PATH folder)
  endwhile()
  set(${variable} "" PARENT_SCOPE)
endfunction()

# _autoprof_skip_audit(NAME TREE): the targets of autoprof_audit() in an
# annotated tree, so that the project can still name them. The probes change the
# lines by which a baseline recognizes findings.
function(_autoprof_skip_audit name tree)
  set(message "autoprof-audit-${name} does nothing in the annotated tree ${tree}; audit the original sources")
  foreach(target IN ITEMS autoprof-audit-${name} autoprof-audit-update-${name})
    add_custom_target(${target} COMMAND ${CMAKE_COMMAND} -E echo "${message}" VERBATIM)
  endforeach()
  foreach(target IN ITEMS autoprof-audit autoprof-audit-update)
    if(NOT TARGET ${target})
      add_custom_target(${target})
    endif()
  endforeach()
  add_dependencies(autoprof-audit autoprof-audit-${name})
  add_dependencies(autoprof-audit-update autoprof-audit-update-${name})
endfunction()

# _autoprof_finish_audits(): called after the project's last command, because
# libraries can be defined and linked after autoprof_audit().
function(_autoprof_finish_audits)
  get_property(audited GLOBAL PROPERTY _autoprof_audited)
  foreach(target IN LISTS audited)
    set(all "")
    _autoprof_program(program ${target})
    foreach(part IN LISTS program)
      set_target_properties(${part} PROPERTIES EXPORT_COMPILE_COMMANDS ON)
      _autoprof_sources_of(sources ${part})
      list(APPEND all ${sources})
    endforeach()
    set_target_properties(${target} PROPERTIES _AUTOPROF_AUDIT_SOURCES "${all}")
  endforeach()
  get_property(is_all GLOBAL PROPERTY _autoprof_audits_all)
  if(is_all)
    _autoprof_export_all("${CMAKE_SOURCE_DIR}")
    _autoprof_others_folders(others "${CMAKE_SOURCE_DIR}")
    list(TRANSFORM others PREPEND "--exclude-dir=")
    set_target_properties(autoprof-audit-all PROPERTIES _AUTOPROF_AUDIT_EXCLUDED "${others}")
  endif()
  if(NOT CMAKE_TESTING_ENABLED)
    message(WARNING "autoprof_audit: ctest will find no tests, because the top CMakeLists.txt does not call "
                    "enable_testing(); call it before autoprof_audit()")
  endif()
  _autoprof_check_baselines()
  _autoprof_add_update_of_all()
endfunction()

# _autoprof_add_update_of_all(): adds autoprof-audit-update. Several targets may
# share a baseline, so it runs the commands one after another. If there is one
# for the whole project, those that differ from it only in the sources have
# nothing to add. It is first, because it removes the entries that it does not
# find.
function(_autoprof_add_update_of_all)
  get_property(names GLOBAL PROPERTY _autoprof_updates)
  get_property(whole GLOBAL PROPERTY _autoprof_reading_of_all)
  if("all" IN_LIST names)
    list(REMOVE_ITEM names all)
    list(PREPEND names all)
  endif()
  set(commands "")
  foreach(name IN LISTS names)
    get_property(reading GLOBAL PROPERTY _autoprof_reading_of_${name})
    if(name STREQUAL "all" OR NOT reading STREQUAL whole)
      get_property(command GLOBAL PROPERTY _autoprof_update_of_${name})
      list(APPEND commands COMMAND ${command})
    endif()
  endforeach()
  if(commands)
    add_custom_target(autoprof-audit-update ${commands}
      WORKING_DIRECTORY "${CMAKE_BINARY_DIR}"
      COMMENT "Accepting the findings" COMMAND_EXPAND_LISTS VERBATIM USES_TERMINAL)
  endif()
endfunction()

# _autoprof_command(VARIABLE NAME SOURCES ARGUMENT...): the command of an audit.
# Without names of files, that of a target would read the whole project; whether
# it has any is known only when the build is generated.
function(_autoprof_command variable target sources)
  # An empty list of lists has semicolons. The command is one argument, because
  # CMake keeps empty ones from 3.31 on (CMP0178).
  set(files "$<FILTER:${sources},INCLUDE,.>")
  set(has_files "$<BOOL:${files}>")
  string(JOIN "$<SEMICOLON>" command ${ARGN})
  string(APPEND command "$<${has_files}:$<SEMICOLON>${files}>")
  if(target STREQUAL "all")
    set(${variable} "${command}" PARENT_SCOPE)
    return()
  endif()
  string(CONCAT message "autoprof: '${target}' and the project's libraries that it links have no "
                        "C, C++ or CUDA sources to audit, so remove autoprof_audit(${target})")
  string(JOIN "$<SEMICOLON>" failure sh -c "echo \"\$1\" && exit 2" sh "${message}")
  set(${variable} "$<${has_files}:${command}>$<$<NOT:${has_files}>:${failure}>" PARENT_SCOPE)
endfunction()

# autoprof_audit(TARGET|ALL [FAIL_ON SEVERITY] [BASELINE FILE] [SARIF FILE]
#                [OPTIONS ARGUMENT...]):
# adds the build target and the test autoprof-audit-TARGET, which audit the
# sources of the target and of the project's libraries that it links, as they
# are compiled; autoprof-audit-all audits the whole project. The target
# autoprof-audit runs all of them, and autoprof-audit-update writes the
# baselines.
function(autoprof_audit target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "FAIL_ON;BASELINE;SARIF" "OPTIONS")
  if(arg_UNPARSED_ARGUMENTS OR arg_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR "autoprof_audit: cannot read '${arg_UNPARSED_ARGUMENTS}${arg_KEYWORDS_MISSING_VALUES}'; "
                        "usage: autoprof_audit(TARGET|ALL [FAIL_ON SEVERITY] [BASELINE FILE] [SARIF FILE] [OPTIONS ARGUMENT...])")
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

  if(target STREQUAL "ALL")
    set(name all)
    set(subject "the project")
    # Without names of files, the audit reads the whole compile_commands.json.
    # The property is set by _autoprof_finish_audits().
    set(sources "$<TARGET_PROPERTY:autoprof-audit-all,_AUTOPROF_AUDIT_EXCLUDED>")
    set_property(GLOBAL PROPERTY _autoprof_audits_all ON)
  else()
    _autoprof_real_target(target autoprof_audit ${target})
    set(name ${target})
    set(subject ${target})
    # The property is set by _autoprof_finish_audits().
    set(sources "$<TARGET_GENEX_EVAL:${target},$<TARGET_PROPERTY:${target},_AUTOPROF_AUDIT_SOURCES>>")
    set_property(GLOBAL APPEND PROPERTY _autoprof_audited ${target})
  endif()
  if(TARGET autoprof-audit-${name})
    message(FATAL_ERROR "autoprof_audit: called twice for '${ARGV0}'")
  endif()
  _autoprof_annotated_tree(tree)
  if(tree)
    _autoprof_skip_audit(${name} "${tree}")
    return()
  endif()
  get_property(is_deferred GLOBAL PROPERTY _autoprof_finishes_audits)
  if(NOT is_deferred)
    set_property(GLOBAL PROPERTY _autoprof_finishes_audits ON)
    cmake_language(DEFER DIRECTORY "${CMAKE_SOURCE_DIR}" CALL _autoprof_finish_audits)
  endif()

  set(command "${autoprof_EXECUTABLE}" audit -p "${CMAKE_BINARY_DIR}" ${arg_OPTIONS})
  # For relative paths in OPTIONS, the same folder in all commands.
  set(settings WORKING_DIRECTORY "${CMAKE_BINARY_DIR}" COMMAND_EXPAND_LISTS)
  if(arg_BASELINE)
    cmake_path(ABSOLUTE_PATH arg_BASELINE BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" NORMALIZE)
    list(APPEND command "--baseline=${arg_BASELINE}")
    _autoprof_command(update ${name} "${sources}" ${command} --update)
    # USES_TERMINAL: Ninja does not run two of them at a time.
    add_custom_target(autoprof-audit-update-${name} COMMAND ${update}
      COMMENT "Accepting the findings of ${subject}" ${settings} VERBATIM USES_TERMINAL)
    set_property(GLOBAL APPEND PROPERTY _autoprof_updates ${name})
    set_property(GLOBAL PROPERTY _autoprof_update_of_${name} "${update}")
    set_property(GLOBAL PROPERTY _autoprof_baseline_of_${name} "${arg_BASELINE}")
    set_property(GLOBAL PROPERTY _autoprof_options_of_${name} "${arg_OPTIONS}")
    set_property(GLOBAL PROPERTY _autoprof_reading_of_${name} "${command}")
  endif()
  set(threshold "")
  if(arg_FAIL_ON)
    set(threshold --fail-on=${arg_FAIL_ON})
  endif()
  # The second run takes the results of all sources from the cache.
  set(sarif "")
  if(arg_SARIF)
    cmake_path(ABSOLUTE_PATH arg_SARIF BASE_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}" NORMALIZE)
    _autoprof_command(sarif ${name} "${sources}" ${command} --fail-on=never --format=sarif -o "${arg_SARIF}")
    list(PREPEND sarif COMMAND)
  endif()
  list(APPEND command ${threshold})
  if(arg_BASELINE)
    list(PREPEND command sh "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/audit-with-hint.sh" "${CMAKE_BINARY_DIR}")
  endif()
  _autoprof_command(audit ${name} "${sources}" ${command})
  add_custom_target(autoprof-audit-${name} ${sarif} COMMAND ${audit}
    COMMENT "Auditing the sources of ${subject}" ${settings} VERBATIM)
  if(NOT TARGET autoprof-audit)
    add_custom_target(autoprof-audit)
  endif()
  add_dependencies(autoprof-audit autoprof-audit-${name})
  add_test(NAME autoprof-audit-${name} COMMAND ${audit} ${settings})
endfunction()
