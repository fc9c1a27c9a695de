// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "page/stack_page.hpp"
#include "page/page_parts.hpp"
#include "recordings/byte_source.hpp"
#include "stacks/example_recordings.hpp"
#include "stacks/flame_tree.hpp"

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include <array>

namespace allocgate {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

std::string page_of(const Recording& before, const Recording& after) {
  return stack_diff_page(StackDiff(before, after, {}), before, after, {{"a.folded", "b.folded"}});
}

nlohmann::json data_of(const Recording& before, const Recording& after) {
  const StackDiff diff(before, after, {});
  return nlohmann::json::parse(flame_tree_to_json(make_flame_tree(diff), diff, true));
}

TEST(StackPage, IsOneFileWithAPolicyThatForbidsTheRest) {
  const Recording before = recording_of({{"m < run < main", 3}});
  const Recording after = recording_of({{"m < run < main", 5}});
  const std::string page = page_of(before, after);
  EXPECT_THAT(page, StartsWith("<!doctype html>\n"));
  EXPECT_THAT(page, HasSubstr("content=\"default-src 'none'; script-src 'sha256-"));
  EXPECT_THAT(page, Not(HasSubstr("http:")));
  EXPECT_THAT(page, Not(HasSubstr("https:")));
  EXPECT_THAT(page, Not(HasSubstr("src=")));
  EXPECT_THAT(page, Not(HasSubstr("unsafe")));
  EXPECT_THAT(page, Not(HasSubstr("{{")));
  EXPECT_THAT(page, HasSubstr("<td class=\"grew\">▲\u00A0+2</td>"));
  EXPECT_EQ(page, page_of(before, after));
}

TEST(StackPage, EscapesWhatComesFromOutside) {
  Recording recording = recording_of({{"m < run < main", 3}});
  recording.command = "</script><img src=x onerror=alert(1)>";
  recording.notes = {"<b>\xff"};
  const std::string name = "a\"b'<i>{{data}}.folded";
  const std::string page = stacks_page(recording, 0, false, name);
  for (const char* markup : {"<img", "<i>", "<b>", "alert(1)>", "\xff"}) {
    EXPECT_THAT(page, Not(HasSubstr(markup)));
  }
  EXPECT_THAT(page, HasSubstr("&lt;/script&gt;&lt;img src=x"));
  EXPECT_THAT(page, HasSubstr("a&quot;b&#39;&lt;i&gt;{{data}}.folded"));
}

TEST(StackPage, HasTheFilesOfOtherViewersInside) {
  const Recording before = recording_of({{"m < run < main", 3}});
  const Recording after = recording_of({{"m < run < main", 5}});
  const std::string page = page_of(before, after);
  EXPECT_THAT(page, HasSubstr(base64(gzipped("main;run;m 3 5\n"))));
  for (const char* file : {"before.pb.gz", "before.speedscope.json", "after.pb.gz", "after.speedscope.json"}) {
    EXPECT_THAT(page, HasSubstr("data-file=\"" + std::string(file) + "\""));
  }
}

TEST(StackPage, NamesRevisionsAsTheyAreCalled) {
  const Recording before = recording_of({{"m < run < main", 3}});
  const Recording after = recording_of({{"m < run < main", 5}});
  const std::string page =
      stack_diff_page(StackDiff(before, after, {}), before, after, {{"feature/a (12ab)", "the work tree"}, false});
  EXPECT_THAT(page, HasSubstr("<title>feature/a (12ab) → the work tree: difference in allocations</title>"));
}

TEST(StackPage, SaysWhereToLookFirst) {
  const Recording before = recording_of({{"m < main", 3}});
  Recording after = recording_of({{"m < main", 3}});
  Frame frame;
  frame.function = after.text("run<&>");
  frame.file = after.text("src/run.cpp");
  frame.line = 12;
  ASSERT_TRUE(after.add(after.called_from(0, after.frame(frame)), std::array<Count, 1>{2}));
  EXPECT_THAT(page_of(before, after),
              HasSubstr("Look first at <code>src/run.cpp:12</code>, in <code>run&lt;&amp;&gt;</code>"));
  EXPECT_THAT(page_of(before, before), Not(HasSubstr("Look first")));
}

TEST(FlameDocument, ShipsValuesThatAddUp) {
  const Recording before =
      recording_of({{"m < gone", 3}, {"m < same < main", 4}, {"m < more < main", 1}, {"m < old_name < run < main", 5}});
  const Recording after = recording_of(
      {{"m < fresh", 2}, {"m < same < main", 4}, {"m < more < main", 8}, {"m < new_name < run < main", 6}});
  const nlohmann::json data = data_of(before, after);
  const auto& measure = data["measures"][0];
  Count sum_before = 0;
  Count sum_after = 0;
  for (std::size_t node = 0; node < measure["before"].size(); ++node) {
    sum_before += measure["before"][node].get<Count>();
    sum_after += measure["after"][node].get<Count>();
  }
  EXPECT_EQ(sum_before, before.totals()[0]);
  EXPECT_EQ(sum_after, after.totals()[0]);
  EXPECT_EQ(data["rows"]["kind"], nlohmann::json({0, 1, 2, 3}));
  EXPECT_EQ(data["calls"]["up"].size(), measure["before"].size());
  EXPECT_EQ(data["names"][0], "all");

  // The pair counts under its name after; the one before is beside it.
  const std::size_t node = data["rows"]["node"][3].get<std::size_t>();
  EXPECT_EQ(measure["before"][node], 5);
  EXPECT_EQ(measure["after"][node], 6);
  EXPECT_NE(data["rows"]["before"][3], 0);
}

TEST(FlameDocument, SortsBySizeThenByName) {
  const Recording recording = recording_of({{"b < main", 3}, {"c < main", 7}, {"a < main", 3}, {"x", 1}});
  const nlohmann::json data = data_of(recording, recording);
  std::vector<std::string> shown;
  for (const auto& label : data["calls"]["label"]) {
    shown.push_back(data["names"][label.get<std::size_t>()]);
  }
  EXPECT_THAT(shown, testing::ElementsAre("all", "main", "c", "a", "b", "x"));
  EXPECT_EQ(data["calls"]["up"], nlohmann::json({0, 1, 1, 2, 3, 5}));
}

TEST(FlameDocument, ShipsValuesAsTextsWhereJavaScriptWouldRound) {
  constexpr Count k_greatest_exact = (Count{1} << 53U) - 1;
  const Recording nothing = recording_of({{"m < main", 0}});
  const Recording exact = recording_of({{"m < main", k_greatest_exact}});
  EXPECT_EQ(data_of(nothing, exact)["measures"][0]["after"], nlohmann::json({0, 0, k_greatest_exact}));
  const Recording rounding = recording_of({{"m < main", k_greatest_exact}, {"main", 1}});
  EXPECT_EQ(data_of(nothing, rounding)["measures"][0]["after"], nlohmann::json({"0", "1", "9007199254740991"}));
}

TEST(FlameDocument, KeepsNamesOfAnyKind) {
  const std::string name = "</script>\"'\n\xff" + std::string(4000, 'x');
  Recording recording;
  recording.add_measure({"allocations", "count", {}});
  Frame frame;
  frame.function = recording.text(name);
  const std::array<Count, 1> value = {1};
  ASSERT_TRUE(recording.add(recording.called_from(0, recording.frame(frame)), value));
  const nlohmann::json data = data_of(recording, recording);
  EXPECT_EQ(data["names"][1], "</script>\"'\n\uFFFD" + std::string(4000, 'x'));
  EXPECT_THAT(page_of(recording, recording), Not(HasSubstr("\xff")));
}

}  // namespace
}  // namespace allocgate
