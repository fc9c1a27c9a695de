// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "model/result.hpp"
#include "model/verdict.hpp"

#include <string>
#include <string_view>

namespace allocgate {

/// A judgement as JUnit XML in the subset that GitLab and Jenkins both read; runner/tests/cli/junit.xsd is its schema.
///
/// One test suite a suite, one test case a series that is gated, or would be by default, or has something to say; one
/// more for a verdict on a whole workload. Its class name is "allocgate." and the suite, its name the workload and the
/// measure. A regression or leak is a failure; what could not be measured, compared or seen is an error; what is not
/// judged is skipped. The text of the element says everything, because GitLab shows nothing else. Characters that XML
/// does not allow, and bytes that are not UTF-8, become U+FFFD.
std::string junit_report(const Result& result, const Judgement& judgement);

/// `text` for an attribute or an element: markup escaped, and what XML 1.0 does not allow replaced by U+FFFD.
std::string xml_escaped(std::string_view text);

}  // namespace allocgate
