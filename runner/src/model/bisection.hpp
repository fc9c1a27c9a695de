// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#pragma once

#include "model/measured_value.hpp"

#include <cstddef>
#include <string>
#include <vector>

// What a search along commits or toolchains found. Plain values.
namespace allocgate {

/// One place on the line that is searched.
struct AxisPoint {
  std::string name;     // a commit's 40 digits, or a toolchain's name
  std::string subject;  // the first line of the commit's message; the toolchain's variables
  std::string date;     // of the commit, RFC 3339; empty for toolchains
};

/// One that could not be measured.
struct SkippedPoint {
  AxisPoint point;
  std::string reason;  // one sentence, and what the build printed last
};

/// Where the value changed: at `point`, from that of the point before it which could be measured.
struct BisectionStep {
  AxisPoint point;
  AxisPoint previous;
  MeasuredValue before;
  MeasuredValue after;
  Count delta = 0;                    // after - before
  std::vector<SkippedPoint> skipped;  // between the two: the change may be theirs
  std::string merged_by;              // the merge that brought it into the line; empty when it is on it
  std::string note;                   // a sentence; empty as a rule
  std::string stacks;                 // which call stacks changed, as text; empty without --stacks
};

enum class BisectionAxis { commits, toolchain };

struct Bisection {
  std::string workload;
  std::string measure;
  std::string unit;
  BisectionAxis axis = BisectionAxis::commits;
  AxisPoint good;
  AxisPoint bad;
  MeasuredValue good_value;
  MeasuredValue bad_value;
  std::size_t points = 0;             // after the good end, with the bad one
  std::vector<BisectionStep> steps;   // in the order of the line
  std::vector<SkippedPoint> skipped;  // all that could not be measured
  std::size_t measured = 0;           // points whose value is known
  std::size_t remembered = 0;         // of these and of the skipped, without building anything
  std::size_t builds = 0;
  bool first_only = false;  // only the first step was looked for
  std::vector<std::string> notes;
};

}  // namespace allocgate
