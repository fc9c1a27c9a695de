// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "process/stack_contents.hpp"

#include "process/raw_bytes.hpp"

#include <allocgate/stack_record.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <iterator>
#include <string_view>
#include <system_error>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace allocgate {
namespace {

constexpr std::size_t k_page = ALLOCGATE_STACKS_PAGE;
constexpr std::size_t k_most_frames = ALLOCGATE_STACKS_OUTER_FRAMES + ALLOCGATE_STACKS_INNER_FRAMES + 1;
constexpr std::uint64_t k_address = (std::uint64_t{1} << ALLOCGATE_PLACE_MODULE_SHIFT) - 1;

StackSection damaged(std::string how) {
  StackSection section;
  section.damage = "the stack record is damaged: " + std::move(how);
  return section;
}

std::string hexadecimal(const std::uint8_t* bytes, std::size_t size) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  for (std::size_t i = 0; i < size; ++i) {
    text += digits[bytes[i] >> 4U];
    text += digits[bytes[i] & 0xfU];
  }
  return text;
}

std::optional<StackEnding> ending_of(std::uint32_t root) {
  switch (root) {
    case ALLOCGATE_ROOT_OUTERMOST:
      return StackEnding::outermost;
    case ALLOCGATE_ROOT_CUT:
      return StackEnding::cut;
    case ALLOCGATE_ROOT_NO_RULE:
      return StackEnding::no_rule;
    case ALLOCGATE_ROOT_NO_MODULE:
      return StackEnding::no_module;
    case ALLOCGATE_ROOT_UNREADABLE:
      return StackEnding::unreadable;
    default:
      return std::nullopt;
  }
}

/// A frame as part of one stack: equal ones of equal parents are the same, whichever nodes of the file they came from.
struct Link {
  std::uint64_t parent = 0;  // index of another link, plus the number of roots; or a root
  StackFrame frame;

  bool operator==(const Link&) const = default;
};

struct LinkHash {
  std::size_t operator()(const Link& link) const {
    std::uint64_t hash = link.frame.offset * 0x9E3779B97F4A7C15U;
    hash ^= (link.parent << 20U) + link.frame.module;
    return static_cast<std::size_t>(hash * 0xBF58476D1CE4E5B9U);
  }
};

class Reader {
public:
  explicit Reader(std::span<const std::byte> bytes) : m_bytes(bytes) {}

  StackSection read() {
    if (m_bytes.size() < k_page) {
      return damaged("it is cut short");
    }
    const auto header = at<allocgate_stacks_header>(0);
    if (header.magic != ALLOCGATE_STACKS_MAGIC) {
      return damaged("it does not begin as one");
    }
    if (header.version != ALLOCGATE_STACKS_VERSION) {
      return damaged("hooks of another version wrote it (" + std::to_string(header.version) + ")");
    }
    if (m_bytes.size() < header.size) {
      return damaged("it is cut short");
    }
    read_header(header);
    for_each_page(ALLOCGATE_STACKS_MODULES, [&](std::size_t page) { read_modules(page); });
    for_each_page(ALLOCGATE_STACKS_COUNTS, [&](std::size_t page) { read_counts(page); });
    if (m_section.unattributed_life) {
      for_each_page(ALLOCGATE_STACKS_LIVE, [&](std::size_t page) { read_lives(page); });
    }
    if (m_contradiction) {
      return damaged("its stacks contradict each other");
    }
    for (const auto& [link, stack] : m_stack_of) {
      add_frames(m_section.stacks[stack], link);
    }
    return std::move(m_section);
  }

private:
  static constexpr std::uint64_t k_no_link = ~std::uint64_t{0};

  template <typename T>
  [[nodiscard]] T at(std::size_t offset) const {
    return value_at<T>(m_bytes, offset);
  }

  template <typename Read>
  void for_each_page(std::uint32_t kind, Read read) const {
    for (std::size_t page = k_page; page + k_page <= m_bytes.size(); page += k_page) {
      if (at<allocgate_stacks_page>(page).kind == kind) {
        read(page + sizeof(allocgate_stacks_page));
      }
    }
  }

  void read_header(const allocgate_stacks_header& header) {
    m_section.pid = header.pid;
    m_section.parent_pid = header.parent_pid;
    m_section.process = header.process;
    m_section.truncated = (header.flags & ALLOCGATE_STACKS_TRUNCATED) != 0;
    m_section.partial = (header.flags & ALLOCGATE_STACKS_PARTIAL) != 0;
    m_section.sample_bytes = header.sample_bytes;
    if ((header.flags & ALLOCGATE_STACKS_FOLLOWED) != 0) {
      m_section.unattributed_life = {
          .deallocations = header.unattributed_deallocations,
          .deallocated_bytes = header.unattributed_deallocated_bytes,
          .live_bytes =
              static_cast<std::int64_t>(header.unattributed_usable_bytes - header.unattributed_deallocated_bytes),
          .peak_is_exact = false,
      };
    }
    for (std::size_t slot = 0; slot < ALLOCGATE_STACKS_CLASSES; ++slot) {
      m_section.unattributed.size_classes[slot] = header.unattributed_allocations[slot];
      m_section.unattributed.size_class_bytes[slot] = header.unattributed_bytes[slot];
      m_section.unattributed.allocations += header.unattributed_allocations[slot];
      m_section.unattributed.bytes += header.unattributed_bytes[slot];
    }
  }

  void read_modules(std::size_t page) {
    for (std::size_t slot = 0; slot < ALLOCGATE_STACKS_MODULES_A_PAGE; ++slot) {
      const auto entry = at<allocgate_stack_module>(page + slot * sizeof(allocgate_stack_module));
      if (entry.number == 0) {
        continue;
      }
      if (entry.build_id_size > sizeof entry.build_id) {
        m_contradiction = true;
        return;
      }
      StackModule module;
      module.path.assign(entry.path, ::strnlen(entry.path, sizeof entry.path));
      module.path_is_cut = entry.path_is_cut != 0;
      module.build_id = hexadecimal(entry.build_id, entry.build_id_size);
      module.base = entry.base;
      module.begin = entry.begin;
      module.end = entry.end;
      module.generation = entry.generation;
      m_index_of_module[entry.number] = index_of(std::move(module));
    }
  }

  /// Two threads that met an object at the same time wrote it twice.
  std::uint32_t index_of(StackModule module) {
    const auto identity = [](const StackModule& one) {
      return std::tie(one.path, one.build_id, one.base, one.begin, one.end, one.generation);
    };
    auto& modules = m_section.modules;
    const auto known = std::find_if(modules.begin(), modules.end(),
                                    [&](const StackModule& one) { return identity(one) == identity(module); });
    if (known != modules.end()) {
      return static_cast<std::uint32_t>(known - modules.begin());
    }
    modules.push_back(std::move(module));
    return static_cast<std::uint32_t>(modules.size() - 1);
  }

  [[nodiscard]] StackFrame frame_of(std::uint64_t place) const {
    if (place == ALLOCGATE_PLACE_CUT) {
      return {k_frames_cut, 0};
    }
    const auto module = m_index_of_module.find(static_cast<std::uint32_t>(place >> ALLOCGATE_PLACE_MODULE_SHIFT));
    if (module == m_index_of_module.end()) {
      return {k_no_module, place & k_address};
    }
    return {module->second, (place & k_address) - m_section.modules[module->second].base};
  }

  /// The link of a node, made with all those further out that it needs; none when the file contradicts itself.
  std::uint64_t link_of(std::uint32_t node) {
    std::vector<std::uint32_t> inward;  // without a link so far
    std::uint64_t link = k_no_link;
    while (link == k_no_link) {
      if (node < ALLOCGATE_ROOT_FIRST_NODE) {
        link = ending_of(node) ? node : k_no_link;
        break;
      }
      if (const auto known = m_link_of_node.find(node); known != m_link_of_node.end()) {
        link = known->second;
        break;
      }
      const std::size_t offset = std::size_t{node} * sizeof(allocgate_stack_node);
      if (inward.size() > k_most_frames || offset + sizeof(allocgate_stack_node) > m_bytes.size() ||
          at<allocgate_stacks_page>(offset / k_page * k_page).kind != ALLOCGATE_STACKS_NODES || offset % k_page == 0) {
        break;
      }
      inward.push_back(node);
      node = at<allocgate_stack_node>(offset).parent;
    }
    if (link == k_no_link) {
      m_contradiction = true;
      return k_no_link;
    }
    for (; !inward.empty(); inward.pop_back()) {
      const auto read = at<allocgate_stack_node>(std::size_t{inward.back()} * sizeof(allocgate_stack_node));
      const auto [made, is_new] =
          m_links.try_emplace({link, frame_of(read.place)}, m_link_list.size() + ALLOCGATE_ROOT_FIRST_NODE);
      if (is_new) {
        m_link_list.push_back(made->first);
      }
      link = made->second;
      m_link_of_node[inward.back()] = link;
    }
    return link;
  }

  RecordedStack* stack_of(std::uint32_t node) {
    const std::uint64_t link = link_of(node);
    if (link == k_no_link) {
      return nullptr;
    }
    const auto [known, is_new] = m_stack_of.try_emplace(link, m_section.stacks.size());
    if (is_new) {
      m_section.stacks.emplace_back();
    }
    return &m_section.stacks[known->second];
  }

  /// Where the events of this node belong; none when the file contradicts itself.
  StackCounters* counters_of(std::uint32_t node) {
    if (node == ALLOCGATE_ROOT_NOT_SAMPLED) {
      return &m_section.unattributed;
    }
    RecordedStack* stack = stack_of(node);
    return stack != nullptr ? &stack->counters : nullptr;
  }

  void read_counts(std::size_t page) {
    for (std::size_t slot = 0; slot < ALLOCGATE_STACKS_COUNTS_A_PAGE; ++slot) {
      const auto entry = at<allocgate_stack_count>(page + slot * sizeof(allocgate_stack_count));
      if (entry.node == 0 || entry.allocations == 0) {
        continue;  // killed, or jumped out of, before the event
      }
      StackCounters* counters = entry.size_class < ALLOCGATE_STACKS_CLASSES ? counters_of(entry.node) : nullptr;
      if (counters == nullptr) {
        m_contradiction = true;
        return;
      }
      counters->allocations += entry.allocations;
      counters->bytes += entry.bytes;
      counters->size_classes[entry.size_class] += entry.allocations;
      counters->size_class_bytes[entry.size_class] += entry.bytes;
    }
  }

  void read_lives(std::size_t page) {
    for (std::size_t slot = 0; slot < ALLOCGATE_STACKS_LIVE_A_PAGE; ++slot) {
      // The first place has the page's header.
      constexpr std::size_t k_size = sizeof(allocgate_stack_live);
      const auto entry = at<allocgate_stack_live>(page - sizeof(allocgate_stacks_page) + (slot + 1) * k_size);
      if (entry.node == 0) {
        continue;
      }
      const StackLife life = {
          .deallocations = entry.deallocations + entry.deallocations_by_others,
          .deallocated_bytes = entry.deallocated_bytes + entry.deallocated_bytes_by_others,
          .temporary = entry.temporary,
          .live_bytes = entry.live_bytes - static_cast<std::int64_t>(entry.deallocated_bytes_by_others),
          .peak_live_bytes = entry.peak_live_bytes,
      };
      if (entry.node == ALLOCGATE_ROOT_NOT_SAMPLED) {
        m_section.unattributed_life->add(life);
      } else if (RecordedStack* stack = stack_of(entry.node); stack == nullptr) {
        m_contradiction = true;
        return;
      } else if (stack->life) {
        stack->life->add(life);
        stack->life->peak_is_exact = false;
      } else {
        stack->life = life;
      }
    }
  }

  void add_frames(RecordedStack& stack, std::uint64_t link) const {
    while (link >= ALLOCGATE_ROOT_FIRST_NODE) {
      const Link& frame = m_link_list[link - ALLOCGATE_ROOT_FIRST_NODE];
      stack.frames.push_back(frame.frame);
      link = frame.parent;
    }
    stack.ending = ending_of(static_cast<std::uint32_t>(link)).value_or(StackEnding::outermost);
  }

  std::span<const std::byte> m_bytes;
  StackSection m_section;
  bool m_contradiction = false;
  std::unordered_map<std::uint32_t, std::uint32_t> m_index_of_module;  // by the number in the file
  std::unordered_map<std::uint32_t, std::uint64_t> m_link_of_node;
  std::unordered_map<Link, std::uint64_t, LinkHash> m_links;
  std::vector<Link> m_link_list;
  std::unordered_map<std::uint64_t, std::size_t> m_stack_of;  // by link
};

bool is_unused(std::span<const std::byte> bytes) {
  return bytes.empty() ||
         (bytes.size() >= sizeof(std::uint64_t) && std::all_of(bytes.begin(), bytes.begin() + sizeof(std::uint64_t),
                                                               [](std::byte byte) { return byte == std::byte{0}; }));
}

}  // namespace

void StackLife::add(const StackLife& other) {
  deallocations += other.deallocations;
  deallocated_bytes += other.deallocated_bytes;
  temporary += other.temporary;
  live_bytes += other.live_bytes;
  peak_live_bytes += other.peak_live_bytes;
}

void StackCounters::add(const StackCounters& other) {
  allocations += other.allocations;
  bytes += other.bytes;
  for (std::size_t slot = 0; slot < size_classes.size(); ++slot) {
    size_classes[slot] += other.size_classes[slot];
    size_class_bytes[slot] += other.size_class_bytes[slot];
  }
}

StackCounters StackSection::total() const {
  StackCounters sum = unattributed;
  for (const RecordedStack& stack : stacks) {
    sum.add(stack.counters);
  }
  return sum;
}

StackLife StackSection::total_life() const {
  StackLife sum = unattributed_life.value_or(StackLife{});
  for (const RecordedStack& stack : stacks) {
    sum.add(stack.life.value_or(StackLife{}));
  }
  sum.peak_live_bytes = 0;
  sum.peak_is_exact = false;
  return sum;
}

StackSection parse_stack_section(std::span<const std::byte> bytes) {
  return Reader(bytes).read();
}

std::vector<StackSection> read_stack_sections(const std::filesystem::path& folder) {
  std::vector<StackSection> sections;
  std::error_code error;
  for (auto entry = std::filesystem::directory_iterator(folder, error);
       !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
    if (entry->path().extension() != ".stacks") {
      continue;
    }
    std::ifstream file(entry->path(), std::ios::binary);
    const std::vector<char> bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    if (!file) {
      sections.push_back(damaged("cannot read " + entry->path().string()));
      continue;
    }
    const auto content = std::as_bytes(std::span(bytes));
    // A process that was killed between making its file and counting its first event.
    if (!is_unused(content)) {
      sections.push_back(parse_stack_section(content));
    }
  }
  if (error) {
    sections.push_back(damaged("cannot read " + folder.string() + ": " + error.message()));
  }
  std::stable_sort(sections.begin(), sections.end(),
                   [](const StackSection& one, const StackSection& other) { return one.process < other.process; });
  return sections;
}

}  // namespace allocgate
