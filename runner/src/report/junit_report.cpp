// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "report/junit_report.hpp"

#include "base/text.hpp"
#include "model/names.hpp"
#include "report/values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace allocgate {

namespace {

enum class Outcome { passed, skipped, failure, error };

struct TestCase {
  Outcome outcome = Outcome::passed;
  const Verdict* verdict = nullptr;
  std::string name;
};

/// What stands for bytes that XML cannot hold.
constexpr std::string_view k_replacement = "\xEF\xBF\xBD";

/// The character that begins `text`, and how many bytes it takes; no character for a byte that is not UTF-8.
struct Character {
  std::optional<std::uint32_t> code;
  std::size_t bytes = 1;
};

Character first_character(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text.front());
  constexpr unsigned char k_one_byte = 0x80;
  if (lead < k_one_byte) {
    return {lead, 1};
  }
  struct Form {
    unsigned char mask, mark;
    std::size_t bytes;
    std::uint32_t least;
  };
  constexpr Form k_forms[] = {{0xE0, 0xC0, 2, 0x80}, {0xF0, 0xE0, 3, 0x800}, {0xF8, 0xF0, 4, 0x10000}};
  constexpr std::uint32_t k_last = 0x10FFFF;
  for (const Form& form : k_forms) {
    if ((lead & form.mask) != form.mark) {
      continue;
    }
    std::uint32_t code = lead & static_cast<unsigned char>(~form.mask);
    for (std::size_t i = 1; i < form.bytes; ++i) {
      const auto next = i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
      if ((next & 0xC0U) != 0x80U) {
        return {};
      }
      code = (code << 6U) | (next & 0x3FU);
    }
    return code < form.least || code > k_last ? Character{} : Character{code, form.bytes};
  }
  return {};
}

/// Char of XML 1.0.
bool is_allowed(std::uint32_t code) {
  return code == '\t' || code == '\n' || code == '\r' || (code >= 0x20 && code < 0xD800) ||
         (code >= 0xE000 && code < 0xFFFE) || code >= 0x10000;
}

Outcome outcome_of(const Verdict& verdict) {
  switch (verdict.code) {
    case ExitCode::fine:
      break;
    case ExitCode::regression:
    case ExitCode::improvement:
      return Outcome::failure;
    default:
      return Outcome::error;
  }
  const bool passed = verdict.kind == VerdictKind::unchanged || verdict.kind == VerdictKind::improvement;
  return passed ? Outcome::passed : Outcome::skipped;
}

/// A measure that nobody gates, advisory or a program's own, is no test.
bool is_test(const Verdict& verdict) {
  const MeasureInfo* measure = find_measure(verdict.measure);
  const bool gated_by_default = measure != nullptr && measure->gated_by_default;
  return verdict.code != ExitCode::fine || verdict.measure.empty() || verdict.rule || gated_by_default ||
         (verdict.kind != VerdictKind::not_gated && verdict.kind != VerdictKind::unchanged &&
          verdict.kind != VerdictKind::new_workload && verdict.kind != VerdictKind::not_comparable);
}

std::string class_name_of(const std::string& suite) {
  return suite.empty() ? "allocgate" : "allocgate." + suite;
}

std::string name_of_case(const Verdict& verdict) {
  if (verdict.workload.empty()) {
    return std::string(name_of(verdict.kind));
  }
  std::string name = verdict.workload + (verdict.measure.empty() ? "" : " " + verdict.measure);
  return verdict.argument.empty() ? name : name + " does not depend on " + verdict.argument;
}

/// Everything there is to say, for a reader who sees this text alone.
std::string words_of(const Verdict& verdict) {
  std::string words = verdict.sentence;
  if (verdict.place) {
    words += fmt::format("\nat {}", place_text(*verdict.place));
  }
  if (!verdict.explanation.empty()) {
    words += "\n" + verdict.explanation;
  }
  if (verdict.next) {
    words += fmt::format("\nreproduce: {}\nexplain:   {}\naccept:    {}", verdict.next->reproduce,
                         verdict.next->explain, verdict.next->accept);
  }
  return words;
}

/// In an attribute a parser would make a space of it.
std::string attribute(std::string_view text) {
  std::string escaped = xml_escaped(text);
  for (std::size_t at = escaped.find('\n'); at != std::string::npos; at = escaped.find('\n', at)) {
    escaped.replace(at, 1, "&#10;");
  }
  return escaped;
}

std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

std::string element_of(const TestCase& test) {
  const Verdict& verdict = *test.verdict;
  const std::string message =
      attribute(first_line(verdict.sentence) + (verdict.place ? ", at " + place_text(*verdict.place) : ""));
  const char* tag = test.outcome == Outcome::failure ? "failure" : "error";
  switch (test.outcome) {
    case Outcome::passed:
      return fmt::format("      <system-out>{}</system-out>\n", xml_escaped(verdict.sentence));
    case Outcome::skipped:
      return fmt::format("      <skipped message=\"{}\"/>\n", message);
    case Outcome::failure:
    case Outcome::error:
      break;
  }
  return fmt::format("      <{0} message=\"{1}\" type=\"{2}\">{3}</{0}>\n", tag, message,
                     attribute(name_of(verdict.kind)), xml_escaped(words_of(verdict)));
}

std::string counts_of(const std::vector<TestCase>& tests) {
  const auto number = [&tests](Outcome outcome) {
    return std::count_if(tests.begin(), tests.end(),
                         [outcome](const TestCase& test) { return test.outcome == outcome; });
  };
  return fmt::format("tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\"", tests.size(),
                     number(Outcome::failure), number(Outcome::error), number(Outcome::skipped));
}

std::string properties_of(const Result& result) {
  std::string text = "    <properties>\n";
  const auto add = [&text](std::string_view name, std::string_view value) {
    text += fmt::format("      <property name=\"{}\" value=\"{}\"/>\n", name, attribute(value));
  };
  add("allocgate", result.allocgate_version);
  add("testbed", result.testbed.id);
  if (result.source) {
    add("commit", result.source->commit + (result.source->dirty ? "-dirty" : ""));
  }
  return text + "    </properties>\n";
}

std::string suite_element(const std::string& suite, const std::vector<TestCase>& tests, const Result& result) {
  const std::string class_name = attribute(class_name_of(suite));
  // The schema's time stamps have no zone, and ours are in UTC.
  std::string started = result.started_at;
  if (started.ends_with('Z')) {
    started.pop_back();
  }
  std::string text = fmt::format("  <testsuite name=\"{}\" {}{}>\n", class_name, counts_of(tests),
                                 started.empty() ? "" : fmt::format(" timestamp=\"{}\"", attribute(started)));
  text += properties_of(result);
  for (const TestCase& test : tests) {
    text += fmt::format("    <testcase classname=\"{}\" name=\"{}\">\n{}    </testcase>\n", class_name,
                        attribute(test.name), element_of(test));
  }
  return text + "  </testsuite>\n";
}

}  // namespace

std::string xml_escaped(std::string_view text) {
  std::string escaped;
  while (!text.empty()) {
    const Character character = first_character(text);
    const std::string_view bytes = text.substr(0, character.bytes);
    text.remove_prefix(character.bytes);
    if (!character.code || !is_allowed(*character.code)) {
      escaped += k_replacement;
    } else if (*character.code == '&') {
      escaped += "&amp;";
    } else if (*character.code == '<') {
      escaped += "&lt;";
    } else if (*character.code == '>') {
      escaped += "&gt;";
    } else if (*character.code == '"') {
      escaped += "&quot;";
    } else if (*character.code == '\t' || *character.code == '\r') {
      // As a reference, because a parser would make a space or a line end of them.
      escaped += fmt::format("&#{};", *character.code);
    } else {
      escaped += bytes;
    }
  }
  return escaped;
}

std::string junit_report(const Result& result, const Judgement& judgement) {
  std::vector<std::pair<std::string, std::vector<TestCase>>> suites;
  std::vector<TestCase> all;
  std::map<std::pair<std::string, std::string>, unsigned> times;
  for (const Verdict& verdict : judgement.verdicts) {
    if (!is_test(verdict)) {
      continue;
    }
    // Of two cases of one name GitLab keeps the first, and the second may be the one that is red.
    std::string name = name_of_case(verdict);
    const unsigned time = ++times[{verdict.suite, name}];
    name += time == 1 ? "" : fmt::format(" ({})", time);
    auto suite = std::find_if(suites.begin(), suites.end(),
                              [&verdict](const auto& candidate) { return candidate.first == verdict.suite; });
    if (suite == suites.end()) {
      suite = suites.insert(suites.end(), {verdict.suite, {}});
    }
    suite->second.push_back({outcome_of(verdict), &verdict, std::move(name)});
    all.push_back(suite->second.back());
  }
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  text += fmt::format("<testsuites name=\"allocgate\" {} time=\"{:.3f}\">\n", counts_of(all),
                      static_cast<double>(result.duration_ns) / 1e9);
  for (const auto& [suite, tests] : suites) {
    text += suite_element(suite, tests, result);
  }
  return text + "</testsuites>\n";
}

}  // namespace allocgate
