// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "symbols/symbol_cache.hpp"

#include "base/file.hpp"
#include "temporary_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

namespace allocgate {
namespace {

using testing::ElementsAreArray;

constexpr auto k_frames = std::to_array<CodeFrame>({{"_Z5innerv", "/src/a b.cpp", 12, true}, {"main", "", 0, false}});
constexpr const char* k_build_id = "0123abcd";

class SymbolCacheTest : public testing::Test {
protected:
  SymbolCacheTest() {
    write_file_atomically(program(), "an executable");
    KnownFrames known;
    known.add(0x1234, k_frames);
    known.add(0x9, std::span(k_frames).last(1));
    const std::vector<std::filesystem::path> files = {program()};
    m_cache.write(k_build_id, files, known);
  }

  [[nodiscard]] std::filesystem::path program() const { return m_folder.path() / "the program"; }
  [[nodiscard]] std::filesystem::path entry() const { return m_folder.path() / "cache" / k_build_id; }
  [[nodiscard]] bool is_known() const {
    KnownFrames known;
    return m_cache.read(k_build_id, known) && known.find(0x1234).has_value();
  }

  TemporaryFolder m_folder;
  SymbolCache m_cache{m_folder.path() / "cache"};
};

TEST_F(SymbolCacheTest, GivesBackWhatItWasGiven) {
  KnownFrames known;
  ASSERT_TRUE(m_cache.read(k_build_id, known));
  EXPECT_EQ(known.size(), 2u);
  EXPECT_THAT(*known.find(0x1234), ElementsAreArray(k_frames));
  EXPECT_THAT(*known.find(0x9), ElementsAreArray(std::span(k_frames).last(1)));
  EXPECT_FALSE(known.find(0x10));
}

TEST_F(SymbolCacheTest, KnowsNothingOfOthers) {
  KnownFrames known;
  EXPECT_FALSE(m_cache.read("ffff", known));
  EXPECT_EQ(known.size(), 0u);
}

TEST_F(SymbolCacheTest, ForgetsWhenTheFilesChanged) {
  EXPECT_TRUE(is_known());
  write_file_atomically(program(), "another executable");
  EXPECT_FALSE(is_known());
}

TEST_F(SymbolCacheTest, IgnoresAnyDamage) {
  const std::string content = read_file(entry());
  for (std::size_t size = 0; size < content.size(); ++size) {
    write_file_atomically(entry(), content.substr(0, size));
    EXPECT_FALSE(is_known()) << "cut to " << size;
  }
  for (std::size_t place = 0; place < content.size(); ++place) {
    std::string changed = content;
    changed[place] = static_cast<char>(changed[place] ^ 1);
    write_file_atomically(entry(), changed);
    EXPECT_FALSE(is_known()) << "changed at " << place;
  }
  write_file_atomically(entry(), content);
  EXPECT_TRUE(is_known());
}

TEST(KnownFrames, RefusesTextsThatContradictThemselves) {
  for (const char* text :
       {"a", "x 1\n", "a \n", "a 1\na 2 5 0 0 0\n", "a 1 0 0 0\n", "a z 0 0 0 0\n", "a 1 0 0 0 0 \n1"}) {
    KnownFrames known;
    EXPECT_FALSE(known.read_text(text)) << text;
    EXPECT_EQ(known.size(), 0u);
  }
}

TEST(KnownFrames, LeavesOutTextsOfSeveralLines) {
  KnownFrames known;
  const CodeFrame frame{"two\nlines", "", 0, false};
  known.add(1, std::span(&frame, 1));
  EXPECT_EQ(known.to_text(), "");
}

}  // namespace
}  // namespace allocgate
