// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "cli/acceptance.hpp"

#include "base/text.hpp"
#include "compare/rules.hpp"

#include <array>

namespace allocgate {

namespace {

/// The list and the option that are for a kind of refusal; nothing for what cannot be accepted by name: a failure, and
/// values that wait for another of their workload.
struct WayToAccept {
  const char* option;
  std::vector<std::string> Acceptances::*names;
};

std::optional<WayToAccept> way_to_accept(const BaselineRefusal& refusal) {
  switch (refusal.kind) {
    case VerdictKind::leak:
      return WayToAccept{"--accept-leak", &Acceptances::leak};
    case VerdictKind::unstable:
      return WayToAccept{"--accept-unstable", &Acceptances::unstable};
    case VerdictKind::blind:
    case VerdictKind::missing:
      return WayToAccept{"--accept-blind", &Acceptances::blind};
    default:
      return std::nullopt;
  }
}

std::string full_name(const BaselineRefusal& refusal) {
  return refusal.measure.empty() ? refusal.workload : refusal.workload + ":" + refusal.measure;
}

bool accepts(const Acceptances& acceptances, const BaselineRefusal& refusal) {
  const std::optional<WayToAccept> way = way_to_accept(refusal);
  return way && is_accepted(acceptances.*(way->names), refusal.workload, refusal.measure);
}

}  // namespace

ExitCode code_of(const BaselineRefusal& refusal) {
  switch (refusal.kind) {
    case VerdictKind::leak:
      return ExitCode::regression;
    case VerdictKind::blind:
    case VerdictKind::missing:
      return ExitCode::blind;
    case VerdictKind::not_comparable:
      return ExitCode::not_comparable;
    default:
      return ExitCode::not_measured;
  }
}

std::string option_that_accepts(const BaselineRefusal& refusal) {
  const std::optional<WayToAccept> way = way_to_accept(refusal);
  return way ? shell_quoted(std::array<std::string, 2>{way->option, full_name(refusal)}) : std::string();
}

MadeBaseline make_accepted_baseline(const std::optional<Baseline>& existing, const Result& result,
                                    const std::string& suite, const std::string& reason, const std::string& commit,
                                    const std::string& time, MakeBaselineOptions options,
                                    const Acceptances& acceptances) {
  const auto make = [&] { return make_baseline(existing, result, suite, reason, commit, time, options); };
  // What is refused says what there is to accept; accepting it can bring up the next refusal, once for the workload and
  // once for its series.
  MadeBaseline made = make();
  for (std::size_t accepted_before = 0;;) {
    for (const BaselineRefusal& refusal : made.refusals) {
      if (accepts(acceptances, refusal)) {
        options.accepted.push_back(full_name(refusal));
      }
    }
    if (options.accepted.size() == accepted_before) {
      return made;
    }
    accepted_before = options.accepted.size();
    made = make();
  }
}

}  // namespace allocgate
