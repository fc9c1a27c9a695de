// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "adapter/suite_documents.hpp"

#include "adapter/descriptions.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>

namespace allocgate {

namespace {

std::string quoted(std::string_view text) {
  constexpr std::string_view k_hexadecimal = "0123456789abcdef";
  constexpr unsigned char k_first_printable = 0x20;
  std::string json = "\"";
  for (const char character : text) {
    const auto byte = static_cast<unsigned char>(character);
    if (character == '"' || character == '\\') {
      json += '\\';
      json += character;
    } else if (byte < k_first_printable) {
      json += "\\u00";
      json += k_hexadecimal[byte >> 4U];
      json += k_hexadecimal[byte & 0xFU];
    } else {
      json += character;
    }
  }
  return json + '"';
}

// The shortest text that reads back as the same number, whatever the locale.
std::string number(double value) {
  std::array<char, 32> text{};
  const std::to_chars_result end = std::to_chars(text.data(), text.data() + text.size(), value);
  return {text.data(), end.ptr};
}

std::string_view name_of(WorkloadGate gate) {
  switch (gate) {
    case WorkloadGate::exact:
      return "exact";
    case WorkloadGate::percent:
      return "percent";
    case WorkloadGate::min:
      return "min";
    case WorkloadGate::none:
      return "none";
  }
  return "exact";
}

// google-benchmark ends the name of a case with "/threads:N" when it was given threads.
std::optional<unsigned> threads_in(std::string_view name) {
  constexpr std::string_view k_mark = "/threads:";
  const std::size_t at = name.rfind(k_mark);
  unsigned threads = 0;
  if (at == std::string_view::npos) {
    return std::nullopt;
  }
  const std::string_view digits = name.substr(at + k_mark.size());
  const std::from_chars_result end = std::from_chars(digits.data(), digits.data() + digits.size(), threads);
  return end.ec == std::errc{} && end.ptr == digits.data() + digits.size() ? std::optional(threads) : std::nullopt;
}

std::string layer_json(const WorkloadLayer& layer) {
  return "{\"layer\": " + quoted(layer.layer) + ", \"workload\": " + quoted(layer.workload) +
         ", \"times\": " + std::to_string(layer.times) + "}";
}

std::string workload_json(const std::string& name) {
  static const WorkloadDescription nothing;
  const WorkloadDescription* described = description_of(name);
  const WorkloadDescription& description = described != nullptr ? *described : nothing;

  std::string json = "{\"name\": " + quoted(name);
  const auto text = [&json](std::string_view key, const std::string& value) {
    if (!value.empty()) {
      json += ", " + quoted(key) + ": " + quoted(value);
    }
  };
  text("core", description.core);
  text("core_version", description.core_version);
  text("exercises", description.exercises);
  if (description.iterations) {
    json += ", \"iterations\": " + std::to_string(*description.iterations);
  }
  if (const auto threads = description.threads ? description.threads : threads_in(name)) {
    json += ", \"threads\": " + std::to_string(*threads);
  }
  if (description.gate) {
    text("gate", std::string(name_of(*description.gate)));
  }
  if (!description.depends_on.empty()) {
    json += ", \"depends_on\": [";
    for (const std::string& field : description.depends_on) {
      json += (&field == description.depends_on.data() ? "" : ", ") + quoted(field);
    }
    json += "]";
  }
  if (!description.does_not_depend_on.empty()) {
    json += ", \"does_not_depend_on\": [" + quoted(description.does_not_depend_on) + "]";
  }
  if (!description.layers.empty()) {
    json += ", \"layers\": [";
    for (const WorkloadLayer& layer : description.layers) {
      json += (&layer == description.layers.data() ? "" : ", ") + layer_json(layer);
    }
    json += "]";
  }
  return json + "}";
}

std::string window_json(const WindowReport& window) {
  std::string json = "{\"iterations\": " + std::to_string(window.iterations);
  if (!window.run.error.empty()) {
    json += ", \"error\": " + quoted(window.run.error);
  }
  if (window.times) {
    json += ", \"times\": {\"wall_time_ns\": " + std::to_string(window.times->wall_time_ns) +
            ", \"cpu_time_ns\": " + std::to_string(window.times->cpu_time_ns) +
            ", \"page_faults\": " + std::to_string(window.times->page_faults) +
            ", \"context_switches\": " + std::to_string(window.times->context_switches);
    if (const auto peak = peak_resident_bytes()) {
      json += ", \"peak_resident_bytes\": " + std::to_string(*peak);
    }
    json += "}";
  }
  json += ", \"counters\": {";
  const char* separator = "";
  for (const auto& [name, value] : window.run.counters) {
    if (std::isfinite(value)) {
      json += separator + quoted(name) + ": " + number(value);
      separator = ", ";
    }
  }
  return json + "}}";
}

template <typename Item>
std::string document(std::string_view schema, std::string_view key, const std::vector<Item>& items,
                     std::string (*item_json)(const Item&)) {
  std::string json = "{\"schema\": " + quoted(schema) + ", " + quoted(key) + ": [";
  const char* separator = "\n  ";
  for (const Item& item : items) {
    json += separator + item_json(item);
    separator = ",\n  ";
  }
  return json + (items.empty() ? "]}\n" : "\n]}\n");
}

}  // namespace

std::string listing_json(const std::vector<std::string>& names) {
  return document("allocgate.suite/1", "workloads", names, workload_json);
}

std::string report_json(const std::vector<WindowReport>& windows) {
  return document("allocgate.suite-report/1", "windows", windows, window_json);
}

}  // namespace allocgate
