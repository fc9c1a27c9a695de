// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "stacks/listing.hpp"

#include "stacks/call_tree.hpp"
#include "stacks/name_table.hpp"

#include <algorithm>
#include <set>
#include <unordered_map>

namespace allocgate {

namespace {

void add_to(std::vector<Count>& sums, std::span<const Count> values) {
  sums.resize(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    sums[i] += values[i];
  }
}

/// For each frame whether its name has the text.
class Filter {
public:
  Filter(const Recording& recording, const std::string& text) : m_recording(recording), m_all(text.empty()) {
    for (FrameId id = 0; !m_all && id < recording.frame_count(); ++id) {
      m_matches.push_back(shown_name(recording, recording.frame(id)).find(text) != std::string::npos);
    }
  }

  [[nodiscard]] bool keeps(StackId stack) const {
    for (; !m_all && stack != 0; stack = m_recording.caller_of(stack)) {
      if (m_matches[m_recording.innermost(stack)]) {
        return true;
      }
    }
    return m_all;
  }

private:
  const Recording& m_recording;
  bool m_all;
  std::vector<bool> m_matches;
};

/// Stacks in order of their frames' names and places.
class StackOrder {
public:
  explicit StackOrder(const Recording& recording) : m_recording(recording), m_rank(recording.frame_count()) {
    std::vector<std::pair<std::string, FrameId>> frames;
    for (FrameId id = 0; id < recording.frame_count(); ++id) {
      const Frame& frame = recording.frame(id);
      frames.emplace_back(shown_name(recording, frame) + '\0' + place_of(recording, frame), id);
    }
    std::sort(frames.begin(), frames.end());
    for (std::uint32_t position = 0; position < frames.size(); ++position) {
      m_rank[frames[position].second] = position;
    }
  }

  [[nodiscard]] bool less(StackId left, StackId right) const {
    for (; left != 0 && right != 0; left = m_recording.caller_of(left), right = m_recording.caller_of(right)) {
      const std::uint32_t a = m_rank[m_recording.innermost(left)];
      const std::uint32_t b = m_rank[m_recording.innermost(right)];
      if (a != b) {
        return a < b;
      }
    }
    return left == 0 && right != 0;
  }

private:
  const Recording& m_recording;
  std::vector<std::uint32_t> m_rank;
};

StackId innermost_part(Recording& recording, StackId stack, std::size_t depth) {
  std::vector<FrameId> frames = recording.frames_of(stack);
  frames.resize(std::min(frames.size(), depth));
  return recording.stack(frames);
}

template <typename Row>
void hide_small(Listing<Row>& listing, std::vector<Row>& rows, const ListingOptions& options,
                const std::vector<Count>& (*values)(const Row&)) {
  for (Row& row : rows) {
    if (values(row)[options.measure] >= options.least) {
      listing.rows.push_back(std::move(row));
    } else {
      ++listing.hidden_rows;
      add_to(listing.hidden, values(row));
    }
  }
}

const std::vector<Count>& own_of(const GroupRow& row) {
  return row.own;
}

const std::vector<Count>& values_of(const StackRow& row) {
  return row.values;
}

/// The keys of a stack's frames, each once, and the key that the allocation itself goes to.
struct GroupKeys {
  std::size_t own = 0;
  std::vector<std::size_t> all;
};

/// Gives keys numbers, and stacks the numbers of their keys.
class Grouper {
public:
  Grouper(const Recording& recording, GroupBy by) : m_recording(recording), m_by(by) {
    m_key_of_frame.resize(recording.frame_count(), k_not_asked);
  }

  GroupKeys keys_of(StackId stack, int size_class) {
    GroupKeys keys;
    if (m_by == GroupBy::size_class) {
      keys.own = number_of(group_of_size(size_class));
      keys.all = {keys.own};
      return keys;
    }
    if (stack == 0) {
      keys.own = number_of(std::string(k_unknown_group));
      keys.all = {keys.own};
      return keys;
    }
    keys.own = key_of(allocating_frame(m_recording, stack));
    for (StackId node = stack; node != 0; node = m_recording.caller_of(node)) {
      keys.all.push_back(key_of(m_recording.innermost(node)));
    }
    std::sort(keys.all.begin(), keys.all.end());
    keys.all.erase(std::unique(keys.all.begin(), keys.all.end()), keys.all.end());
    return keys;
  }

  [[nodiscard]] const std::vector<std::string>& texts() const { return m_texts; }

private:
  static constexpr std::size_t k_not_asked = static_cast<std::size_t>(-1);

  std::size_t key_of(FrameId frame) {
    std::size_t& known = m_key_of_frame[frame];
    if (known == k_not_asked) {
      known = number_of(group_of_frame(m_recording, frame, m_by));
    }
    return known;
  }

  std::size_t number_of(const std::string& text) {
    const auto [entry, is_new] = m_numbers.emplace(text, m_texts.size());
    if (is_new) {
      m_texts.push_back(text);
    }
    return entry->second;
  }

  const Recording& m_recording;
  GroupBy m_by;
  std::vector<std::size_t> m_key_of_frame;
  std::unordered_map<std::string, std::size_t> m_numbers;
  std::vector<std::string> m_texts;
};

/// Nodes of a tree of names with their values, and the order in which they are shown.
class NamedTree {
public:
  NamedTree(const Recording& recording, TreeDirection direction)
      : m_recording(recording),
        m_direction(direction),
        m_names(std::array<const Recording*, 1>{&recording}),
        m_values(1),
        m_own(1) {}

  void add(StackId stack, Count value) {
    std::vector<FrameId> frames = m_recording.frames_of(stack);
    if (m_direction == TreeDirection::callees) {
      std::reverse(frames.begin(), frames.end());
    }
    std::uint32_t node = 0;
    for (const FrameId frame : frames) {
      node = m_tree.child(node, m_names.name_of(0, frame));
      m_values.resize(m_tree.size());
      m_own.resize(m_tree.size());
      m_values[node] += value;
    }
    m_own[node] += value;
  }

  std::vector<TreeNode> shown(Count least, std::size_t depth) {
    std::vector<std::vector<std::uint32_t>> children(m_tree.size());
    for (std::uint32_t node = 1; node < m_tree.size(); ++node) {
      children[m_tree.caller(node)].push_back(node);
    }
    const std::vector<std::uint32_t> ranks = m_names.ranks();
    std::vector<TreeNode> nodes;
    std::vector<std::pair<std::uint32_t, std::size_t>> waiting;  // node and level, the next one last
    const auto wait_for_children = [&](std::uint32_t node, std::size_t level) {
      std::vector<std::uint32_t>& below = children[node];
      std::sort(below.begin(), below.end(), [&](std::uint32_t left, std::uint32_t right) {
        return m_values[left] != m_values[right] ? m_values[left] < m_values[right]
                                                 : ranks[m_tree.frame(left)] > ranks[m_tree.frame(right)];
      });
      for (const std::uint32_t child : below) {
        waiting.emplace_back(child, level);
      }
    };
    wait_for_children(0, 0);
    while (!waiting.empty()) {
      const auto [node, level] = waiting.back();
      waiting.pop_back();
      if (m_values[node] < least || (depth != 0 && level >= depth)) {
        continue;
      }
      nodes.push_back({m_names.text(m_tree.frame(node)), level, m_values[node], m_own[node]});
      wait_for_children(node, level + 1);
    }
    return nodes;
  }

private:
  const Recording& m_recording;
  TreeDirection m_direction;
  NameTable m_names;
  CallTree m_tree;
  std::vector<Count> m_values;
  std::vector<Count> m_own;
};

}  // namespace

Listing<StackRow> list_stacks(Recording& recording, const ListingOptions& options) {
  const Filter filter(recording, options.filter);
  Listing<StackRow> listing;
  listing.hidden.resize(recording.measures().size());
  std::unordered_map<StackId, std::size_t> row_of;
  std::set<StackId> filtered_out;
  std::vector<StackRow> rows;
  for (std::size_t entry = 0; entry < recording.entry_count(); ++entry) {
    StackId stack = recording.entry_stack(entry);
    if (!filter.keeps(stack)) {
      filtered_out.insert(stack);
      add_to(listing.hidden, recording.entry_values(entry));
      continue;
    }
    stack = options.depth == 0 ? stack : innermost_part(recording, stack, options.depth);
    const auto [known, is_new] = row_of.emplace(stack, rows.size());
    if (is_new) {
      rows.push_back({stack, {}});
    }
    add_to(rows[known->second].values, recording.entry_values(entry));
  }
  listing.hidden_rows = filtered_out.size();
  hide_small<StackRow>(listing, rows, options, values_of);
  const StackOrder order(recording);
  std::sort(listing.rows.begin(), listing.rows.end(), [&](const StackRow& left, const StackRow& right) {
    const Count a = left.values[options.measure];
    const Count b = right.values[options.measure];
    return a != b ? a > b : order.less(left.stack, right.stack);
  });
  return listing;
}

Listing<GroupRow> list_groups(const Recording& recording, GroupBy by, const ListingOptions& options) {
  const Filter filter(recording, options.filter);
  Grouper grouper(recording, by);
  std::vector<GroupRow> rows;
  Listing<GroupRow> listing;
  listing.hidden.resize(recording.measures().size());
  std::set<StackId> filtered_out;
  for (std::size_t entry = 0; entry < recording.entry_count(); ++entry) {
    const StackId stack = recording.entry_stack(entry);
    if (!filter.keeps(stack)) {
      filtered_out.insert(stack);
      add_to(listing.hidden, recording.entry_values(entry));
      continue;
    }
    const GroupKeys keys = grouper.keys_of(stack, recording.entry_size_class(entry));
    while (rows.size() < grouper.texts().size()) {
      const std::vector<Count> nothing(recording.measures().size());
      rows.push_back({grouper.texts()[rows.size()], nothing, nothing});
    }
    add_to(rows[keys.own].own, recording.entry_values(entry));
    for (const std::size_t key : keys.all) {
      add_to(rows[key].inclusive, recording.entry_values(entry));
    }
  }
  listing.hidden_rows = filtered_out.size();
  hide_small<GroupRow>(listing, rows, options, own_of);
  std::sort(listing.rows.begin(), listing.rows.end(), [&](const GroupRow& left, const GroupRow& right) {
    const std::size_t i = options.measure;
    if (left.own[i] != right.own[i]) {
      return left.own[i] > right.own[i];
    }
    return left.inclusive[i] != right.inclusive[i] ? left.inclusive[i] > right.inclusive[i] : left.key < right.key;
  });
  return listing;
}

Recording listed_alone(const Recording& recording, const Listing<StackRow>& listing) {
  Recording part;
  part.command = recording.command;
  part.iterations = recording.iterations;
  part.notes = recording.notes;
  part.has_modules = recording.has_modules;
  part.main_module = part.text(recording.text(main_module_of(recording)));
  for (const RecordedMeasure& measure : recording.measures()) {
    part.add_measure(measure);
  }
  for (const StackRow& row : listing.rows) {
    std::vector<FrameId> frames;
    for (const FrameId id : recording.frames_of(row.stack)) {
      Frame frame = recording.frame(id);
      for (TextId Frame::*const text : {&Frame::function, &Frame::linkage_name, &Frame::file, &Frame::module}) {
        frame.*text = part.text(recording.text(frame.*text));
      }
      frames.push_back(part.frame(frame));
    }
    // A part of sums that fit fits.
    static_cast<void>(part.add(part.stack(frames), row.values));
  }
  return part;
}

std::vector<TreeNode> call_tree(const Recording& recording, TreeDirection direction, const ListingOptions& options) {
  const Filter filter(recording, options.filter);
  NamedTree tree(recording, direction);
  for (std::size_t entry = 0; entry < recording.entry_count(); ++entry) {
    const StackId stack = recording.entry_stack(entry);
    if (filter.keeps(stack)) {
      tree.add(stack, recording.entry_values(entry)[options.measure]);
    }
  }
  return tree.shown(options.least, options.depth);
}

}  // namespace allocgate
