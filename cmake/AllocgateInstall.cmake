# SPDX-License-Identifier: Apache-2.0
# What is installed beside the targets' own rules: the schemas, and the package files for find_package(allocgate).
# Components: `runtime` is the command and what it starts, `development` what other projects build against.

include(CMakePackageConfigHelpers)

set(ALLOCGATE_SCHEMA_FOLDER "share/allocgate/schema")
set(ALLOCGATE_PACKAGE_FOLDER "lib/cmake/allocgate")

# In the build folder a link, so that the command finds the same layout and never an old copy.
file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/share/allocgate")
file(CREATE_LINK "${PROJECT_SOURCE_DIR}/baselines/schema" "${PROJECT_BINARY_DIR}/${ALLOCGATE_SCHEMA_FOLDER}" SYMBOLIC)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/baselines/schema/" DESTINATION "${ALLOCGATE_SCHEMA_FOLDER}" COMPONENT runtime
  FILES_MATCHING PATTERN "*.json")

if(NOT TARGET allocgate_hooks_api)
  return()
endif()

install(EXPORT allocgateTargets NAMESPACE allocgate:: DESTINATION "${ALLOCGATE_PACKAGE_FOLDER}" COMPONENT development)

# The adapter was compiled with one google-benchmark and works with that one.
set(ALLOCGATE_BENCHMARK_VERSION "")
if(ALLOCGATE_BUILD_SUITE)
  get_directory_property(ALLOCGATE_BENCHMARK_VERSION DIRECTORY "${PROJECT_SOURCE_DIR}/suite"
    DEFINITION benchmark_VERSION)
endif()
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/allocgateConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/package/allocgateConfig.cmake"
  INSTALL_DESTINATION "${ALLOCGATE_PACKAGE_FOLDER}" NO_SET_AND_CHECK_MACRO)
# Before 1.0 a minor version may break; the hooks and the command check the formats' own versions at run time.
write_basic_package_version_file("${PROJECT_BINARY_DIR}/package/allocgateConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/package/allocgateConfig.cmake"
    "${PROJECT_BINARY_DIR}/package/allocgateConfigVersion.cmake"
    "${PROJECT_SOURCE_DIR}/cmake/allocgateGate.cmake"
    "${PROJECT_SOURCE_DIR}/cmake/allocgateUpdateBaseline.cmake"
  DESTINATION "${ALLOCGATE_PACKAGE_FOLDER}" COMPONENT development)
