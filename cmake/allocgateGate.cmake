# SPDX-License-Identifier: Apache-2.0
# Copyright the allocgate authors
#
# allocgate_add_gate: a test that turns red when a program allocates more than its baseline says.
#
#   allocgate_add_gate(TARGET target | COMMAND word...
#     [NAME name] [BASELINE folder | MAX rule...] [THRESHOLD rule...] [WORKLOADS name...] [ITERATIONS count]
#     [ALLOCATOR name] [LABELS label...] [CONFIG file] [ALLOW_MISSING_BASELINE])
#
# TARGET      a google-benchmark program of this build; its cases are the workloads
# COMMAND     any program: its words, of which {iterations} becomes N, 2N and 3N, the first may be a target of this
#             build; it is one workload, called NAME, and is started in the current build folder
# NAME        of the test (default: <target>_gate); COMMAND needs one
# BASELINE    the folder of baselines (default: baselines in the current source folder)
# MAX         WORKLOAD[:MEASURE]=N, as `allocgate check --max` takes it: a gate without any baseline
# THRESHOLD   [WORKLOAD:]MEASURE=VALUE, as `allocgate check --threshold` takes it
# WORKLOADS   names or globs of TARGET's workloads to gate (default: all)
# ITERATIONS  N, the iterations of the first window (default: the workload's own; 1 for a COMMAND)
# ALLOCATOR   under the hooks, as --allocator takes it (default: system)
# LABELS      of the test (default: allocgate)
# CONFIG      an allocgate.json whose thresholds, overrides and waivers hold for TARGET. No other allocgate.json is
#             read: a gate says the same wherever its build folder lies.
# ALLOW_MISSING_BASELINE  where the baselines know nothing of this testbed, the test is skipped instead of failed
#
# The test ends as `allocgate check` does: 2 regression or leak, 3 not measured, 5 no baseline, 6 blind, 7 not
# comparable; its output says which and why. With a baseline there is a build target <name>_baseline beside it, which
# accepts what is measured now and keeps the reason that the environment gives:
#
#   ALLOCGATE_REASON='why the numbers are right' cmake --build <build folder> --target <name>_baseline

set(ALLOCGATE_UPDATE_BASELINE_SCRIPT "${CMAKE_CURRENT_LIST_DIR}/allocgateUpdateBaseline.cmake"
  CACHE INTERNAL "What a gate's baseline target runs")

function(allocgate_add_gate)
  set(flags ALLOW_MISSING_BASELINE)
  set(values TARGET NAME BASELINE ITERATIONS ALLOCATOR CONFIG)
  set(lists COMMAND MAX THRESHOLD WORKLOADS LABELS)
  cmake_parse_arguments(PARSE_ARGV 0 gate "${flags}" "${values}" "${lists}")
  _allocgate_check_gate()
  if(NOT gate_NAME)
    set(gate_NAME "${gate_TARGET}_gate")
  endif()
  if(NOT gate_LABELS)
    set(gate_LABELS allocgate)
  endif()
  _allocgate_write_gate_configuration()

  # What measuring takes, for the test and for the update alike.
  set(measuring --config "${gate_CONFIG}")
  if(gate_TARGET)
    list(APPEND measuring --suite "$<TARGET_FILE:${gate_TARGET}>")
    if(gate_ITERATIONS)
      list(APPEND measuring --iterations "${gate_ITERATIONS}")
    endif()
  endif()
  if(gate_ALLOCATOR)
    list(APPEND measuring --allocator "${gate_ALLOCATOR}")
  endif()

  set(judging "")
  foreach(option IN ITEMS MAX THRESHOLD)
    string(TOLOWER "--${option}" spelt)
    foreach(rule IN LISTS gate_${option})
      list(APPEND judging ${spelt} "${rule}")
    endforeach()
  endforeach()
  # Without this the other suites whose baselines lie in the same folder would be missing.
  if(gate_COMMAND)
    set(gate_WORKLOADS "${gate_NAME}")
  endif()
  foreach(workload IN LISTS gate_WORKLOADS)
    list(APPEND judging --workload "${workload}")
  endforeach()
  if(NOT gate_MAX)
    list(APPEND judging --baseline "${gate_BASELINE}")
    _allocgate_add_baseline_target()
  endif()

  add_test(NAME "${gate_NAME}" COMMAND "$<TARGET_FILE:allocgate::command>" check ${measuring} ${judging})
  set_tests_properties("${gate_NAME}" PROPERTIES LABELS "${gate_LABELS}")
  if(gate_ALLOW_MISSING_BASELINE)
    set_tests_properties("${gate_NAME}" PROPERTIES SKIP_RETURN_CODE 5)
  endif()

  get_property(is_asked DIRECTORY PROPERTY ALLOCGATE_ASKS_FOR_TESTS)
  if(NOT is_asked)
    set_property(DIRECTORY PROPERTY ALLOCGATE_ASKS_FOR_TESTS TRUE)
    cmake_language(DEFER CALL _allocgate_say_when_gates_are_off)
  endif()
endfunction()

# Without enable_testing() CMake drops tests without a word; a gate that never runs would look like a green one.
function(_allocgate_say_when_gates_are_off)
  if(NOT CMAKE_TESTING_ENABLED)
    message(STATUS "allocgate: the gates of ${CMAKE_CURRENT_SOURCE_DIR} are no tests of this build: call "
      "enable_testing(), or include(CTest), in the top folder, before the folder is added")
  endif()
endfunction()

function(_allocgate_refuse_gate message)
  message(FATAL_ERROR "allocgate_add_gate: ${message}")
endfunction()

# Says what is wrong with the arguments in gate_*, and makes paths absolute.
macro(_allocgate_check_gate)
  if(gate_UNPARSED_ARGUMENTS)
    list(GET gate_UNPARSED_ARGUMENTS 0 unknown)
    _allocgate_refuse_gate("unknown argument '${unknown}'; it takes ${flags};${values};${lists}")
  endif()
  if(gate_KEYWORDS_MISSING_VALUES)
    list(GET gate_KEYWORDS_MISSING_VALUES 0 keyword)
    _allocgate_refuse_gate("${keyword} has no value")
  endif()
  if(DEFINED gate_TARGET AND DEFINED gate_COMMAND)
    _allocgate_refuse_gate("TARGET and COMMAND exclude each other: a gate is about one program")
  elseif(NOT DEFINED gate_TARGET AND NOT DEFINED gate_COMMAND)
    _allocgate_refuse_gate("says neither TARGET, a google-benchmark program, nor COMMAND, any other")
  endif()
  if(NOT TARGET allocgate::command)
    _allocgate_refuse_gate("the target allocgate::command is not known in this folder; call "
      "find_package(allocgate REQUIRED COMPONENTS command) here or in a folder above")
  endif()
  if(DEFINED gate_TARGET)
    _allocgate_check_gate_target()
  else()
    _allocgate_check_gate_command()
  endif()
  if(DEFINED gate_NAME AND NOT gate_NAME MATCHES "^[A-Za-z0-9_.+-]+$")
    _allocgate_refuse_gate("NAME '${gate_NAME}' must consist of letters, digits and _ . + -, as names of targets do")
  endif()
  if(DEFINED gate_ITERATIONS AND NOT gate_ITERATIONS MATCHES "^[1-9][0-9]*$")
    _allocgate_refuse_gate("ITERATIONS '${gate_ITERATIONS}' is not a whole number of at least 1")
  endif()
  if(DEFINED gate_MAX AND (DEFINED gate_BASELINE OR gate_ALLOW_MISSING_BASELINE))
    _allocgate_refuse_gate("MAX judges without any baseline, so BASELINE and ALLOW_MISSING_BASELINE make no sense "
      "beside it; a THRESHOLD NAME=0..N says the same as MAX")
  endif()
  if(NOT DEFINED gate_BASELINE)
    set(gate_BASELINE baselines)
  endif()
  get_filename_component(gate_BASELINE "${gate_BASELINE}" ABSOLUTE)
endmacro()

macro(_allocgate_check_gate_target)
  if(NOT TARGET "${gate_TARGET}")
    _allocgate_refuse_gate("there is no target '${gate_TARGET}' here; call it after add_executable, or use COMMAND "
      "for a program that this build does not make")
  endif()
  get_target_property(type "${gate_TARGET}" TYPE)
  if(NOT type STREQUAL "EXECUTABLE")
    _allocgate_refuse_gate("TARGET '${gate_TARGET}' is no program but a ${type}")
  endif()
  if(DEFINED gate_CONFIG)
    get_filename_component(gate_CONFIG "${gate_CONFIG}" ABSOLUTE)
    if(NOT EXISTS "${gate_CONFIG}")
      _allocgate_refuse_gate("CONFIG '${gate_CONFIG}': there is no such file")
    endif()
  endif()
endmacro()

macro(_allocgate_check_gate_command)
  if(NOT DEFINED gate_NAME)
    _allocgate_refuse_gate("COMMAND needs a NAME: the name of its workload, and of the baseline's file")
  endif()
  foreach(option IN ITEMS CONFIG WORKLOADS)
    if(DEFINED gate_${option})
      _allocgate_refuse_gate("${option} is for TARGET; a COMMAND is one workload, which this call describes")
    endif()
  endforeach()
endmacro()

# The file that says what the gate measures. Beside what it runs, because commands are started in its folder.
macro(_allocgate_write_gate_configuration)
  if(NOT DEFINED gate_CONFIG)
    set(description "")
    if(DEFINED gate_COMMAND)
      list(GET gate_COMMAND 0 program)
      if(TARGET "${program}")
        list(REMOVE_AT gate_COMMAND 0)
        list(PREPEND gate_COMMAND "$<TARGET_FILE:${program}>")
      endif()
      set(words "")
      foreach(word IN LISTS gate_COMMAND)
        string(REPLACE "\\" "\\\\" word "${word}")
        string(REPLACE "\"" "\\\"" word "${word}")
        string(REPLACE "\t" "\\t" word "${word}")
        string(REPLACE "\n" "\\n" word "${word}")
        list(APPEND words "\"${word}\"")
      endforeach()
      list(JOIN words ", " words)
      set(iterations "")
      if(gate_ITERATIONS)
        set(iterations ", \"iterations\": ${gate_ITERATIONS}")
      endif()
      set(description ", \"name\": \"${gate_NAME}\", \"workloads\": [
  {\"name\": \"${gate_NAME}\", \"command\": [${words}]${iterations}}
]")
    endif()
    set(gate_CONFIG "${CMAKE_CURRENT_BINARY_DIR}/${gate_NAME}$<$<BOOL:$<CONFIG>>:.$<CONFIG>>.allocgate.json")
    file(GENERATE OUTPUT "${gate_CONFIG}" CONTENT "{\"schema\": \"allocgate.configuration/1\"${description}}\n")
  endif()
endmacro()

macro(_allocgate_add_baseline_target)
  add_custom_target("${gate_NAME}_baseline"
    COMMAND "${CMAKE_COMMAND}" -P "${ALLOCGATE_UPDATE_BASELINE_SCRIPT}" --
      "${gate_NAME}_baseline" "$<TARGET_FILE:allocgate::command>" ${measuring} --baseline "${gate_BASELINE}" ${gate_WORKLOADS}
    WORKING_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}"
    COMMENT "Accepting what ${gate_NAME} counts now"
    USES_TERMINAL VERBATIM)
  if(gate_TARGET)
    add_dependencies("${gate_NAME}_baseline" "${gate_TARGET}")
  endif()
  # Programs of this build that the words name have to be built before they are measured.
  foreach(word IN LISTS gate_COMMAND)
    string(REGEX MATCHALL "\\$<TARGET_FILE:[^>$]+>" named "${word}")
    foreach(file IN LISTS named)
      string(REGEX REPLACE "^\\$<TARGET_FILE:(.*)>$" "\\1" program "${file}")
      add_dependencies("${gate_NAME}_baseline" "${program}")
    endforeach()
  endforeach()
endmacro()
