// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "report/layer_report.hpp"

#include "example_documents.hpp"

#include <gtest/gtest.h>

namespace allocgate {
namespace {

TEST(LayerReport, ShowsTheWholeItsLayersAndTheRest) {
  const Comparison comparison = full_comparison();
  EXPECT_EQ(layer_report(comparison.stacks, comparison.labels, Style(), 80),
            "allocations per iteration  a.json  b.json\n"
            "http/requests                  20      21\n"
            "+ codec: 2 x http/parse        10      10\n"
            "+ core: asio/ping_pong        0.5       -\n"
            "+ the rest                    9.5       -\n"
            "\n"
            "(a layer alone is its own workload; the rest is what putting them together adds)\n");
  EXPECT_EQ(layer_report({}, comparison.labels, Style(), 80), "");
}

TEST(LayerReport, WritesMarkdown) {
  const Comparison comparison = full_comparison();
  const std::string text = layer_markdown(comparison.stacks, comparison.labels);
  EXPECT_NE(text.find("| + codec: 2 x http/parse | 10 | 10 |\n"), std::string::npos) << text;
}

}  // namespace
}  // namespace allocgate
