// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "symbols/symbolizer.hpp"

namespace allocgate {

Symbolizer::Symbolizer(SymbolOptions options) : m_options(std::move(options)) {
  if (m_options.cache) {
    m_cache.emplace(*m_options.cache);
  }
}

Symbolizer::~Symbolizer() {
  for (const auto& module : m_modules) {
    if (!m_cache || !module->has_news || module->build_id.empty()) {
      continue;
    }
    // What was found without debug data, or without all of them, may be known better tomorrow.
    const std::vector<std::filesystem::path> files = module->symbols->debug_files();
    if (!files.empty()) {
      m_cache->write(module->build_id, files, module->known);
    }
  }
}

std::size_t Symbolizer::module(const std::filesystem::path& file, const std::string& build_id) {
  const auto [known, is_new] = m_numbers.emplace(std::pair(file, build_id), m_modules.size());
  if (is_new) {
    m_modules.push_back(std::make_unique<Module>());
    m_modules.back()->file = file;
    m_modules.back()->build_id = build_id;
  }
  return known->second;
}

std::span<const CodeFrame> Symbolizer::frames_at(std::size_t number, std::uint64_t address) {
  Module& module = *m_modules[number];
  if (!module.cache_was_read) {
    module.cache_was_read = true;
    if (m_cache && !module.build_id.empty()) {
      m_cache->read(module.build_id, module.known);
    }
  }
  if (const auto known = module.known.find(address)) {
    return *known;
  }
  if (module.symbols == nullptr) {
    module.symbols = std::make_unique<ModuleSymbols>(module.file, module.build_id, m_options.search);
  }
  m_frames.clear();
  module.symbols->append_frames(address, m_frames);
  module.has_news = true;
  return module.known.add(address, m_frames);
}

std::vector<std::string> Symbolizer::problems() const {
  std::vector<std::string> problems;
  for (const auto& module : m_modules) {
    if (module->symbols != nullptr && !module->symbols->problem().empty()) {
      problems.push_back(module->symbols->problem());
    }
  }
  return problems;
}

}  // namespace allocgate
