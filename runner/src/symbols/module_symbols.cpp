// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "symbols/module_symbols.hpp"

#include "symbols/debug_units.hpp"
#include "symbols/elf_symbols.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <optional>
#include <system_error>

#include <dwarf.h>
#include <elfutils/libdwfl.h>

namespace allocgate {

namespace {

constexpr const char* k_servers_variable = "DEBUGINFOD_URLS";

/// While it exists, libdwfl asks no server: it looks for this variable each time, and has no other switch. The runner
/// has one thread when it resolves names.
class WithoutServers {
public:
  WithoutServers() {
    if (const char* value = std::getenv(k_servers_variable)) {
      m_value = value;
      ::unsetenv(k_servers_variable);
    }
  }
  WithoutServers(const WithoutServers&) = delete;
  WithoutServers& operator=(const WithoutServers&) = delete;
  ~WithoutServers() {
    if (m_value) {
      ::setenv(k_servers_variable, m_value->c_str(), 1);
    }
  }

private:
  std::optional<std::string> m_value;
};

std::string list_of(const std::vector<std::filesystem::path>& folders) {
  // "beside the file, in its .debug, in /usr/lib/debug" is what libdwfl does when nothing is said.
  std::string list = ":.debug:/usr/lib/debug";
  for (const std::filesystem::path& folder : folders) {
    list += ':' + folder.string();
  }
  return list;
}

std::string hexadecimal(const unsigned char* bytes, int size) {
  std::string text;
  for (int i = 0; i < size; ++i) {
    text += fmt::format("{:02x}", bytes[i]);
  }
  return text;
}

std::vector<AddressRange> executable_parts(Elf* elf) {
  std::vector<AddressRange> parts;
  std::size_t count = 0;
  if (elf_getphdrnum(elf, &count) != 0) {
    return parts;
  }
  for (std::size_t i = 0; i < count; ++i) {
    GElf_Phdr header;
    if (gelf_getphdr(elf, static_cast<int>(i), &header) != nullptr && header.p_type == PT_LOAD &&
        (header.p_flags & PF_X) != 0) {
      parts.push_back({header.p_vaddr, header.p_vaddr + header.p_memsz});
    }
  }
  return parts;
}

}  // namespace

struct ModuleSymbols::Opened {
  Opened() = default;
  Opened(const Opened&) = delete;
  Opened& operator=(const Opened&) = delete;
  ~Opened() {
    units.reset();
    dwfl_end(dwfl);
  }

  char* debug_path = nullptr;
  Dwfl_Callbacks callbacks{};
  Dwfl* dwfl = nullptr;
  Dwfl_Module* module = nullptr;
  std::vector<AddressRange> code;
  std::uint64_t to_debug_data = 0;  // added to an address of the file: the address in the debug data
  std::unique_ptr<DebugUnits> units;
  std::optional<ElfSymbols> symbols;  // read when they are first needed

  std::string_view symbol_at(std::uint64_t address) {
    if (!symbols) {
      symbols.emplace(module);
    }
    return symbols->find(address);
  }
};

ModuleSymbols::ModuleSymbols(const std::filesystem::path& file, const std::string& build_id, const DebugSearch& search)
    : m_debug_path(list_of(search.folders)), m_network(search.network) {
  std::optional<WithoutServers> without_servers;
  if (!m_network) {
    without_servers.emplace();
  }
  open(file, build_id);
}

ModuleSymbols::~ModuleSymbols() = default;

void ModuleSymbols::open(const std::filesystem::path& file, const std::string& build_id) {
  if (!file.has_parent_path()) {
    return;  // the kernel's own part of the program: it has no file
  }
  std::error_code error;
  if (!std::filesystem::is_regular_file(file, error)) {
    m_problem = fmt::format("{} is not there any more", file.string());
    return;
  }
  auto opened = std::make_unique<Opened>();
  opened->debug_path = m_debug_path.data();
  opened->callbacks.find_elf = dwfl_build_id_find_elf;
  opened->callbacks.find_debuginfo = dwfl_standard_find_debuginfo;
  opened->callbacks.section_address = dwfl_offline_section_address;
  opened->callbacks.debuginfo_path = &opened->debug_path;
  opened->dwfl = dwfl_begin(&opened->callbacks);
  dwfl_report_begin(opened->dwfl);
  opened->module = dwfl_report_offline(opened->dwfl, "", file.c_str(), -1);
  dwfl_report_end(opened->dwfl, nullptr, nullptr);
  GElf_Addr bias = 0;
  Elf* elf = opened->module == nullptr ? nullptr : dwfl_module_getelf(opened->module, &bias);
  if (elf == nullptr) {
    m_problem = fmt::format("{} cannot be read: {}", file.string(), dwfl_errmsg(-1));
    return;
  }
  const unsigned char* bits = nullptr;
  GElf_Addr place = 0;
  const int size = dwfl_module_build_id(opened->module, &bits, &place);
  if (const std::string found = hexadecimal(bits, size); found != build_id) {
    m_problem = fmt::format("{} is not the file any more that ran (build id {}, now {})", file.string(),
                            build_id.empty() ? "none" : build_id, found.empty() ? "none" : found);
    return;
  }
  opened->code = executable_parts(elf);
  opened->to_debug_data = bias;
  m_opened = std::move(opened);
  open_debug_data(file);
}

void ModuleSymbols::open_debug_data(const std::filesystem::path& file) {
  Dwarf_Addr bias = 0;
  Dwarf* dwarf = dwfl_module_getdwarf(m_opened->module, &bias);
  if (dwarf == nullptr) {
    return;  // an ordinary library: its symbol tables are all there is
  }
  m_opened->to_debug_data -= bias;
  m_opened->units = std::make_unique<DebugUnits>(dwarf, m_opened->code);
  if (const std::string& missing = m_opened->units->missing_file(); !missing.empty()) {
    m_problem = fmt::format("{} keeps its debug data in files beside it, and {} was not found", file.string(), missing);
  }
}

void ModuleSymbols::append_frames(std::uint64_t address, std::vector<CodeFrame>& frames) {
  if (m_opened == nullptr) {
    frames.emplace_back();
    return;
  }
  const bool is_known =
      m_opened->units != nullptr && m_opened->units->append_frames(address + m_opened->to_debug_data, frames);
  if (!is_known) {
    frames.emplace_back();
  }
  // Some debug data have plain names where the symbol table has the linker's.
  CodeFrame& outermost = frames.back();
  if (outermost.name.empty() || outermost.name.substr(0, 2) != "_Z") {
    const std::string_view symbol = m_opened->symbol_at(address);
    if (outermost.name.empty() || symbol.substr(0, 2) == "_Z") {
      outermost.name = symbol;
    }
  }
}

std::vector<std::filesystem::path> ModuleSymbols::debug_files() const {
  if (m_opened == nullptr || m_opened->units == nullptr || m_opened->units->empty() || !m_problem.empty()) {
    return {};
  }
  const char* main_file = nullptr;
  const char* debug_file = nullptr;
  dwfl_module_info(m_opened->module, nullptr, nullptr, nullptr, nullptr, nullptr, &main_file, &debug_file);
  std::vector<std::filesystem::path> files{main_file};
  if (debug_file != nullptr) {
    files.emplace_back(debug_file);
  }
  return files;
}

}  // namespace allocgate
