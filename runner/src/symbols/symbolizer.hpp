// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "symbols/code_frame.hpp"
#include "symbols/known_frames.hpp"
#include "symbols/module_symbols.hpp"
#include "symbols/symbol_cache.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace allocgate {

/// Which functions lie at an address of a module: the question that turns addresses into stacks. An interface, so that
/// who asks it is tested without files.
class CodeNames {
public:
  virtual ~CodeNames() = default;
  /// The number of the module in `file`, which had that build id when it ran.
  virtual std::size_t module(const std::filesystem::path& file, const std::string& build_id) = 0;
  /// The functions at an address of it, innermost first; at least one, without a name where nobody knows it. Good until
  /// the next call; the texts are good as long as this object.
  virtual std::span<const CodeFrame> frames_at(std::size_t module, std::uint64_t address) = 0;
};

struct SymbolOptions {
  DebugSearch search;
  std::optional<std::filesystem::path> cache;  // a folder; nothing: names are not kept
};

/// The real one: reads the modules' files, and keeps what it found when it goes. Never throws. One thread.
class Symbolizer final : public CodeNames {
public:
  explicit Symbolizer(SymbolOptions options);
  Symbolizer(const Symbolizer&) = delete;
  Symbolizer& operator=(const Symbolizer&) = delete;
  ~Symbolizer() override;

  std::size_t module(const std::filesystem::path& file, const std::string& build_id) override;
  std::span<const CodeFrame> frames_at(std::size_t module, std::uint64_t address) override;

  /// Why names are missing, a sentence a module, without full stops.
  [[nodiscard]] std::vector<std::string> problems() const;

private:
  struct Module {
    std::filesystem::path file;
    std::string build_id;
    KnownFrames known;
    bool cache_was_read = false;
    bool has_news = false;                   // not in the cache yet
    std::unique_ptr<ModuleSymbols> symbols;  // opened for the first address that is not known
  };

  SymbolOptions m_options;
  std::optional<SymbolCache> m_cache;
  std::vector<std::unique_ptr<Module>> m_modules;
  std::map<std::pair<std::filesystem::path, std::string>, std::size_t> m_numbers;
  std::vector<CodeFrame> m_frames;
};

}  // namespace allocgate
