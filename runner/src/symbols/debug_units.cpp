// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "symbols/debug_units.hpp"

#include <cstddef>
#include <filesystem>
#include <unordered_map>

#include <dwarf.h>

namespace allocgate {

namespace fs = std::filesystem;

namespace {

const char* text_of(Dwarf_Die* die, unsigned attribute) {
  Dwarf_Attribute found;
  Dwarf_Attribute* place = dwarf_attr_integrate(die, attribute, &found);
  return place == nullptr ? nullptr : dwarf_formstring(place);
}

std::string_view name_of(Dwarf_Die* die) {
  for (const unsigned attribute : {DW_AT_linkage_name, DW_AT_MIPS_linkage_name, DW_AT_name}) {
    if (const char* text = text_of(die, attribute)) {
      return text;
    }
  }
  return {};
}

std::uint32_t number_of(Dwarf_Die* die, unsigned attribute) {
  Dwarf_Attribute found;
  Dwarf_Word value = 0;
  if (dwarf_formudata(dwarf_attr(die, attribute, &found), &value) != 0) {
    return 0;
  }
  return static_cast<std::uint32_t>(value);
}

template <typename Use>
void for_each_range(Dwarf_Die* die, const Use& use) {
  Dwarf_Addr base = 0;
  Dwarf_Addr begin = 0;
  Dwarf_Addr end = 0;
  std::ptrdiff_t position = 0;
  while ((position = dwarf_ranges(die, position, &base, &begin, &end)) > 0) {
    if (begin < end) {
      use(AddressRange{begin, end});
    }
  }
}

bool lies_in(const std::vector<AddressRange>& code, std::uint64_t address) {
  return std::any_of(code.begin(), code.end(),
                     [address](const AddressRange& range) { return range.begin <= address && address < range.end; });
}

}  // namespace

struct DebugUnits::Unit {
  static constexpr std::uint32_t k_none = IntervalMap::k_nothing;

  struct Function {
    Dwarf_Die die;
    std::uint32_t outer = k_none;    // of inlined ones: what they are inlined into
    std::uint32_t details = k_none;  // index, once they were asked for
    bool inlined = false;
  };
  struct Details {
    std::string_view name;
    std::string_view call_file;
    std::uint32_t call_line = 0;
  };

  Dwarf_Die line_die;  // whose line table is meant: of split units the skeleton's
  Dwarf_Die functions_die;
  bool is_read = false;
  std::vector<Function> functions;
  std::vector<Details> details;
  std::unordered_map<const char*, std::string> whole_paths;  // its texts do not move
  IntervalMap function_at;

  void read() {
    is_read = true;
    std::vector<IntervalMap::Range> ranges;
    read_children(&functions_die, k_none, 0, ranges);
    function_at = IntervalMap(std::move(ranges));
  }

  void read_children(Dwarf_Die* parent, std::uint32_t outer, std::uint32_t depth,
                     std::vector<IntervalMap::Range>& ranges) {
    Dwarf_Die child;
    if (dwarf_child(parent, &child) != 0) {
      return;
    }
    do {
      switch (dwarf_tag(&child)) {
        case DW_TAG_subprogram:
        case DW_TAG_inlined_subroutine:
          read_function(&child, outer, depth, ranges);
          break;
        case DW_TAG_lexical_block:
        case DW_TAG_try_block:
        case DW_TAG_catch_block:
        case DW_TAG_with_stmt:
        case DW_TAG_namespace:
        case DW_TAG_module:
        case DW_TAG_structure_type:
        case DW_TAG_class_type:
        case DW_TAG_union_type:
        case DW_TAG_enumeration_type:
          read_children(&child, outer, depth, ranges);
          break;
        default:
          break;
      }
    } while (dwarf_siblingof(&child, &child) == 0);
  }

  void read_function(Dwarf_Die* die, std::uint32_t outer, std::uint32_t depth,
                     std::vector<IntervalMap::Range>& ranges) {
    const bool inlined = dwarf_tag(die) == DW_TAG_inlined_subroutine;
    if (dwarf_hasattr(die, DW_AT_low_pc) == 0 && dwarf_hasattr(die, DW_AT_ranges) == 0) {
      read_children(die, outer, depth, ranges);
      return;
    }
    const auto number = static_cast<std::uint32_t>(functions.size());
    const std::uint32_t own_depth = inlined ? depth + 1 : 0;
    functions.push_back({*die, inlined ? outer : k_none, k_none, inlined});
    for_each_range(die, [&](const AddressRange& range) {
      ranges.push_back({range.begin, range.end, own_depth, number});
    });
    read_children(die, number, own_depth, ranges);
  }

  std::string_view file_of(std::uint32_t number) {
    Dwarf_Files* files = nullptr;
    std::size_t count = 0;
    if (number == 0 && dwarf_hasattr(&line_die, DW_AT_stmt_list) == 0) {
      return {};
    }
    if (dwarf_getsrcfiles(&line_die, &files, &count) != 0 || number >= count) {
      return {};
    }
    return whole_path(dwarf_filesrc(files, number, nullptr, nullptr));
  }

  /// Compilers name files as they were given them; the unit says where that was.
  std::string_view whole_path(const char* name) {
    if (name == nullptr || *name == '/') {
      return name == nullptr ? std::string_view() : std::string_view(name);
    }
    const auto [known, is_new] = whole_paths.try_emplace(name);
    if (is_new) {
      const char* folder = text_of(&line_die, DW_AT_comp_dir);
      known->second = folder != nullptr && *folder == '/' ? (fs::path(folder) / name).lexically_normal().string()
                                                          : std::string(name);
    }
    return known->second;
  }

  const Details& details_of(Function& function) {
    if (function.details == k_none) {
      Details made;
      made.name = name_of(&function.die);
      if (function.inlined) {
        made.call_line = number_of(&function.die, DW_AT_call_line);
        made.call_file = dwarf_hasattr(&function.die, DW_AT_call_file) == 0
                             ? std::string_view()
                             : file_of(number_of(&function.die, DW_AT_call_file));
      }
      function.details = static_cast<std::uint32_t>(details.size());
      details.push_back(made);
    }
    return details[function.details];
  }
};

DebugUnits::DebugUnits(Dwarf* dwarf, const std::vector<AddressRange>& code) {
  std::vector<IntervalMap::Range> ranges;
  Dwarf_CU* unit = nullptr;
  Dwarf_Half version = 0;
  std::uint8_t type = 0;
  Dwarf_Die die;
  Dwarf_Die split;
  while (dwarf_get_units(dwarf, unit, &unit, &version, &type, &die, &split) == 0) {
    if (type != DW_UT_compile && type != DW_UT_skeleton) {
      continue;  // types and the shared parts that dwz makes: no code
    }
    const auto number = static_cast<std::uint32_t>(m_units.size());
    const std::size_t first = ranges.size();
    for_each_range(&die, [&](const AddressRange& range) {
      if (lies_in(code, range.begin)) {
        ranges.push_back({range.begin, range.end, 0, number});
      }
    });
    if (ranges.size() > first) {
      add_unit(die, split, type == DW_UT_skeleton);
    }
  }
  m_unit_at = IntervalMap(std::move(ranges));
}

DebugUnits::~DebugUnits() = default;

void DebugUnits::add_unit(const Dwarf_Die& die, const Dwarf_Die& split, bool is_skeleton) {
  auto unit = std::make_unique<Unit>();
  unit->line_die = die;
  unit->functions_die = die;
  if (is_skeleton && split.addr != nullptr) {
    unit->functions_die = split;
  } else if (is_skeleton && m_missing_file.empty()) {
    for (const unsigned attribute : {DW_AT_dwo_name, DW_AT_GNU_dwo_name}) {
      if (const char* name = text_of(&unit->line_die, attribute)) {
        m_missing_file = name;
      }
    }
  }
  m_units.push_back(std::move(unit));
}

bool DebugUnits::append_frames(std::uint64_t address, std::vector<CodeFrame>& frames) {
  const std::uint32_t number = m_unit_at.find(address);
  if (number == IntervalMap::k_nothing) {
    return false;
  }
  Unit& unit = *m_units[number];
  if (!unit.is_read) {
    unit.read();
  }
  CodeFrame frame;
  if (Dwarf_Line* line = dwarf_getsrc_die(&unit.line_die, address)) {
    int in_file = 0;
    frame.file = unit.whole_path(dwarf_linesrc(line, nullptr, nullptr));
    frame.line = dwarf_lineno(line, &in_file) == 0 ? static_cast<std::uint32_t>(in_file) : 0;
  }
  std::uint32_t at = unit.function_at.find(address);
  if (at == Unit::k_none) {
    frames.push_back(frame);
    return true;
  }
  for (; at != Unit::k_none; at = unit.functions[at].outer) {
    const Unit::Details& details = unit.details_of(unit.functions[at]);
    frame.name = details.name;
    frame.inlined = unit.functions[at].inlined && unit.functions[at].outer != Unit::k_none;
    frames.push_back(frame);
    frame.file = details.call_file;
    frame.line = details.call_line;
  }
  return true;
}

}  // namespace allocgate
