// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "cli/baseline_updates.hpp"

#include "cli/acceptance.hpp"
#include "json/value.hpp"
#include "report/baseline_report.hpp"

#include <fmt/format.h>

#include <ostream>

namespace allocgate {

namespace {

JsonValue change_json(const BaselineChange& change) {
  JsonValue object = JsonValue::object();
  object.add("workload", change.workload).add("measure", change.measure);
  if (change.before) {
    object.add("before", *change.before);
  }
  if (change.after) {
    object.add("after", *change.after);
  }
  return object;
}

JsonValue update_json(const BaselineUpdate& update, const BaselineStore& store) {
  JsonValue changes = JsonValue::array();
  for (const BaselineChange& change : update.made.changes) {
    changes.push(change_json(change));
  }
  JsonValue refusals = JsonValue::array();
  for (const BaselineRefusal& refusal : update.made.refusals) {
    refusals.push(JsonValue::object()
                      .add("workload", refusal.workload)
                      .add("measure", refusal.measure)
                      .add("reason", refusal.sentence)
                      .add("accept", option_that_accepts(refusal)));
  }
  const Baseline& baseline = update.made.baseline;
  return JsonValue::object()
      .add("suite", baseline.suite)
      .add("testbed", baseline.testbed.id)
      .add("file", store.file_of(baseline.testbed.id, baseline.suite).string())
      .add("changes", std::move(changes))
      .add("refused", std::move(refusals))
      .add("unchanged", update.made.unchanged);
}

}  // namespace

void show_updates(const std::vector<BaselineUpdate>& updates, const BaselineStore& store, const OutputOptions& output,
                  const Streams& streams) {
  if (output.chosen_format() == Format::json) {
    JsonValue suites = JsonValue::array();
    for (const BaselineUpdate& update : updates) {
      suites.push(update_json(update, store));
    }
    const JsonValue document =
        JsonValue::object().add("schema", "allocgate.baseline-update/1").add("suites", std::move(suites));
    deliver(to_json_text(document), output, streams.out);
    return;
  }
  const Style style = result_style(output, streams.out_is_terminal);
  std::string text;
  for (const BaselineUpdate& update : updates) {
    text += (text.empty() ? "" : "\n") + baseline_changes_report(update.made, update.first, style, k_report_width);
    for (const BaselineRefusal& refusal : update.made.refusals) {
      const std::string option = option_that_accepts(refusal);
      text += option.empty() ? "" : "  accept: " + option + "\n";
    }
  }
  deliver(text, output, streams.out);
}

void write_updates(const std::vector<BaselineUpdate>& updates, const BaselineStore& store, const Streams& streams) {
  for (const BaselineUpdate& update : updates) {
    const Baseline& baseline = update.made.baseline;
    if (update.made.changes.empty() && !update.stacks_changed) {
      continue;
    }
    const std::string file = store.file_of(baseline.testbed.id, baseline.suite).string();
    if (baseline.workloads.empty()) {
      store.remove(baseline.testbed.id, baseline.suite);
      streams.err << fmt::format("allocgate: removed {}, because it has no entry any more\n", file);
      continue;
    }
    store.save(baseline);
    store.remove_unused_stacks(baseline.testbed.id);
    streams.err << fmt::format("allocgate: wrote {}\n", file);
  }
}

}  // namespace allocgate
