// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "compare/matrix_conclusion.hpp"

#include "compare/rules.hpp"
#include "model/wide.hpp"

#include <algorithm>

namespace allocgate {

namespace {

/// What each level adds to the value of the first cell that was measured; nothing where no cell leads to it.
class AdditiveModel {
public:
  AdditiveModel(const std::vector<MatrixAxis>& axes, std::span<const MatrixEntry> entries) {
    for (const MatrixAxis& axis : axes) {
      m_levels.emplace_back(axis.levels.size());
    }
    const auto first =
        std::find_if(entries.begin(), entries.end(), [](const MatrixEntry& entry) { return entry.value.has_value(); });
    if (first == entries.end()) {
      return;
    }
    m_base = first->value->value;
    for (std::size_t axis = 0; axis < axes.size(); ++axis) {
      m_levels[axis][first->place[axis]] = 0;
    }
    while (std::any_of(entries.begin(), entries.end(), [this](const MatrixEntry& entry) { return learn(entry); })) {
    }
  }

  /// What the model makes of a cell, if all its levels are known.
  [[nodiscard]] std::optional<Wide> value_at(const MatrixPlace& place) const {
    Wide value = m_base;
    for (std::size_t axis = 0; axis < place.size(); ++axis) {
      const std::optional<Wide>& level = m_levels[axis][place[axis]];
      if (!level) {
        return std::nullopt;
      }
      value += *level;
    }
    return value;
  }

  /// Of every level from the first known one of its axis on.
  [[nodiscard]] std::vector<AxisEffect> effects() const {
    std::vector<AxisEffect> effects;
    for (std::size_t axis = 0; axis < m_levels.size(); ++axis) {
      const auto& levels = m_levels[axis];
      for (std::size_t level = 1; level < levels.size(); ++level) {
        if (levels.front() && levels[level]) {
          effects.push_back({axis, level, to_count(*levels[level] - *levels.front()).value_or(0)});
        }
      }
    }
    return effects;
  }

private:
  /// Reads the one unknown level off a cell; false when it has none or several.
  bool learn(const MatrixEntry& entry) {
    if (!entry.value) {
      return false;
    }
    std::optional<Wide>* unknown = nullptr;
    Wide rest = static_cast<Wide>(entry.value->value) - m_base;
    for (std::size_t axis = 0; axis < entry.place.size(); ++axis) {
      std::optional<Wide>& level = m_levels[axis][entry.place[axis]];
      if (level) {
        rest -= *level;
      } else if (unknown != nullptr) {
        return false;
      } else {
        unknown = &level;
      }
    }
    if (unknown == nullptr) {
      return false;
    }
    *unknown = rest;
    return true;
  }

  Wide m_base = 0;
  std::vector<std::vector<std::optional<Wide>>> m_levels;
};

bool is_as_expected(const MeasuredValue& value, Wide expected, const std::optional<Threshold>& threshold) {
  const std::optional<Count> count = to_count(expected);
  const Threshold rule = threshold ? *threshold : built_in_rule(value.series_class, std::nullopt).threshold;
  return count && change_under(rule, value.better, Observed{*count, value.iterations, std::nullopt},
                               Observed{value.value, value.iterations, std::nullopt}) == Change::within;
}

bool differ_in(const MatrixPlace& left, const MatrixPlace& right, std::size_t axis) {
  for (std::size_t other = 0; other < left.size(); ++other) {
    if (other != axis && left[other] != right[other]) {
      return false;
    }
  }
  return true;
}

}  // namespace

MatrixConclusion conclude(const std::vector<MatrixAxis>& axes, std::span<const MatrixEntry> entries,
                          const std::optional<Threshold>& threshold) {
  const AdditiveModel model(axes, entries);
  MatrixConclusion conclusion;
  conclusion.effects = model.effects();
  for (const MatrixEntry& entry : entries) {
    const std::optional<Wide> expected = model.value_at(entry.place);
    if (entry.value && expected && !is_as_expected(*entry.value, *expected, threshold)) {
      conclusion.exceptions.push_back(entry.place);
    }
  }
  conclusion.additive = conclusion.exceptions.empty();
  return conclusion;
}

std::vector<LevelChange> level_changes(std::span<const MatrixEntry> entries, std::size_t axis, std::size_t from,
                                       std::size_t to) {
  std::vector<LevelChange> changes;
  for (const MatrixEntry& after : entries) {
    if (after.place[axis] != to || !after.value) {
      continue;
    }
    const auto before = std::find_if(entries.begin(), entries.end(), [&](const MatrixEntry& candidate) {
      return candidate.place[axis] == from && candidate.value && differ_in(candidate.place, after.place, axis);
    });
    if (before != entries.end()) {
      const Wide change = static_cast<Wide>(after.value->value) - before->value->value;
      changes.push_back({after.place, to_count(change).value_or(0)});
    }
  }
  return changes;
}

}  // namespace allocgate
