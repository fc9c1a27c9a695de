// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "revisions/revision_cache.hpp"

#include "revisions/made_repository.hpp"

namespace allocgate {
namespace {

class RevisionCacheTest : public MadeRepositoryTest {};

TEST_F(RevisionCacheTest, FindsWhatWasRememberedUnderTheSameKeyAlone) {
  const Repository repository(top(), m_launcher);
  const RevisionCache cache(repository, beside("cache"));
  const MeasurementKey key = {{"build", "make\nmake check"}, {"commit", "1"}};
  EXPECT_FALSE(cache.find(key));
  cache.remember(key, "a result");
  EXPECT_EQ(cache.find(key), "a result");
  EXPECT_FALSE(cache.find({{"build", "make"}, {"commit", "1"}}));
  EXPECT_FALSE(cache.find({{"build", "make\\nmake check"}, {"commit", "1"}}));
  cache.remember(key, "another");
  EXPECT_EQ(RevisionCache(repository, beside("cache")).find(key), "another") << "it is on disk";
}

TEST_F(RevisionCacheTest, AnEntryWithoutItsKeyIsNone) {
  const RevisionCache cache(Repository(top(), m_launcher), beside("cache"));
  const MeasurementKey key = {{"commit", "1"}};
  cache.remember(key, "a result");
  for (const auto& entry : std::filesystem::recursive_directory_iterator(beside("cache"))) {
    if (entry.path().filename() == "key") {
      std::ofstream(entry.path()) << "commit=2\n";
    }
  }
  EXPECT_FALSE(cache.find(key));
}

TEST_F(RevisionCacheTest, RepositoriesOfOneNameHaveFoldersOfTheirOwn) {
  ::setenv("ALLOCGATE_CACHE_DIR", beside("cache").c_str(), 1);
  const RevisionCache one(Repository(top(), m_launcher), {});
  std::filesystem::create_directories(beside("elsewhere"));
  std::filesystem::copy(top(), beside("elsewhere") / "a repository", std::filesystem::copy_options::recursive);
  const RevisionCache two(Repository(beside("elsewhere") / "a repository", m_launcher), {});
  ::unsetenv("ALLOCGATE_CACHE_DIR");
  EXPECT_NE(one.worktree("base"), two.worktree("base"));
}

}  // namespace
}  // namespace allocgate
