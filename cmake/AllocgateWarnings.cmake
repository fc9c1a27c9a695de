# SPDX-License-Identifier: Apache-2.0
# Warnings for our own code; errors only where a preset asks for it, never for someone who packages us.

add_library(allocgate_warnings INTERFACE)
target_compile_options(allocgate_warnings INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wcast-align $<$<COMPILE_LANGUAGE:CXX>:-Wnon-virtual-dtor> -Wundef
  $<$<BOOL:${ALLOCGATE_WARNINGS_AS_ERRORS}>:-Werror>)
