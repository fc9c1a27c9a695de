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
#include <vector>

namespace allocgate {

namespace {

// A page must stay one that a browser opens at once: what is larger than this, compressed, is made with the command.
constexpr std::size_t k_most_inside = std::size_t{4} << 20U;

/// The name of a recording without its folders.
std::string shown_name_of(const std::string& file) {
  return std::string(file_name_of(shown_file(file)));
}

/// A file that the page offers, gzipped. `inflated`: it is saved as it was before that.
struct Download {
  std::string file;
  std::string what;
  std::string gzip;
  bool inflated = true;
  std::string command;  // that makes it, where it is too large to be inside
};

std::string download_element(const Download& download) {
  if (download.gzip.size() > k_most_inside) {
    return fmt::format("<li>{} (too large to be inside: <code>{}</code>)</li>\n", html_escaped(download.what),
                       html_escaped(download.command));
  }
  return fmt::format(
      "<li><script type=\"application/gzip+base64\" data-file=\"{}\" data-what=\"{}\" data-inflated=\"{}\">{}</script>"
      "</li>\n",
      html_escaped(download.file), html_escaped(download.what), download.inflated, base64(download.gzip));
}

/// pprof and speedscope of one recording.
void add_recording(std::vector<Download>& downloads, const std::string& base, const std::string& role,
                   const Recording& recording, const std::string& name) {
  const auto command = [&name](std::string_view format, std::string_view output) {
    return fmt::format("allocgate stacks {} --format {} -o {}", shell_quoted(name), format, output);
  };
  downloads.push_back({base + ".pb.gz", "pprof" + role, to_pprof(recording), false, command("pprof", base + ".pb.gz")});
  downloads.push_back({base + ".speedscope.json", "speedscope" + role,
                       gzipped(to_speedscope(recording, shown_name_of(name))), true,
                       command("speedscope", base + ".speedscope.json")});
}

struct Contents {
  std::string title;
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
                                                {"downloads", downloads},
                                                {"made_with", made_with},
                                                {"data", data},
                                                {"script", sources.script}});
  return filled(sources.html, fillings);
}

}  // namespace

std::string stack_diff_page(const StackDiff& diff, const Recording& before, const Recording& after,
                            const DiffNames& names) {
  Contents contents;
  contents.title = fmt::format("{} → {}: difference in {}", shown_name_of(names.before), shown_name_of(names.after),
                               diff.measures()[diff.measure()].name);
  contents.summary = difference_summary(diff, before, after, {shown_file(names.before), shown_file(names.after)});
  contents.data = flame_tree_to_json(make_flame_tree(diff), diff, true);
  contents.downloads.push_back({"difference.folded", "folded stacks, both counts", gzipped(to_folded(diff)), true,
                                fmt::format("allocgate diff {} {} --format folded -o difference.folded",
                                            shell_quoted(names.before), shell_quoted(names.after))});
  add_recording(contents.downloads, "before", " before", before, names.before);
  add_recording(contents.downloads, "after", " after", after, names.after);
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

  Contents contents;
  contents.title = fmt::format("{}: {}", shown_name_of(name), options.measure);
  contents.summary = recording_summary(diff, recording, shown_file(name));
  contents.data = flame_tree_to_json(make_flame_tree(diff), diff, false);
  contents.downloads.push_back({"stacks.folded", "folded stacks", gzipped(to_folded(recording, measure)), true,
                                fmt::format("allocgate stacks {} --format folded --measure {} -o stacks.folded",
                                            shell_quoted(name), shell_quoted(options.measure))});
  add_recording(contents.downloads, "stacks", "", recording, name);
  return page_of(contents);
}

}  // namespace allocgate
