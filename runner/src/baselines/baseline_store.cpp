// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "baselines/baseline_store.hpp"

#include "base/digest.hpp"
#include "base/error.hpp"
#include "base/file.hpp"
#include "compare/choose_baseline.hpp"
#include "json/documents.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace allocgate {

namespace fs = std::filesystem;

namespace {

// Beside the testbeds lies the folder of the published schemas.
constexpr std::string_view k_schema_folder = "schema";
constexpr const char* k_stacks_folder = "stacks";
constexpr const char* k_stacks_suffix = ".pb.gz";

bool is_wanted(const std::optional<std::vector<std::string>>& suites, const std::string& suite) {
  return !suites || std::find(suites->begin(), suites->end(), suite) != suites->end();
}

Baseline read_baseline(const fs::path& file) {
  return baseline_from_json(read_file(file), file);
}

}  // namespace

fs::path BaselineStore::file_of(const std::string& testbed_id, const std::string& suite) const {
  return m_folder / testbed_id / (suite + ".json");
}

std::vector<BaselineStore::Entry> BaselineStore::entries() const {
  std::vector<Entry> found;
  std::error_code error;
  if (!fs::exists(m_folder, error)) {
    return found;
  }
  try {
    for (const fs::directory_entry& testbed : fs::directory_iterator(m_folder)) {
      if (!testbed.is_directory() || testbed.path().filename() == k_schema_folder) {
        continue;
      }
      for (const fs::directory_entry& file : fs::directory_iterator(testbed.path())) {
        if (file.path().extension() == ".json") {
          found.push_back({testbed.path().filename().string(), file.path().stem().string(), file.path()});
        }
      }
    }
  } catch (const fs::filesystem_error& failure) {
    throw Error(ExitCode::unreadable_input,
                fmt::format("cannot read the baselines in '{}': {}; --baseline names another folder", m_folder.string(),
                            failure.code().message()));
  }
  std::sort(found.begin(), found.end(), [](const Entry& left, const Entry& right) {
    return std::tie(left.testbed_id, left.suite) < std::tie(right.testbed_id, right.suite);
  });
  return found;
}

std::optional<Baseline> BaselineStore::load(const std::string& testbed_id, const std::string& suite) const {
  const fs::path file = file_of(testbed_id, suite);
  std::error_code error;
  if (!fs::exists(file, error)) {
    return std::nullopt;
  }
  return read_baseline(file);
}

std::vector<Baseline> BaselineStore::baselines_for(const Result& result,
                                                   const std::optional<std::vector<std::string>>& suites) const {
  const std::vector<Entry> all = entries();
  std::vector<Baseline> chosen;
  for (const Entry& entry : all) {
    if (entry.testbed_id == result.testbed.id && is_wanted(suites, entry.suite)) {
      chosen.push_back(read_baseline(entry.file));
    }
  }
  for (const std::string& suite : suites_of(result)) {
    const bool have = std::any_of(chosen.begin(), chosen.end(),
                                  [&suite](const Baseline& baseline) { return baseline.suite == suite; });
    if (have || !is_wanted(suites, suite)) {
      continue;
    }
    std::vector<Baseline> candidates;
    for (const Entry& entry : all) {
      if (entry.suite == suite) {
        candidates.push_back(read_baseline(entry.file));
      }
    }
    if (const std::optional<std::size_t> nearest = choose_baseline(result, suite, candidates)) {
      chosen.push_back(std::move(candidates[*nearest]));
    }
  }
  return chosen;
}

void BaselineStore::save(const Baseline& baseline) const {
  write_file_atomically(file_of(baseline.testbed.id, baseline.suite), baseline_to_json(baseline));
}

void BaselineStore::remove(const std::string& testbed_id, const std::string& suite) const {
  const fs::path file = file_of(testbed_id, suite);
  std::error_code error;
  if (!fs::remove(file, error)) {
    throw Error(ExitCode::internal_error,
                fmt::format("cannot remove '{}', which has no entry any more: {}; remove it by hand", file.string(),
                            error ? error.message() : "it is gone already"));
  }
  fs::remove(file.parent_path(), error);  // refuses while there are other files in it
}

fs::path BaselineStore::stacks_file(const std::string& testbed_id, const std::string& name) const {
  return m_folder / testbed_id / k_stacks_folder / (name + k_stacks_suffix);
}

std::string BaselineStore::save_stacks(const std::string& testbed_id, const std::string& content) const {
  const std::string name = digest_of(content);
  write_file_atomically(stacks_file(testbed_id, name), content);
  return name;
}

void BaselineStore::remove_unused_stacks(const std::string& testbed_id) const {
  std::set<fs::path> used;
  for (const Entry& entry : entries()) {
    if (entry.testbed_id == testbed_id) {
      for (const auto& [name, workload] : read_baseline(entry.file).workloads) {
        used.insert(stacks_file(testbed_id, workload.stacks).filename());
      }
    }
  }
  std::error_code error;
  const fs::path folder = m_folder / testbed_id / k_stacks_folder;
  std::vector<fs::path> unused;
  for (const fs::directory_entry& file : fs::directory_iterator(folder, error)) {
    if (file.path().string().ends_with(k_stacks_suffix) && !used.contains(file.path().filename())) {
      unused.push_back(file.path());
    }
  }
  for (const fs::path& file : unused) {
    fs::remove(file, error);
  }
  fs::remove(folder, error);  // refuses while there are files in it
}

std::optional<fs::path> nearest_baselines_folder(const fs::path& start) {
  std::error_code error;
  for (fs::path folder = start;; folder = folder.parent_path()) {
    if (fs::is_directory(folder / "baselines", error)) {
      return folder / "baselines";
    }
    if (folder == folder.parent_path()) {
      return std::nullopt;
    }
  }
}

}  // namespace allocgate
