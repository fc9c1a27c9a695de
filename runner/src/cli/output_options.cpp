// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "cli/output_options.hpp"

#include "base/error.hpp"
#include "base/file.hpp"
#include "process/interrupt.hpp"

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <cstdlib>
#include <ostream>

namespace allocgate {

namespace {

std::optional<std::string> environment_value(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

}  // namespace

void OutputOptions::setup(CLI::App& app, const std::vector<std::string>& formats) {
  std::string type;
  for (const std::string& name : formats) {
    type += (type.empty() ? "" : "|") + name;
  }
  // A list that leaves a page of help no room is one that the command's description explains.
  constexpr std::size_t k_widest_type = 64;
  type = type.size() > k_widest_type ? "FORMAT" : type;
  app.add_option("--format", format, "How the result is written")
      ->type_name(type)
      ->check(CLI::IsMember(formats).description(""))
      ->capture_default_str();
  app.add_option("-o,--output", output, "Write the result to FILE, as a whole or not at all")->type_name("FILE");
  app.add_option("--color", color, "When to use colour")
      ->type_name("WHEN")
      ->check(CLI::IsMember({"auto", "always", "never"}).description(""))
      ->capture_default_str();
}

Format OutputOptions::chosen_format() const {
  if (format == "json") {
    return Format::json;
  }
  return format == "markdown" ? Format::markdown : Format::text;
}

ColorEnvironment color_environment() {
  return {environment_value("NO_COLOR"), environment_value("CLICOLOR_FORCE"), environment_value("TERM")};
}

bool wants_color(std::string_view option, const ColorEnvironment& environment, bool is_terminal) {
  if (option != "auto") {
    return option == "always";
  }
  if (environment.no_color && !environment.no_color->empty()) {
    return false;
  }
  if (environment.clicolor_force && !environment.clicolor_force->empty() && *environment.clicolor_force != "0") {
    return true;
  }
  return is_terminal && environment.term.value_or("dumb") != "dumb";
}

Style result_style(const OutputOptions& options, bool is_terminal) {
  return Style(wants_color(options.color, color_environment(), is_terminal && options.output.empty()));
}

void deliver(const std::string& text, const OutputOptions& options, std::ostream& stream) {
  // Nothing is measured any more, and a reader may keep us waiting for ever.
  const InterruptScope interrupts(InterruptScope::Means::end_now);
  if (!options.output.empty()) {
    write_file_atomically(options.output, text);
    return;
  }
  stream << text << std::flush;
  if (!stream) {
    throw Error(
        ExitCode::internal_error,
        "cannot write the result to standard output: it is closed or its disk is full; --output writes to a file");
  }
}

}  // namespace allocgate
