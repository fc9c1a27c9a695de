// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "adapter/descriptions.hpp"

#include <functional>
#include <map>
#include <utility>

namespace allocgate {

namespace {

using Descriptions = std::map<std::string, WorkloadDescription, std::less<>>;

// Registration happens in the constructors of other files, in any order.
Descriptions& descriptions() {
  static Descriptions by_family;
  return by_family;
}

}  // namespace

RegisteredBenchmark* register_workload(const std::string& name, benchmark::internal::Function* function,
                                       WorkloadDescription description) {
  descriptions().insert_or_assign(name, std::move(description));
  return benchmark::RegisterBenchmark(name.c_str(), function);
}

const WorkloadDescription* description_of(std::string_view name) {
  // A case is its family's name and then, each after a slash, its arguments and the like.
  for (std::string_view family = name;; family = family.substr(0, family.rfind('/'))) {
    const auto found = descriptions().find(family);
    if (found != descriptions().end()) {
      return &found->second;
    }
    if (family.find('/') == std::string_view::npos) {
      return nullptr;
    }
  }
}

}  // namespace allocgate
