// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "cli/configuration.hpp"
#include "cli/measuring_options.hpp"
#include "cli/streams.hpp"
#include "model/result.hpp"
#include "revisions/revision_cache.hpp"
#include "stacks/recording.hpp"

#include <optional>
#include <string>

namespace allocgate {

/// What was measured of a commit, kept as long as nothing changes on which it depends: the commit, the build line and
/// the variables that compilers and build systems read, the workloads and how they are measured, the testbed, the
/// hooks, and programs from outside of the revision. One thread.
class RevisionMemory {
public:
  /// `more` is what else it depends on; it may give a variable another value. `recalls` false: nothing is recalled, and
  /// what is measured is kept all the same. Throws Error (65) when a program or the hooks cannot be read.
  RevisionMemory(const RevisionCache& cache, const Repository& repository, const std::string& build,
                 const MeasuringOptions& measuring, const LoadedConfiguration& configuration, bool recalls,
                 const MeasurementKey& more = {});

  /// The result of `revision` if it is known and all of it went well: of the chosen workloads, or else of all.
  [[nodiscard]] std::optional<Result> recall(const Revision& revision) const;

  /// Keeps `result` when every workload of it went well. That it cannot be written is said and does no harm.
  void keep(const Revision& revision, const Result& result, const Streams& streams) const;

  /// Why `revision` does not build, if that is known.
  [[nodiscard]] std::optional<std::string> recall_failure(const Revision& revision) const;
  /// Keeps why it does not: only for builds that ended by themselves, as they would again.
  void keep_failure(const Revision& revision, const std::string& reason, const Streams& streams) const;

  /// The call stacks of one workload of `revision`, if they are known.
  [[nodiscard]] std::optional<Recording> recall_stacks(const Revision& revision, const std::string& workload) const;
  void keep_stacks(const Revision& revision, const std::string& workload, const Recording& recording,
                   const Streams& streams) const;

private:
  void keep_text(const MeasurementKey& key, const Revision& revision, const std::string& text,
                 const Streams& streams) const;
  [[nodiscard]] MeasurementKey key_of(const Revision& revision, const std::string& names) const;

  const RevisionCache& m_cache;
  MeasurementKey m_common;
  std::string m_names;
  bool m_recalls;
};

}  // namespace allocgate
