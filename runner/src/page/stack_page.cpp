// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "page/stack_page.hpp"

#include "base/text.hpp"
#include "base/version.hpp"
#include "page/page_parts.hpp"
#include "page/page_sources.hpp"
#include "page/summary.hpp"
#include "recordings/byte_source.hpp"
#include "recordings/formats.hpp"
#include "stacks/flame_tree.hpp"
#include "stacks/function_name.hpp"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <string_view>
#include <vector>

namespace allocgate {

namespace {

// A page must stay one that a browser opens at once. What would be larger than this when compressed is made with the
// command instead; of so many stacks it is for certain.
constexpr std::size_t k_most_inside = std::size_t{4} << 20U;
constexpr std::size_t k_most_stacks_inside = 400'000;

/// A file that the page offers.
struct Download {
  std::string file;
  std::string what;
  std::string command;              // that makes it, where it is too large to be inside; empty without a file to name
  std::optional<std::string> gzip;  // nothing: too large
  bool inflated = true;             // it is saved as it was before it was gzipped
};

std::string download_element(const Download& download) {
  if (!download.gzip || download.gzip->size() > k_most_inside) {
    const std::string made_by =
        download.command.empty() ? "" : fmt::format(", made by <code>{}</code>", html_escaped(download.command));
    return fmt::format("<li>{}: too large to be inside{}</li>\n", html_escaped(download.what), made_by);
  }
  return fmt::format(
      "<li><script type=\"application/gzip+base64\" data-file=\"{}\" data-what=\"{}\" data-inflated=\"{}\">{}</script>"
      "</li>\n",
      html_escaped(download.file), html_escaped(download.what), download.inflated, base64(*download.gzip));
}

/// A recording by its name.
struct Named {
  const Recording& recording;
  std::string name;
  bool is_file = true;

  [[nodiscard]] std::string full() const { return is_file ? shown_file(name) : name; }
  [[nodiscard]] std::string short_name() const { return is_file ? std::string(file_name_of(full())) : name; }
};

/// pprof and speedscope of one recording.
void add_recording(std::vector<Download>& downloads, const std::string& base, const std::string& role,
                   const Named& side) {
  const Recording& recording = side.recording;
  const auto command = [&](std::string_view format, const std::string& file) {
    return side.is_file ? fmt::format("allocgate stacks {} --format {} -o {}", shell_quoted(side.name), format, file)
                        : std::string();
  };
  const std::string pprof = base + ".pb.gz";
  const std::string speedscope = base + ".speedscope.json";
  downloads.push_back({pprof, "pprof" + role, command("pprof", pprof), {}, false});
  downloads.push_back({speedscope, "speedscope" + role, command("speedscope", speedscope), {}});
  if (recording.entry_count() <= k_most_stacks_inside) {
    downloads[downloads.size() - 2].gzip = to_pprof(recording);
    downloads.back().gzip = gzipped(to_speedscope(recording, side.short_name()));
  }
}

struct Contents {
  std::string title;
  std::string_view help;  // how to read the picture
  std::string summary;
  std::string data;
  std::vector<Download> downloads;
};

std::string page_of(const Contents& contents) {
  const PageSources& sources = page_sources();
  const std::string policy =
      fmt::format("default-src 'none'; script-src {}; style-src {}; base-uri 'none'; form-action 'none'",
                  policy_hash(sources.script_digest), policy_hash(sources.style_digest));
  std::string downloads;
  for (const Download& download : contents.downloads) {
    downloads += download_element(download);
  }
  const std::string title = html_escaped(contents.title);
  const std::string made_with = fmt::format("allocgate {}", version());
  const std::string data = base64(gzipped(contents.data));
  const auto fillings = std::to_array<Filling>({{"policy", policy},
                                                {"title", title},
                                                {"style", sources.style},
                                                {"summary", contents.summary},
                                                {"help", contents.help},
                                                {"downloads", downloads},
                                                {"made_with", made_with},
                                                {"data", data},
                                                {"script", sources.script}});
  return filled(sources.html, fillings);
}

}  // namespace

std::string stack_diff_page(const StackDiff& diff, const Recording& before, const Recording& after,
                            const PageNames& sides) {
  const Named old_side{before, sides.names.before, sides.are_files};
  const Named new_side{after, sides.names.after, sides.are_files};
  Contents contents;
  contents.title = fmt::format("{} → {}: difference in {}", old_side.short_name(), new_side.short_name(),
                               diff.measures()[diff.measure()].name);
  contents.help =
      "A box is a call, below its caller; its width is the greater of before and after, so that what vanished is there "
      "too. ▲ is more, ▼ less than before. A pair is drawn under its names after.";
  contents.summary = difference_summary(diff, before, after, {old_side.full(), new_side.full()});
  contents.data = flame_tree_to_json(make_flame_tree(diff), diff, true);
  contents.downloads.push_back({"difference.folded",
                                "folded stacks, both counts",
                                sides.are_files
                                    ? fmt::format("allocgate diff {} {} --format folded -o difference.folded",
                                                  shell_quoted(old_side.name), shell_quoted(new_side.name))
                                    : std::string(),
                                {}});
  if (diff.rows().size() <= k_most_stacks_inside) {
    contents.downloads.back().gzip = gzipped(to_folded(diff));
  }
  add_recording(contents.downloads, "before", " before", old_side);
  add_recording(contents.downloads, "after", " after", new_side);
  return page_of(contents);
}

std::string stacks_page(const Recording& recording, std::size_t measure, bool per_iteration, const std::string& name) {
  // A recording is its own difference from one that has nothing.
  Recording nothing;
  nothing.has_modules = recording.has_modules;
  nothing.iterations = recording.iterations;
  for (const RecordedMeasure& known : recording.measures()) {
    nothing.add_measure(known);
  }
  DiffOptions options;
  options.measure = recording.measures()[measure].name;
  options.pair = false;
  options.totals = !per_iteration;
  const StackDiff diff(nothing, recording, options);
  const Named named{recording, name};

  Contents contents;
  contents.title = fmt::format("{}: {}", named.short_name(), options.measure);
  contents.help =
      "A box is a call, below its caller; its width is its share of everything. Colours tell neighbours apart and mean "
      "nothing.";
  contents.summary = recording_summary(diff, recording, named.full());
  contents.data = flame_tree_to_json(make_flame_tree(diff), diff, false);
  contents.downloads.push_back({"stacks.folded",
                                "folded stacks",
                                fmt::format("allocgate stacks {} --format folded --measure {} -o stacks.folded",
                                            shell_quoted(name), shell_quoted(options.measure)),
                                {}});
  if (recording.entry_count() <= k_most_stacks_inside) {
    contents.downloads.back().gzip = gzipped(to_folded(recording, measure));
  }
  add_recording(contents.downloads, "stacks", "", named);
  return page_of(contents);
}

}  // namespace allocgate
