// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "model/result.hpp"
#include "model/wide.hpp"
#include "stacks/call_tree.hpp"
#include "stacks/grouping.hpp"
#include "stacks/name_table.hpp"
#include "stacks/recording.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace allocgate {

struct DiffOptions {
  std::string measure;  // empty: main_measure of both
  GroupBy by = GroupBy::stack;
  std::size_t depth = 0;           // compare the innermost frames alone; 0: all
  std::string filter;              // list stacks alone that have this text in a frame's name
  std::optional<Count> min_delta;  // list stacks alone that changed by so much
  bool pair = true;
  bool totals = false;  // raw values also where iterations are known
};

/// Values of one measure in both files, as the files have them.
struct Both {
  Count before = 0;
  Count after = 0;
};

/// A measure of either file. Where a file has it not, its values there are 0 and `missing_in_*` says so.
struct DiffMeasure {
  std::string name;
  std::string unit;
  bool missing_in_before = false;
  bool missing_in_after = false;

  /// Whether a difference says anything.
  [[nodiscard]] bool is_in_both() const { return !missing_in_before && !missing_in_after; }
};

/// What two recordings differ in, stack by stack: nothing is dropped before the subtraction, so that all rows together
/// are the totals of the files. Refers to the recordings, which must outlive it. Immutable once made; any thread.
class StackDiff {
public:
  /// A stack under its name in both files; of a pair its names in each.
  struct Row {
    std::uint32_t stack = 0;         // as after, or the only one
    std::uint32_t before_stack = 0;  // the same but in pairs
    bool in_before = false;
    bool in_after = false;
  };
  /// Numbers of rows, those that changed most first, then by names.
  using Rows = std::vector<std::size_t>;

  /// What the lists leave out on request. Its delta and those of the lists add up to the total's.
  struct Hidden {
    std::size_t stacks = 0;
    std::vector<Both> values;  // one for each measure
  };

  /// Throws Error (64) when a measure is asked for that neither file has, and Error (65) when the values, brought to
  /// the same number of iterations, do not fit in 64 bits.
  StackDiff(const Recording& before, const Recording& after, const DiffOptions& options);

  [[nodiscard]] const std::vector<DiffMeasure>& measures() const { return m_measures; }
  [[nodiscard]] GroupBy by() const { return m_by; }                // what a row is
  [[nodiscard]] std::size_t measure() const { return m_measure; }  // the one that is compared
  [[nodiscard]] bool is_per_iteration() const { return m_before_iterations != 0; }

  [[nodiscard]] const Rows& only_in_before() const { return m_only_in_before; }
  [[nodiscard]] const Rows& only_in_after() const { return m_only_in_after; }
  [[nodiscard]] const Rows& changed() const { return m_changed; }
  [[nodiscard]] const Rows& paired() const { return m_paired; }
  [[nodiscard]] const Hidden& hidden() const { return m_hidden; }
  [[nodiscard]] std::size_t unchanged() const { return m_unchanged; }
  /// What should be known beside the numbers, in sentences.
  [[nodiscard]] const std::vector<std::string>& notes() const { return m_notes; }

  /// All rows, also those of no list: for pictures of the whole.
  [[nodiscard]] const std::vector<Row>& rows() const { return m_rows; }
  [[nodiscard]] Both values(std::size_t row, std::size_t measure) const {
    return m_values[row * m_measures.size() + measure];
  }
  [[nodiscard]] const std::vector<Both>& totals() const { return m_totals; }

  /// The names of a stack's frames, innermost first.
  [[nodiscard]] std::vector<NameId> frames(std::uint32_t stack) const { return m_tree.frames(stack); }
  [[nodiscard]] const std::string& name(NameId name) const { return m_names.text(name); }
  /// For each frame of a listed row where in the sources it is, "" where that is not known; in the file after where the
  /// row is in it. Lines are no part of a stack's identity: of several recorded stacks that are one row, this is the
  /// one that has no equal in the file before, the greatest of several.
  [[nodiscard]] std::vector<std::string> places(std::size_t row) const;

  /// The values for people and for files: per iteration where both files know theirs, else as they are.
  [[nodiscard]] Slope before(const Both& values) const;
  [[nodiscard]] Slope after(const Both& values) const;
  [[nodiscard]] Slope delta(const Both& values) const;
  /// after - before in units that are whole: multiples of 1/unit_iterations().
  [[nodiscard]] Wide exact_delta(const Both& values) const;
  [[nodiscard]] std::uint64_t unit_iterations() const { return m_unit_iterations; }
  /// The values in those same units.
  [[nodiscard]] Wide exact_before(const Both& values) const { return Wide{values.before} * m_before_factor; }
  [[nodiscard]] Wide exact_after(const Both& values) const { return Wide{values.after} * m_after_factor; }

private:
  /// The recorded stack whose places a row shows.
  struct Shown {
    std::size_t side = 0;
    StackId stack = 0;
  };

  void choose_measures(const DiffOptions& options);
  void choose_measure(std::string wanted, std::span<const std::string> names);
  void choose_iterations(bool totals);
  void add_side(std::size_t side, const DiffOptions& options);
  NameId group_of_entry(std::size_t side, std::size_t entry, TextId main_module);
  std::uint32_t merged(std::size_t side, StackId stack, std::vector<std::uint32_t>& known);
  std::uint32_t merged_child(std::uint32_t caller, NameId name);
  std::uint32_t merged_innermost(std::size_t side, StackId stack, std::size_t depth);
  void pair_rows();
  void make_pair(std::size_t before, std::size_t after);
  [[nodiscard]] std::vector<std::uint32_t> kin_by_rank(std::span<const std::uint32_t> ranks) const;
  void sort_into_lists(const DiffOptions& options);
  void choose_places();
  [[nodiscard]] bool matches(const Row& row, const std::string& filter) const;
  void sort_rows(Rows& rows, std::span<const std::uint32_t> ranks) const;
  [[nodiscard]] bool is_listed_as_unknown(std::uint32_t stack) const;
  const Recording& recording(std::size_t side) const { return side == 0 ? *m_before : *m_after; }

  const Recording* m_before;
  const Recording* m_after;
  GroupBy m_by;
  NameTable m_names;
  CallTree m_tree;
  std::vector<DiffMeasure> m_measures;
  std::vector<std::optional<std::size_t>> m_indices[2];  // of m_measures in each recording
  std::size_t m_measure = 0;
  std::uint64_t m_before_iterations = 0;  // 0: totals
  std::uint64_t m_after_iterations = 0;
  std::uint64_t m_unit_iterations = 1;
  Wide m_before_factor = 1;
  Wide m_after_factor = 1;
  std::vector<Row> m_rows;
  std::vector<std::uint32_t> m_row_of;           // of each node of the tree, plus 1; 0: none
  std::vector<std::uint32_t> m_row_of_entry[2];  // of each entry of a recording; emptied when places are chosen
  std::vector<Shown> m_shown;                    // of each row; of use for listed ones
  std::vector<Both> m_values;
  std::vector<Both> m_totals;
  std::vector<std::size_t> m_pair_rows;
  Rows m_only_in_before;
  Rows m_only_in_after;
  Rows m_changed;
  Rows m_paired;
  Hidden m_hidden;
  std::size_t m_unchanged = 0;
  std::vector<std::string> m_notes;
};

}  // namespace allocgate
