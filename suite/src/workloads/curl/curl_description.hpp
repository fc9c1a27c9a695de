// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "workloads/common/description.hpp"
#include "workloads/common/package_version.hpp"

#include <curl/curl.h>

#include <string>
#include <utility>

namespace allocgate::suite {

/// A row over libcurl, one thread, the same in every run.
inline WorkloadDescription curl_row(std::string exercises) {
  return exact("curl", package_version({"libcurl4", "libcurl4t64"}, curl_version_info(CURLVERSION_NOW)->version),
               std::move(exercises));
}

}  // namespace allocgate::suite
