// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "json/documents.hpp"
#include "json/parts.hpp"
#include "model/slope.hpp"
#include "model/wide.hpp"

#include <fmt/format.h>

namespace allocgate {

namespace {

/// What is written of a rule anywhere, and beside it where it came from and what it says in words.
JsonValue applied_to_json(const ThresholdRule& rule) {
  JsonValue object = to_json(rule);
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
  if (!verdict.suite.empty()) {
    object.add("suite", verdict.suite);
  }
  if (!verdict.workload.empty()) {
    object.add("workload", verdict.workload);
  }
  if (!verdict.measure.empty()) {
    object.add("measure", verdict.measure);
  }
  if (!verdict.argument.empty()) {
    object.add("argument", verdict.argument);
  }
  add_values(object, verdict);
  object.add("iterations", verdict.iterations);
  if (verdict.rule) {
    object.add("rule", applied_to_json(*verdict.rule));
  }
  if (verdict.rank_test) {
    object.add("rank_test", to_json(*verdict.rank_test));
  }
  if (verdict.waiver) {
    object.add("waiver", to_json(*verdict.waiver));
  }
  object.add("exit_code", static_cast<int>(verdict.code));
  object.add("sentence", verdict.sentence);
  if (verdict.place) {
    object.add("place", JsonValue::object()
                            .add("file", verdict.place->file)
                            .add("line", verdict.place->line)
                            .add("function", verdict.place->function));
  }
  if (!verdict.explanation.empty()) {
    object.add("explanation", verdict.explanation);
  }
  if (verdict.next) {
    object.add("next", JsonValue::object()
                           .add("reproduce", verdict.next->reproduce)
                           .add("explain", verdict.next->explain)
                           .add("accept", verdict.next->accept));
  }
  return object;
}

std::string text_or_empty(const JsonCursor& object, std::string_view name) {
  const auto found = object.find(name);
  return found ? found->text() : std::string();
}

std::optional<Count> count_or_nothing(const JsonCursor& object, std::string_view name) {
  const auto found = object.find(name);
  return found ? std::optional(found->integer()) : std::nullopt;
}

std::optional<Slope> slope_or_nothing(const JsonCursor& object, std::string_view name) {
  const auto found = object.find(name);
  return found ? std::optional(slope_from(*found)) : std::nullopt;
}

/// A code that a verdict can have: those that combine into one.
ExitCode code_from(const JsonCursor& cursor) {
  const std::int64_t given = cursor.integer();
  for (const ExitCode code : {ExitCode::fine, ExitCode::regression, ExitCode::not_measured, ExitCode::improvement,
                              ExitCode::no_baseline, ExitCode::blind, ExitCode::not_comparable}) {
    if (static_cast<std::int64_t>(code) == given) {
      return code;
    }
  }
  cursor.refuse(fmt::format("{} is not an exit code of a verdict", given));
}

RankTest rank_test_from(const JsonCursor& cursor) {
  RankTest test;
  test.before = cursor.at("processes_before").positive();
  test.after = cursor.at("processes_after").positive();
  test.p = cursor.at("p").number();
  test.adjusted_p = cursor.at("adjusted_p").number();
  test.effect = cursor.at("effect").number();
  test.can_decide = cursor.at("can_decide").truth();
  return test;
}

Verdict verdict_from(const JsonCursor& cursor) {
  Verdict verdict;
  verdict.kind = cursor.at("verdict").named<VerdictKind>();
  verdict.suite = text_or_empty(cursor, "suite");
  verdict.workload = text_or_empty(cursor, "workload");
  verdict.measure = text_or_empty(cursor, "measure");
  verdict.argument = text_or_empty(cursor, "argument");
  verdict.before = count_or_nothing(cursor, "before");
  verdict.after = count_or_nothing(cursor, "after");
  verdict.slope_before = slope_or_nothing(cursor, "slope_before");
  verdict.slope_after = slope_or_nothing(cursor, "slope_after");
  verdict.iterations = cursor.at("iterations").positive();
  verdict.code = code_from(cursor.at("exit_code"));
  verdict.sentence = cursor.at("sentence").text();
  if (const auto test = cursor.find("rank_test")) {
    verdict.rank_test = rank_test_from(*test);
  }
  if (const auto waiver = cursor.find("waiver")) {
    verdict.waiver = waiver_from(*waiver);
  }
  if (const auto place = cursor.find("place")) {
    verdict.place = SourcePlace{place->at("file").name(), static_cast<std::uint32_t>(place->at("line").natural()),
                                place->at("function").text()};
  }
  verdict.explanation = text_or_empty(cursor, "explanation");
  if (const auto next = cursor.find("next")) {
    verdict.next = NextSteps{next->at("reproduce").text(), next->at("explain").text(), next->at("accept").text()};
  }
  return verdict;
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

Judgement judgement_from_json(std::string_view text, const std::filesystem::path& named) {
  const LocatedDocument document(text, named, "write it again with `allocgate check --format json`");
  const JsonCursor cursor(document);
  cursor.require_schema(k_judgement_schema);
  Judgement judgement;
  for (const JsonCursor& element : cursor.at("verdicts").elements()) {
    judgement.verdicts.push_back(verdict_from(element));
    judgement.exit_code = worse_of(judgement.exit_code, judgement.verdicts.back().code);
  }
  const JsonCursor code = cursor.at("exit_code");
  if (code_from(code) != judgement.exit_code) {
    code.refuse(
        fmt::format("it is {}, and its verdicts come to {}", code.integer(), static_cast<int>(judgement.exit_code)));
  }
  judgement.notes = cursor.at("notes").texts();
  return judgement;
}

}  // namespace allocgate
