// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "report/matrix_report.hpp"

#include "base/text.hpp"
#include "compare/matrix_conclusion.hpp"
#include "model/slope.hpp"
#include "report/text_table.hpp"
#include "report/text_width.hpp"
#include "report/values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace allocgate {

namespace {

using Align = TextTable::Align;

/// The levels of all axes but the first, as the columns of a table.
std::vector<MatrixPlace> columns_of(const Matrix& matrix) {
  std::vector<MatrixPlace> columns;
  for (const MatrixCell& cell : matrix.cells) {
    if (cell.place.front() == 0) {
      columns.emplace_back(cell.place.begin() + 1, cell.place.end());
    }
  }
  return columns;
}

std::string column_name(const Matrix& matrix, const MatrixPlace& column) {
  const std::vector<MatrixAxis> others(matrix.axes.begin() + 1, matrix.axes.end());
  return others.empty() ? matrix.measure : place_name(others, column);
}

TextTable table_of(const Matrix& matrix, const MatrixTable& table) {
  const std::vector<MatrixPlace> columns = columns_of(matrix);
  std::vector<TextTable::Column> titles = {{matrix.axes.front().name, Align::left, true}};
  for (const MatrixPlace& column : columns) {
    titles.push_back({column_name(matrix, column), Align::right});
  }
  TextTable text(titles);
  std::size_t next = 0;
  for (const MatrixLevel& row : matrix.axes.front().levels) {
    std::vector<TextTable::Cell> cells = {{row.name}};
    for (std::size_t column = 0; column < columns.size(); ++column) {
      const MatrixEntry& entry = table.entries[next++];
      cells.push_back(entry.value ? TextTable::Cell{short_measured_text(*entry.value)}
                                  : TextTable::Cell{"failed", Paint::caution});
    }
    text.add_row(std::move(cells));
  }
  return text;
}

/// A change of the values of `table` in words. Per iteration where every value is on a line and what happens once is
/// the same everywhere, so that nothing is lost in saying it.
class ChangeWords {
public:
  explicit ChangeWords(const MatrixTable& table) {
    std::optional<Count> setup;
    for (const MatrixEntry& entry : table.entries) {
      if (!entry.value) {
        continue;
      }
      m_iterations = entry.value->iterations;
      m_per_iteration =
          m_per_iteration && entry.value->slope && entry.value->setup && (!setup || setup == entry.value->setup);
      setup = entry.value->setup;
    }
  }

  [[nodiscard]] std::string operator()(Count change) const {
    if (change == 0) {
      return "0";
    }
    return m_per_iteration ? signed_per_iteration_text(make_slope(change, m_iterations))
                           : fmt::format("{} in {} iterations", grouped_with_sign(change), m_iterations);
  }

private:
  bool m_per_iteration = true;
  std::uint64_t m_iterations = 1;
};

/// What the other axes are called together.
std::string others_in_words(const Matrix& matrix, std::size_t axis) {
  std::vector<std::string> names;
  for (std::size_t other = 0; other < matrix.axes.size(); ++other) {
    if (other != axis && matrix.axes[other].levels.size() > 1) {
      names.push_back("every " + matrix.axes[other].name);
    }
  }
  return names.empty() ? std::string() : ", with " + joined(names, " and ");
}

std::string additive_sentence(const Matrix& matrix, const MatrixTable& table, std::size_t axis,
                              const ChangeWords& words) {
  const MatrixAxis& levels = matrix.axes[axis];
  std::vector<std::string> moves;
  std::size_t previous = 0;
  Count before = 0;
  for (const AxisEffect& effect : table.conclusion.effects) {
    if (effect.axis != axis) {
      continue;
    }
    if (effect.change != before) {
      moves.push_back(fmt::format("{} from {} to {}", words(effect.change - before), levels.levels[previous].name,
                                  levels.levels[effect.level].name));
    }
    before = effect.change;
    previous = effect.level;
  }
  if (moves.empty()) {
    return fmt::format("The {} did not move it.", levels.name);
  }
  return fmt::format("The {} moved it: {}{}.", levels.name, joined(moves, ", "), others_in_words(matrix, axis));
}

/// The cells of one change, by the names of their other levels.
std::string where_in_words(const Matrix& matrix, std::size_t axis, const std::vector<MatrixPlace>& places) {
  std::vector<std::string> names;
  for (const MatrixPlace& place : places) {
    std::vector<std::string> parts;
    for (std::size_t other = 0; other < place.size(); ++other) {
      if (other != axis && matrix.axes[other].levels.size() > 1) {
        parts.push_back(matrix.axes[other].levels[place[other]].name);
      }
    }
    names.push_back(joined(parts, ":"));
  }
  return joined(names, ", ");
}

/// From each level of an axis to the next: which change in which cells. Empty where nothing changed anywhere.
std::vector<std::string> sentences_by_cell(const Matrix& matrix, const MatrixTable& table, std::size_t axis,
                                           const ChangeWords& words) {
  std::vector<std::string> sentences;
  const MatrixAxis& levels = matrix.axes[axis];
  for (std::size_t level = 1; level < levels.levels.size(); ++level) {
    std::map<Count, std::vector<MatrixPlace>> places;
    for (const LevelChange& change : level_changes(table.entries, axis, level - 1, level)) {
      places[change.change].push_back(change.place);
    }
    if (places.empty() || (places.size() == 1 && places.contains(0))) {
      continue;
    }
    std::vector<std::string> parts;
    for (const auto& [change, where] : places) {
      parts.push_back(places.size() == 1
                          ? words(change)
                          : fmt::format("{} with {}", words(change), where_in_words(matrix, axis, where)));
    }
    sentences.push_back(fmt::format("{} from {} to {}: {}.", levels.name, levels.levels[level - 1].name,
                                    levels.levels[level].name, joined(parts, "; ")));
  }
  return sentences;
}

std::string headline(const Matrix& matrix, const MatrixTable& table) {
  return fmt::format("{}: {}", table.workload, matrix.measure);
}

std::vector<std::string> failures_of(const Matrix& matrix) {
  std::vector<std::string> failures;
  for (std::size_t index = 0; index < matrix.cells.size(); ++index) {
    std::string reason = matrix.cells[index].reason;
    for (const MatrixTable& table : matrix.tables) {
      reason = reason.empty() ? table.entries[index].reason : reason;
    }
    if (!reason.empty()) {
      failures.push_back(fmt::format("{} failed{}: {}", place_name(matrix.axes, matrix.cells[index].place),
                                     matrix.cells[index].may_fail ? ", which is allowed" : "", telling_line(reason)));
    }
  }
  return failures;
}

std::string levels_in_words(const Matrix& matrix) {
  std::string text;
  for (const MatrixAxis& axis : matrix.axes) {
    for (const MatrixLevel& level : axis.levels) {
      text += level.what.empty() ? std::string() : fmt::format("{} {}: {}\n", axis.name, level.name, level.what);
    }
  }
  return text;
}

}  // namespace

std::vector<std::string> conclusion_sentences(const Matrix& matrix, const MatrixTable& table) {
  const ChangeWords words(table);
  const auto is_measured = [](const MatrixEntry& entry) { return entry.value.has_value(); };
  if (std::none_of(table.entries.begin(), table.entries.end(), is_measured)) {
    return {"No cell was measured, so nothing can be said."};
  }
  std::vector<std::string> sentences;
  if (table.conclusion.additive) {
    for (std::size_t axis = 0; axis < matrix.axes.size(); ++axis) {
      if (matrix.axes[axis].levels.size() > 1) {
        sentences.push_back(additive_sentence(matrix, table, axis, words));
      }
    }
    return sentences;
  }
  sentences.emplace_back("No axis moves it alone: what one does depends on where the others stand.");
  for (std::size_t axis = 0; axis < matrix.axes.size(); ++axis) {
    const std::vector<std::string> of_axis = sentences_by_cell(matrix, table, axis, words);
    sentences.insert(sentences.end(), of_axis.begin(), of_axis.end());
  }
  return sentences;
}

std::string matrix_report(const Matrix& matrix, const Style& style, std::size_t width) {
  std::string text = levels_in_words(matrix);
  for (const MatrixTable& table : matrix.tables) {
    text += fmt::format("\n{}\n\n{}\n", style.painted(headline(matrix, table), Paint::strong),
                        table_of(matrix, table).text(width, style));
    for (const std::string& sentence : conclusion_sentences(matrix, table)) {
      text += wrapped(sentence, 2, width, 0);
    }
  }
  const std::vector<std::string> failures = failures_of(matrix);
  for (const std::string& failure : failures) {
    text += (failure == failures.front() ? "\n" : "") + on_one_line(failure) + "\n";
  }
  return text;
}

std::string matrix_markdown(const Matrix& matrix) {
  std::string text;
  for (const MatrixTable& table : matrix.tables) {
    text += fmt::format("**{}**\n\n{}\n", headline(matrix, table), table_of(matrix, table).markdown());
    for (const std::string& sentence : conclusion_sentences(matrix, table)) {
      text += fmt::format("- {}\n", sentence);
    }
    text += "\n";
  }
  for (const std::string& failure : failures_of(matrix)) {
    text += fmt::format("- {}\n", on_one_line(failure));
  }
  return text;
}

}  // namespace allocgate
