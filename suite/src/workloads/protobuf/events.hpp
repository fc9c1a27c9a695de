// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "workloads/common/description.hpp"
#include "workloads/common/package_version.hpp"

#include <google/protobuf/stubs/common.h>
#include <messages.pb.h>

#include <cstddef>
#include <string>
#include <utility>

namespace allocgate::suite {

inline constexpr char k_id[] = "0123456789abcdef";
inline constexpr char k_type[] = "order-was-placed-by-customer";

/// What every workload over protobuf says of itself.
inline WorkloadDescription protobuf_row(std::string exercises) {
  return exact("protobuf",
               package_version({"libprotobuf32", "libprotobuf32t64"},
                               google::protobuf::internal::VersionString(GOOGLE_PROTOBUF_VERSION)),
               std::move(exercises));
}

/// The fields of an event, with so many bytes of data.
inline void fill(messages::Event& event, std::size_t data_size) {
  event.set_id(static_cast<const char*>(k_id));
  event.set_type(static_cast<const char*>(k_type));
  (*event.mutable_metadata())["content-type"] = "application/json";
  event.mutable_data()->assign(data_size, 'd');
}

}  // namespace allocgate::suite
