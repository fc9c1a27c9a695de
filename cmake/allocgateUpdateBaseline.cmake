# SPDX-License-Identifier: Apache-2.0
# Copyright the allocgate authors
#
# cmake -P allocgateUpdateBaseline.cmake -- TARGET ALLOCGATE ARGUMENT...: what the build target <name>_baseline of
# allocgate_add_gate runs. It asks for the reason in the environment, where it cannot be left over from another day.

if("$ENV{ALLOCGATE_REASON}" STREQUAL "")
  message(FATAL_ERROR "A baseline keeps why its numbers are right, so ${CMAKE_ARGV4} needs a reason. Build it as in\n"
    "  ALLOCGATE_REASON='requests reuse their buffer' cmake --build <build folder> --target ${CMAKE_ARGV4}")
endif()

set(arguments "")
math(EXPR last "${CMAKE_ARGC} - 1")
foreach(index RANGE 6 ${last})
  string(REPLACE ";" "\\;" argument "${CMAKE_ARGV${index}}")
  list(APPEND arguments "${argument}")
endforeach()
execute_process(COMMAND "${CMAKE_ARGV5}" baseline update --reason "$ENV{ALLOCGATE_REASON}" ${arguments}
  RESULT_VARIABLE code)
if(NOT code EQUAL 0)
  message(FATAL_ERROR "allocgate baseline update ended with ${code}; what it says is above")
endif()
