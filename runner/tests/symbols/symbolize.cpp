// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
//
// symbolize [--mangled] [--cache=FOLDER] [--debug-folder=FOLDER] FILE BUILD_ID < ADDRESSES: what runner/src/symbols
// says of the addresses of FILE, in the form of `llvm-symbolizer --output-style=LLVM`, so that both can be compared.
#include "process/launcher.hpp"
#include "symbols/demangler.hpp"
#include "symbols/symbolizer.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <deque>
#include <iostream>
#include <iterator>
#include <string>
#include <unordered_map>

namespace {

class Printer {
public:
  explicit Printer(bool mangled) : m_is_mangled(mangled) {}

  void print(std::span<const allocgate::CodeFrame> frames) {
    for (const allocgate::CodeFrame& frame : frames) {
      const auto [name, is_new] = m_names.try_emplace(frame.name.data());
      if (is_new && !m_is_mangled) {
        name->second = allocgate::demangled_name(frame.name);
      }
      const std::string_view shown = frame.name.empty() ? "??" : name->second.empty() ? frame.name : name->second;
      fmt::format_to(std::back_inserter(m_text), "{}\n{}:{}\n", shown, frame.file.empty() ? "??" : frame.file,
                     frame.line);
    }
    m_text += '\n';
    if (m_text.size() > k_most_text) {
      flush();
    }
  }
  void flush() {
    std::cout << m_text;
    m_text.clear();
  }

private:
  static constexpr std::size_t k_most_text = std::size_t{1} << 20U;
  bool m_is_mangled;
  std::string m_text;
  std::unordered_map<const char*, std::string> m_names;  // by where the name lies: a name is asked for often
};

}  // namespace

int main(int argc, char** argv) {
  constexpr std::string_view k_cache = "--cache=";
  constexpr std::string_view k_folder = "--debug-folder=";
  constexpr int k_hexadecimal = 16;
  allocgate::SymbolOptions options;
  bool mangled = false;
  int next = 1;
  for (; next < argc && std::string_view(argv[next]).substr(0, 2) == "--"; ++next) {
    const std::string_view option = argv[next];
    if (option.substr(0, k_cache.size()) == k_cache) {
      options.cache = option.substr(k_cache.size());
    } else if (option.substr(0, k_folder.size()) == k_folder) {
      options.search.folders.emplace_back(option.substr(k_folder.size()));
    } else {
      mangled = mangled || option == "--mangled";
    }
  }
  if (argc - next != 2) {
    std::cerr << "usage: symbolize [--mangled] [--cache=FOLDER] [--debug-folder=FOLDER] FILE BUILD_ID < ADDRESSES\n";
    return EXIT_FAILURE;
  }
  allocgate::Symbolizer symbolizer(options);
  const std::size_t module = symbolizer.module(argv[next], argv[next + 1]);
  Printer printer(mangled);
  for (std::string word; std::cin >> word;) {
    printer.print(symbolizer.frames_at(module, std::stoull(word, nullptr, k_hexadecimal)));
  }
  printer.flush();
  for (const std::string& problem : symbolizer.problems()) {
    std::cerr << problem << '\n';
  }
  return EXIT_SUCCESS;
}
