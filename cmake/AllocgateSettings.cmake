# SPDX-License-Identifier: Apache-2.0
# Settings that every target of ours shares, and the layout of the build folder: the same as the installed one, so that
# the command finds its parts relative to itself in both.

set(ALLOCGATE_LIBRARY_FOLDER "lib/allocgate")
set(ALLOCGATE_SUITE_FOLDER "${ALLOCGATE_LIBRARY_FOLDER}/suite")

add_library(allocgate_settings INTERFACE)
target_compile_features(allocgate_settings INTERFACE cxx_std_20)
set_target_properties(allocgate_settings PROPERTIES EXPORT_NAME settings)

if(ALLOCGATE_SANITIZE)
  target_compile_options(allocgate_settings INTERFACE -fsanitize=${ALLOCGATE_SANITIZE} -fno-omit-frame-pointer)
  target_link_options(allocgate_settings INTERFACE -fsanitize=${ALLOCGATE_SANITIZE})
endif()

set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
