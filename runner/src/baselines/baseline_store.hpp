// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "model/baseline.hpp"
#include "model/result.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace allocgate {

/// The files baselines/<testbed id>/<suite>.json below one folder. Holds no state beside the folder's name; every call
/// looks at the files anew. Reading throws Error (65) for a damaged file, with its name and the place.
class BaselineStore {
public:
  /// One file, without its values.
  struct Entry {
    std::string testbed_id;
    std::string suite;
    std::filesystem::path file;
  };

  explicit BaselineStore(std::filesystem::path folder) : m_folder(std::move(folder)) {}

  [[nodiscard]] const std::filesystem::path& folder() const { return m_folder; }
  [[nodiscard]] std::filesystem::path file_of(const std::string& testbed_id, const std::string& suite) const;

  /// Every baseline file, by testbed and suite; empty when the folder is missing. Throws Error (65) when the folder
  /// cannot be read.
  [[nodiscard]] std::vector<Entry> entries() const;

  /// The baseline of exactly this testbed and suite, if there is one.
  [[nodiscard]] std::optional<Baseline> load(const std::string& testbed_id, const std::string& suite) const;

  /// What `result` is to be judged against: every baseline of its testbed (of `suites` alone when given), and for a
  /// suite that has none there the nearest other testbed's.
  [[nodiscard]] std::vector<Baseline> baselines_for(const Result& result,
                                                    const std::optional<std::vector<std::string>>& suites) const;

  /// Writes the file as a whole or not at all. Throws Error (1) when it cannot.
  void save(const Baseline& baseline) const;

  /// Removes the file, which must be there, and the testbed's folder with the last one. Throws Error (1) when it
  /// cannot.
  void remove(const std::string& testbed_id, const std::string& suite) const;

  /// Where the call stacks of that name are: baselines/<testbed id>/stacks/<name>.pb.gz.
  [[nodiscard]] std::filesystem::path stacks_file(const std::string& testbed_id, const std::string& name) const;

  /// Keeps the content of a recording and gives it a name, which is made of the content: the same content is the same
  /// file. Throws Error (1) when it cannot be written.
  [[nodiscard]] std::string save_stacks(const std::string& testbed_id, const std::string& content) const;

  /// Removes the call stacks of the testbed that none of its baselines names any more. That one cannot be removed does
  /// no harm.
  void remove_unused_stacks(const std::string& testbed_id) const;

private:
  std::filesystem::path m_folder;
};

/// The nearest folder named `baselines`, in `start` or above it.
std::optional<std::filesystem::path> nearest_baselines_folder(const std::filesystem::path& start);

}  // namespace allocgate
