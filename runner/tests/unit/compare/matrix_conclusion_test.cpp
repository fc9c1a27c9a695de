// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "compare/matrix_conclusion.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace allocgate {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;

constexpr Count k_failed = -1;

/// A table of rows x columns.
class Table {
public:
  explicit Table(std::vector<std::vector<Count>> rows) {
    axes = {{"revision", std::vector<MatrixLevel>(rows.size())},
            {"toolchain", std::vector<MatrixLevel>(rows.front().size())}};
    for (std::size_t row = 0; row < rows.size(); ++row) {
      for (std::size_t column = 0; column < rows[row].size(); ++column) {
        MatrixEntry entry{{row, column}, std::nullopt, {}};
        if (rows[row][column] != k_failed) {
          entry.value.emplace().value = rows[row][column];
        }
        entries.push_back(entry);
      }
    }
  }

  [[nodiscard]] MatrixConclusion concluded(const std::optional<Threshold>& threshold = std::nullopt) const {
    return conclude(axes, entries, threshold);
  }

  std::vector<MatrixAxis> axes;
  std::vector<MatrixEntry> entries;
};

/// The changes of one axis's levels but the first.
std::vector<Count> effects(const MatrixConclusion& conclusion, std::size_t axis) {
  std::vector<Count> changes;
  for (const AxisEffect& effect : conclusion.effects) {
    if (effect.axis == axis) {
      changes.push_back(effect.change);
    }
  }
  return changes;
}

TEST(Conclude, TheCodeAlone) {
  const MatrixConclusion conclusion = Table({{7, 7, 7}, {8, 8, 8}, {8, 8, 8}}).concluded();
  EXPECT_TRUE(conclusion.additive);
  EXPECT_THAT(effects(conclusion, 0), ElementsAre(1, 1));
  EXPECT_THAT(effects(conclusion, 1), ElementsAre(0, 0));
}

TEST(Conclude, TheToolchainAlone) {
  const MatrixConclusion conclusion = Table({{7, 9}, {7, 9}}).concluded();
  EXPECT_TRUE(conclusion.additive);
  EXPECT_THAT(effects(conclusion, 0), ElementsAre(0));
  EXPECT_THAT(effects(conclusion, 1), ElementsAre(2));
}

TEST(Conclude, BothWithoutEachOther) {
  const MatrixConclusion conclusion = Table({{7, 9}, {10, 12}}).concluded();
  EXPECT_TRUE(conclusion.additive);
  EXPECT_THAT(effects(conclusion, 0), ElementsAre(3));
  EXPECT_THAT(effects(conclusion, 1), ElementsAre(2));
}

TEST(Conclude, TheirMeetingIsNoMainEffect) {
  const MatrixConclusion conclusion = Table({{7, 7, 7}, {7, 7, 8}}).concluded();
  EXPECT_FALSE(conclusion.additive);
  EXPECT_THAT(conclusion.exceptions, ElementsAre(MatrixPlace{1, 2}));
}

TEST(Conclude, ALevelIsReadOffAnotherRowWhereItsOwnFailed) {
  const MatrixConclusion conclusion = Table({{7, k_failed, 9}, {k_failed, 20, 10}}).concluded();
  EXPECT_TRUE(conclusion.additive);
  EXPECT_THAT(effects(conclusion, 0), ElementsAre(1));
  EXPECT_THAT(effects(conclusion, 1), ElementsAre(12, 2));
}

TEST(Conclude, ALevelThatNeverWorkedHasNoEffect) {
  const MatrixConclusion conclusion = Table({{7, k_failed}, {8, k_failed}}).concluded();
  EXPECT_TRUE(conclusion.additive);
  EXPECT_THAT(effects(conclusion, 0), ElementsAre(1));
  EXPECT_THAT(effects(conclusion, 1), IsEmpty());
}

TEST(Conclude, NothingMeasuredConcludesNothing) {
  EXPECT_THAT(Table({{k_failed, k_failed}}).concluded().effects, IsEmpty());
}

TEST(Conclude, AThresholdLetsSmallMeetingsPass) {
  Threshold threshold;
  threshold.absolute = 1;
  EXPECT_TRUE(Table({{7, 7}, {8, 9}}).concluded(threshold).additive);
  EXPECT_FALSE(Table({{7, 7}, {8, 10}}).concluded(threshold).additive);
}

TEST(LevelChanges, AreThoseOfRowsInWhichBothWereMeasured) {
  const Table table({{7, 9}, {k_failed, 12}, {8, 7}});
  std::vector<std::pair<MatrixPlace, Count>> changes;
  for (const LevelChange& change : level_changes(table.entries, 1, 0, 1)) {
    changes.emplace_back(change.place, change.change);
  }
  EXPECT_THAT(changes, UnorderedElementsAre(Pair(MatrixPlace{0, 1}, 2), Pair(MatrixPlace{2, 1}, -1)));
}

}  // namespace
}  // namespace allocgate
