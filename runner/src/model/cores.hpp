// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include <optional>
#include <string>
#include <vector>

// Over which cores a workload is, by what travels with its counts. Pure functions; any thread.
namespace allocgate {

/// The cores that the workload `name` of program `suite` is over: those whose versions `depends_on` names, and the
/// program itself where the name begins with it, as in the installed suite. Empty for a workload without a core.
std::vector<std::string> cores_of(const std::string& name, const std::string& suite,
                                  const std::vector<std::string>& depends_on);

/// A name as the installed suite gives them, core/workload[/variant], in its two parts.
struct NameByCore {
  std::string core;
  std::string workload;
};

/// `name` in its parts; nothing where it does not begin with one of `cores`, as other programs' names do.
std::optional<NameByCore> name_by_core(const std::string& name, const std::vector<std::string>& cores);

}  // namespace allocgate
