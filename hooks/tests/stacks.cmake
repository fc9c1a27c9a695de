# SPDX-License-Identifier: Apache-2.0
# What the tests of call stacks need. Their programs are optimised, without frame pointers: as most programs are.

function(add_stack_probe name)
  add_executable(probe_${name} ${ARGN})
  target_link_libraries(probe_${name} PRIVATE
    allocgate_hooks_api allocgate_settings allocgate_warnings Threads::Threads ${CMAKE_DL_LIBS})
  target_compile_options(probe_${name} PRIVATE -O2 -fomit-frame-pointer -fno-optimize-sibling-calls)
  set_target_properties(probe_${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${probe_folder}" OUTPUT_NAME ${name})
  set_property(GLOBAL APPEND PROPERTY allocgate_probes probe_${name})
endfunction()

add_stack_probe(stacks programs/stacks.cpp programs/stack_sites.cpp programs/stack_places.cpp)
add_stack_probe(stack_corners programs/stack_corners.cpp programs/stack_sites.cpp programs/stack_places.cpp)
add_stack_probe(stack_lives programs/stack_lives.cpp)
add_stack_probe(random_stacks programs/random_stacks.cpp programs/random_stacks_paths.cpp)

# The same of other languages.
add_stack_probe(stack_plain programs/stack_plain.c)
set_target_properties(probe_stack_plain PROPERTIES C_STANDARD 11 C_EXTENSIONS ON)
find_program(ALLOCGATE_RUSTC rustc DOC "Builds the Rust probe of call stacks (Debian package rustc)")
set(rust_probe "")
if(ALLOCGATE_RUSTC)
  set(rust_probe "${probe_folder}/stack_plain_rust")
  add_custom_command(OUTPUT "${rust_probe}"
    COMMAND "${CMAKE_COMMAND}" -E make_directory "${probe_folder}"
    COMMAND "${ALLOCGATE_RUSTC}" -O -C force-frame-pointers=no -o "${rust_probe}"
      "${CMAKE_CURRENT_SOURCE_DIR}/programs/stack_plain.rs"
    DEPENDS programs/stack_plain.rs VERBATIM)
  add_custom_target(allocgate_rust_probe ALL DEPENDS "${rust_probe}")
  set_property(GLOBAL APPEND PROPERTY allocgate_probes allocgate_rust_probe)
endif()

# Two libraries of one layout, and one that the linker gave no search table.
foreach(library IN ITEMS twin_a twin_b untabled)
  add_library(probe_${library} MODULE programs/stack_library.cpp)
  target_link_libraries(probe_${library} PRIVATE allocgate_settings allocgate_warnings)
  target_compile_options(probe_${library} PRIVATE -O2 -fomit-frame-pointer)
  set_target_properties(probe_${library} PROPERTIES LIBRARY_OUTPUT_DIRECTORY "${probe_folder}")
  target_compile_definitions(probe_stacks PRIVATE "${library}=\"$<TARGET_FILE:probe_${library}>\"")
  add_dependencies(probe_stacks probe_${library})
endforeach()
target_link_options(probe_untabled PRIVATE -Wl,--no-eh-frame-hdr)

# Every stack compared with libunwind's, inside of the hooks.
find_path(ALLOCGATE_LIBUNWIND_INCLUDE libunwind.h DOC "For the comparison of stacks (Debian package libunwind-dev)")
find_library(ALLOCGATE_LIBUNWIND unwind DOC "For the comparison of stacks (Debian package libunwind-dev)")
set(observed_hooks_library "")
if(ALLOCGATE_LIBUNWIND AND ALLOCGATE_LIBUNWIND_INCLUDE)
  list(TRANSFORM core_sources PREPEND "${CMAKE_CURRENT_SOURCE_DIR}/../" OUTPUT_VARIABLE observed_sources)
  list(TRANSFORM interposing_sources PREPEND "${CMAKE_CURRENT_SOURCE_DIR}/../" OUTPUT_VARIABLE observed_interposing)
  add_library(allocgate_observed_hooks MODULE ${observed_sources} ${observed_interposing} stack_observer.cpp)
  target_compile_options(allocgate_observed_hooks PRIVATE ${hook_options})
  target_compile_definitions(allocgate_observed_hooks PRIVATE ALLOCGATE_OBSERVE_STACKS)
  target_include_directories(allocgate_observed_hooks PRIVATE ../src ../include "${ALLOCGATE_LIBUNWIND_INCLUDE}")
  target_link_libraries(allocgate_observed_hooks PRIVATE
    "${ALLOCGATE_LIBUNWIND}" allocgate_settings allocgate_warnings)
  target_link_options(allocgate_observed_hooks PRIVATE
    -Wl,-z,now -Wl,-z,nodelete "-Wl,--version-script=${version_script}")
  set_target_properties(allocgate_observed_hooks PROPERTIES LIBRARY_OUTPUT_DIRECTORY "${probe_folder}")
  set_property(GLOBAL APPEND PROPERTY allocgate_probes allocgate_observed_hooks)
  set(observed_hooks_library "$<TARGET_FILE:allocgate_observed_hooks>")
endif()
