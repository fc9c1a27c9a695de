// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "process/perf_events.hpp"

#include "process/environment.hpp"
#include "process/launcher.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <linux/perf_event.h>

namespace allocgate {
namespace {

using testing::AnyOf;
using testing::Contains;
using testing::HasSubstr;

TEST(PerfEvents, AreKnownByTheirNames) {
  const auto cycles = perf_event_named("cycles");
  ASSERT_TRUE(cycles);
  EXPECT_EQ(cycles->type, static_cast<std::uint32_t>(PERF_TYPE_HARDWARE));
  EXPECT_TRUE(cycles->user_only);
  EXPECT_FALSE(perf_event_named("context-switches")->user_only) << "they happen in the kernel";
  EXPECT_FALSE(perf_event_named("cycle"));
  EXPECT_FALSE(perf_event_named(""));
  EXPECT_THAT(perf_event_names(), Contains("cache-misses"));
}

TEST(PerfEvents, MayBeRaw) {
  const auto raw = perf_event_named("r01c4");
  ASSERT_TRUE(raw);
  EXPECT_EQ(raw->type, static_cast<std::uint32_t>(PERF_TYPE_RAW));
  EXPECT_EQ(raw->config, 0x1c4U);
  EXPECT_FALSE(perf_event_named("r"));
  EXPECT_FALSE(perf_event_named("r01x"));
}

TEST(PerfEvents, SayWhyTheyAreRefused) {
  const PerfEvent nonsense{12345, 0, true};
  const auto refusal = refusal_of_perf_event(nonsense, "nonsense");
  ASSERT_TRUE(refusal);
  EXPECT_THAT(*refusal, HasSubstr("nonsense is not counted: "));
}

TEST(PerfEvents, CountAProgramAndItsChildrenFromTheirExec) {
  const PerfEvent faults = *perf_event_named("page-faults");
  if (const auto refusal = refusal_of_perf_event(faults, "page-faults")) {
    GTEST_SKIP() << *refusal;
  }
  const auto faults_of = [&faults](const char* script) {
    LaunchSpec spec;
    spec.argv = {"/bin/sh", "-c", script};
    spec.environment = Environment::fixed().entries();
    spec.events = {faults};
    PosixLauncher launcher;
    const LaunchOutcome outcome = launcher.launch(spec);
    EXPECT_EQ(outcome.used.events.size(), 1U);
    EXPECT_EQ(outcome.used.events.front().enabled_ns, outcome.used.events.front().running_ns);
    return outcome.used.events.front().value;
  };
  const std::uint64_t alone = faults_of("true");
  EXPECT_GT(alone, 0U);
  EXPECT_GT(faults_of("/bin/true; /bin/true; /bin/true; /bin/true"), 2 * alone);
}

}  // namespace
}  // namespace allocgate
