// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "stacks/function_name.hpp"

#include "base/demangle.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace allocgate {

namespace {

constexpr std::string_view k_anonymous = "(anonymous namespace)";

bool is_digit(char character) {
  return character >= '0' && character <= '9';
}

bool is_hex_digit(char character) {
  return is_digit(character) || (character >= 'a' && character <= 'f') || (character >= 'A' && character <= 'F');
}

bool is_word(char character) {
  return is_digit(character) || (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z') ||
         character == '_' || character == '$';
}

bool begins_with(std::string_view text, std::string_view beginning) {
  return text.substr(0, beginning.size()) == beginning;
}

bool is_hexadecimal(std::string_view text) {
  return begins_with(text, "0x") && text.size() > 2 && std::all_of(text.begin() + 2, text.end(), is_hex_digit);
}

/// The position of the bracket that closes the one at `open`, or npos.
std::size_t closing(std::string_view text, std::size_t open, char opens, char closes) {
  std::size_t depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    if (text[i] == opens) {
      ++depth;
    } else if (text[i] == closes && --depth == 0) {
      return i;
    }
  }
  return std::string_view::npos;
}

/// `name` without one suffix that a compiler added, if it has one: ".cold", ".part.12", " [clone .isra.0]".
std::string_view without_one_suffix(std::string_view name) {
  if (!name.empty() && name.back() == ']') {
    const std::size_t clone = name.rfind(" [clone ");
    if (clone != std::string_view::npos) {
      return name.substr(0, clone);
    }
  }
  std::size_t end = name.size();
  while (end > 0 && is_digit(name[end - 1])) {
    --end;
  }
  const bool numbered = end < name.size() && end > 0 && name[end - 1] == '.';
  const std::string_view stem = numbered ? name.substr(0, end - 1) : name;
  constexpr auto k_suffixes = std::to_array<std::string_view>(
      {".cold", ".part", ".constprop", ".isra", ".lto_priv", ".llvm", ".clone", ".localalias"});
  for (const std::string_view suffix : k_suffixes) {
    if (stem.size() > suffix.size() && stem.substr(stem.size() - suffix.size()) == suffix) {
      return stem.substr(0, stem.size() - suffix.size());
    }
  }
  return name;
}

std::string_view without_suffixes(std::string_view name) {
  while (true) {
    const std::string_view shorter = without_one_suffix(name);
    if (shorter.size() == name.size()) {
      return name;
    }
    name = shorter;
  }
}

/// The 16 hexadecimal digits with which Rust ends a mangled name: "17h0123456789abcdefE".
bool is_rust(std::string_view linkage_name) {
  constexpr std::size_t k_length = 20;
  if (linkage_name.size() < k_length || linkage_name.back() != 'E') {
    return false;
  }
  const std::string_view end = linkage_name.substr(linkage_name.size() - k_length);
  return begins_with(end, "17h") && std::all_of(end.begin() + 3, end.end() - 1, is_hex_digit);
}

std::string_view without_rust_hash(std::string_view name) {
  constexpr std::size_t k_length = 19;  // "::h" and 16 digits
  if (name.size() <= k_length) {
    return name;
  }
  const std::string_view end = name.substr(name.size() - k_length);
  return begins_with(end, "::h") && std::all_of(end.begin() + 3, end.end(), is_hex_digit)
             ? name.substr(0, name.size() - k_length)
             : name;
}

/// What stands for the piece of a name that begins `rest`, and how long that piece is; nothing where it stays.
struct Replacement {
  std::string text;
  std::size_t length = 0;
};

std::optional<Replacement> anonymous_namespace(std::string_view rest) {
  if (begins_with(rest, "(anonymous namespace")) {
    const std::size_t end = closing(rest, 0, '(', ')');
    return end == std::string_view::npos ? std::nullopt
                                         : std::optional<Replacement>({std::string(k_anonymous), end + 1});
  }
  for (const std::string_view spelling : {"{anonymous}::", "<unnamed>::", "`anonymous namespace'::"}) {
    if (begins_with(rest, spelling)) {
      return Replacement{std::string(k_anonymous), spelling.size() - 2};
    }
  }
  if (begins_with(rest, "_GLOBAL__N_")) {
    const auto end = static_cast<std::size_t>(std::find_if_not(rest.begin(), rest.end(), is_word) - rest.begin());
    if (begins_with(rest.substr(end), "::")) {
      return Replacement{std::string(k_anonymous), end};
    }
  }
  return std::nullopt;
}

std::size_t digits_at(std::string_view text, std::size_t position) {
  std::size_t end = position;
  while (end < text.size() && is_digit(text[end])) {
    ++end;
  }
  return end - position;
}

std::optional<Replacement> lambda(std::string_view rest) {
  if (begins_with(rest, "$_")) {
    const std::size_t digits = digits_at(rest, 2);
    return digits == 0 ? std::nullopt : std::optional<Replacement>({"$_", 2 + digits});
  }
  if (begins_with(rest, "'lambda")) {
    const std::size_t digits = digits_at(rest, 7);
    return digits == 0 || rest.substr(7 + digits, 1) != "'" ? std::nullopt
                                                            : std::optional<Replacement>({"'lambda", 7 + digits});
  }
  if (begins_with(rest, "#")) {
    const std::size_t digits = digits_at(rest, 1);
    const bool ends_braces = digits > 0 && rest.substr(1 + digits, 1) == "}";
    return ends_braces ? std::optional<Replacement>({"", 1 + digits}) : std::nullopt;
  }
  return std::nullopt;
}

/// "<lambda(int)>", as debug data of GCC has it, in the words of the demangler: "{lambda(int)}".
std::optional<Replacement> lambda_in_angles(std::string_view rest) {
  if (!begins_with(rest, "<lambda(")) {
    return std::nullopt;
  }
  const std::size_t end = closing(rest, 7, '(', ')');
  if (end == std::string_view::npos || rest.substr(end + 1, 1) != ">") {
    return std::nullopt;
  }
  return Replacement{"{" + std::string(rest.substr(1, end)) + "}", end + 2};
}

std::string without_numbers(std::string_view name) {
  constexpr std::string_view k_beginnings = "(<{`_$'#";
  std::string result;
  for (std::size_t i = 0; i < name.size();) {
    std::optional<Replacement> replacement;
    const bool inside_word = name[i] == '_' && i > 0 && is_word(name[i - 1]);
    if (k_beginnings.find(name[i]) != std::string_view::npos && !inside_word) {
      const std::string_view rest = name.substr(i);
      replacement = anonymous_namespace(rest);
      replacement = replacement ? replacement : lambda(rest);
      replacement = replacement ? replacement : lambda_in_angles(rest);
    }
    if (replacement) {
      result += replacement->text;
      i += replacement->length;
    } else {
      result += name[i++];
    }
  }
  return result;
}

/// "libc.so.6+0x12" of perf and of our own pages, not "run+0x12", which is a place in a function.
std::size_t offset_of_module(std::string_view name) {
  const std::size_t plus = name.rfind("+0x");
  if (plus == std::string_view::npos || !is_hexadecimal(name.substr(plus + 1))) {
    return std::string_view::npos;
  }
  const std::string_view module = name.substr(0, plus);
  const bool is_module = module.find(".so") != std::string_view::npos ||
                         module.find(".dylib") != std::string_view::npos || begins_with(module, "/");
  return is_module ? plus : std::string_view::npos;
}

std::string chosen_name(std::string_view function, std::string_view linkage_name) {
  const std::string_view symbol = without_suffixes(linkage_name.empty() ? function : linkage_name);
  // A Rust name that nobody demangled is an Itanium name with a hash; its own demangler says more.
  const bool prefers_function = !linkage_name.empty() && !function.empty() &&
                                (is_rust(symbol) || begins_with(symbol, "_R")) && function != linkage_name;
  if (prefers_function) {
    return std::string(without_suffixes(function));
  }
  if (std::optional<std::string> name = demangled(symbol)) {
    return *std::move(name);
  }
  return std::string(symbol);
}

}  // namespace

bool is_nameless(std::string_view name) {
  return name.empty() || name == "??" || name == "???" || name == "[unknown]" || begins_with(name, "[unknown in ") ||
         is_hexadecimal(name) || offset_of_module(name) != std::string_view::npos;
}

std::string_view module_in_name(std::string_view name) {
  constexpr std::string_view k_unknown_in = "[unknown in ";
  if (begins_with(name, k_unknown_in) && name.back() == ']') {
    return name.substr(k_unknown_in.size(), name.size() - k_unknown_in.size() - 1);
  }
  const std::size_t plus = offset_of_module(name);
  return plus == std::string_view::npos ? std::string_view() : name.substr(0, plus);
}

std::string identity_name(std::string_view function, std::string_view linkage_name) {
  if (linkage_name.empty() && is_nameless(function)) {
    return {};
  }
  const std::string chosen = chosen_name(function, linkage_name);
  return without_numbers(without_rust_hash(without_suffixes(chosen)));
}

bool has_internal_linkage(std::string_view linkage_name) {
  if (!begins_with(linkage_name, "_Z")) {
    return false;
  }
  return begins_with(linkage_name, "_ZL") || begins_with(linkage_name, "_ZNL") ||
         linkage_name.find("_GLOBAL__N_") != std::string_view::npos;
}

std::string without_parameters(std::string_view name) {
  const std::size_t close = name.rfind(')');
  if (close == std::string_view::npos || name.substr(0, close + 1).ends_with(k_anonymous)) {
    return std::string(name);
  }
  // After the parameters only qualifiers may follow.
  if (name.find_first_of(":<>{", close) != std::string_view::npos) {
    return std::string(name);
  }
  std::size_t depth = 0;
  std::size_t open = close + 1;
  while (open-- > 0) {
    if (name[open] == ')') {
      ++depth;
    } else if (name[open] == '(' && --depth == 0) {
      break;
    }
  }
  constexpr std::string_view k_operator = "operator";
  if (open == std::string_view::npos || open == 0 ||
      (name.substr(0, open).size() >= k_operator.size() &&
       name.substr(open - k_operator.size(), k_operator.size()) == k_operator)) {
    return std::string(name);
  }
  std::string_view kept = name.substr(0, open);
  // Functions that were made from templates show their return type.
  int level = 0;
  std::size_t start = 0;
  for (std::size_t i = 0; i < kept.size() && kept.substr(i, k_operator.size()) != k_operator; ++i) {
    level += kept[i] == '<' || kept[i] == '(' || kept[i] == '{' ? 1 : 0;
    level -= (kept[i] == '>' && (i == 0 || kept[i - 1] != '-')) || kept[i] == ')' || kept[i] == '}' ? 1 : 0;
    if (kept[i] == ' ' && level == 0) {
      start = i + 1;
    }
  }
  return std::string(kept.substr(start));
}

std::string unqualified(std::string_view name) {
  std::string bare = without_parameters(name);
  if (!bare.empty() && bare.back() == '>' && bare.find("operator") == std::string::npos) {
    int level = 0;
    std::size_t open = bare.size();
    while (open-- > 0) {
      level += bare[open] == '>' ? 1 : 0;
      level -= bare[open] == '<' ? 1 : 0;
      if (level == 0) {
        break;
      }
    }
    bare.resize(std::min(open, bare.size()));
  }
  const std::size_t colons = bare.rfind("::");
  return colons == std::string::npos ? bare : bare.substr(colons + 2);
}

bool is_allocation_function(std::string_view name) {
  constexpr auto k_names = std::to_array<std::string_view>({"malloc",
                                                            "calloc",
                                                            "realloc",
                                                            "reallocarray",
                                                            "reallocf",
                                                            "posix_memalign",
                                                            "aligned_alloc",
                                                            "memalign",
                                                            "valloc",
                                                            "pvalloc",
                                                            "__libc_malloc",
                                                            "__libc_calloc",
                                                            "__libc_realloc",
                                                            "__libc_memalign",
                                                            "__posix_memalign",
                                                            "malloc_zone_malloc",
                                                            "malloc_zone_calloc",
                                                            "malloc_zone_realloc",
                                                            "malloc_zone_memalign",
                                                            "_malloc_zone_malloc",
                                                            "malloc_type_malloc",
                                                            "malloc_type_calloc",
                                                            "malloc_type_realloc"});
  // glibc's own name for calls within it.
  constexpr std::string_view k_inside_libc = "__GI_";
  const std::string_view plain = begins_with(name, k_inside_libc) ? name.substr(k_inside_libc.size()) : name;
  return std::find(k_names.begin(), k_names.end(), plain) != k_names.end() || begins_with(name, "operator new(") ||
         begins_with(name, "operator new[](") || name == "operator new" || name == "operator new[]";
}

std::string_view file_name_of(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

}  // namespace allocgate
