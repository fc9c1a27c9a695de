// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "cli/streams.hpp"
#include "report/style.hpp"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace CLI {
class App;
}

namespace allocgate {

enum class Format { text, json, markdown };

/// The options of every command that has a result: --format, --output, --color.
struct OutputOptions {
  std::string format = "text";
  std::string output;  // empty: the stream that the command names
  std::string color = "auto";

  /// Declares them; `formats` are those that the command can write.
  void setup(CLI::App& app, const std::vector<std::string>& formats);
  [[nodiscard]] Format chosen_format() const;
};

/// The environment's say in colour; a struct, so that tests give it.
struct ColorEnvironment {
  std::optional<std::string> no_color;
  std::optional<std::string> clicolor_force;
  std::optional<std::string> term;
};

ColorEnvironment color_environment();

/// --color over NO_COLOR over CLICOLOR_FORCE over TERM=dumb over whether it is a terminal.
bool wants_color(std::string_view option, const ColorEnvironment& environment, bool is_terminal);

/// The style for a result: none in a file, as wants_color says on `is_terminal`.
Style result_style(const OutputOptions& options, bool is_terminal);

/// Tables are this wide wherever they are shown, so that a log reads like a terminal.
constexpr std::size_t k_report_width = 80;
/// What is shown indented by four in one of them.
constexpr std::size_t k_indented_width = k_report_width - 4;

/// Writes `text` to --output as a whole or not at all, or else to `stream`. Throws Error (1) when it cannot.
void deliver(const std::string& text, const OutputOptions& options, std::ostream& stream);

}  // namespace allocgate
