// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "json/documents.hpp"
#include "json/parts.hpp"
#include "model/slope.hpp"
#include "model/wide.hpp"

namespace allocgate {

namespace {

JsonValue to_json(const ThresholdRule& rule) {
  JsonValue object = JsonValue::object();
  if (!rule.workload.empty()) {
    object.add("workload", rule.workload);
  }
  if (!rule.measure.empty()) {
    object.add("measure", rule.measure);
  }
  add_threshold(object, rule.threshold);
  object.add("source", name_of(rule.source));
  object.add("text", describe(rule));
  return object;
}

JsonValue to_json(const RankTest& test) {
  JsonValue object = JsonValue::object();
  object.add("processes_before", test.before);
  object.add("processes_after", test.after);
  object.add("p", test.p);
  object.add("adjusted_p", test.adjusted_p);
  object.add("effect", test.effect);
  object.add("can_decide", test.can_decide);
  return object;
}

void add_values(JsonValue& object, const Verdict& verdict) {
  if (verdict.before) {
    object.add("before", *verdict.before);
  }
  if (verdict.after) {
    object.add("after", *verdict.after);
  }
  if (verdict.before && verdict.after) {
    if (const auto delta = to_count(static_cast<Wide>(*verdict.after) - *verdict.before)) {
      object.add("delta", *delta);
    }
  }
  if (verdict.slope_before) {
    object.add("slope_before", to_json(*verdict.slope_before));
  }
  if (verdict.slope_after) {
    object.add("slope_after", to_json(*verdict.slope_after));
  }
  if (verdict.slope_before && verdict.slope_after) {
    if (const auto delta = difference(*verdict.slope_after, *verdict.slope_before)) {
      object.add("slope_delta", to_json(*delta));
    }
  }
}

JsonValue to_json(const Verdict& verdict) {
  JsonValue object = JsonValue::object();
  object.add("verdict", name_of(verdict.kind));
  if (!verdict.workload.empty()) {
    object.add("workload", verdict.workload);
  }
  if (!verdict.measure.empty()) {
    object.add("measure", verdict.measure);
  }
  add_values(object, verdict);
  object.add("iterations", verdict.iterations);
  if (verdict.rule) {
    object.add("rule", to_json(*verdict.rule));
  }
  if (verdict.rank_test) {
    object.add("rank_test", to_json(*verdict.rank_test));
  }
  if (verdict.waiver) {
    object.add("waiver", to_json(*verdict.waiver));
  }
  object.add("exit_code", static_cast<int>(verdict.code));
  object.add("sentence", verdict.sentence);
  return object;
}

}  // namespace

std::string judgement_to_json(const Judgement& judgement) {
  JsonValue document = JsonValue::object();
  document.add("schema", k_judgement_schema);
  document.add("exit_code", static_cast<int>(judgement.exit_code));
  JsonValue verdicts = JsonValue::array();
  for (const Verdict& verdict : judgement.verdicts) {
    verdicts.push(to_json(verdict));
  }
  document.add("verdicts", std::move(verdicts));
  JsonValue notes = JsonValue::array();
  for (const std::string& note : judgement.notes) {
    notes.push(note);
  }
  document.add("notes", std::move(notes));
  return to_json_text(document);
}

}  // namespace allocgate
