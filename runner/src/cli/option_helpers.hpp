// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

// Kinds of options that several commands have.
namespace allocgate {

/// `name VALUE`, as often as wanted; each time it takes one word and no more, so that names may follow.
void add_repeatable(CLI::App& app, const std::string& name, std::vector<std::string>& values, const std::string& type,
                    const std::string& description);

/// `name SECONDS`: a finite number above 0, with decimals where wanted.
void add_seconds(CLI::App& app, const std::string& name, double& seconds, const std::string& description);

/// --core NAME, as often as wanted.
void add_cores(CLI::App& app, std::vector<std::string>& cores);

/// --config FILE.
void add_configuration_file(CLI::App& app, std::string& file);

/// --baseline DIR; `otherwise` says where baselines are when it is left out.
void add_baseline_folder(CLI::App& app, std::string& folder, const std::string& otherwise = "the installed one");

/// Appends `name value` to the words of a command line; nothing for an empty value, which is one that was not given.
void append_option(std::vector<std::string>& words, const char* name, const std::string& value);

}  // namespace allocgate
