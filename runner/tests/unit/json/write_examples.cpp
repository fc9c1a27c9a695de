// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors

// Writes one document of each format into a folder, for check_schemas.py: NAME.json and NAME.*.json are to
// follow NAME.schema.json.
#include "example_documents.hpp"
#include "example_searches.hpp"
#include "example_stacks.hpp"

#include "base/error.hpp"
#include "base/file.hpp"
#include "json/documents.hpp"

#include <cstdio>

int main(int argc, char** argv) {
  using namespace allocgate;
  if (argc != 2) {
    std::fputs("usage: allocgate_write_examples FOLDER\n", stderr);
    return static_cast<int>(ExitCode::usage);
  }
  try {
    const std::filesystem::path folder = argv[1];
    write_file_atomically(folder / "result.json", result_to_json(full_result()));
    write_file_atomically(folder / "baseline.json", baseline_to_json(full_baseline()));
    write_file_atomically(folder / "configuration.json", configuration_to_json(full_configuration()));
    write_file_atomically(folder / "judgement.json", judgement_to_json(full_judgement()));
    write_file_atomically(folder / "comparison.json", comparison_to_json(full_comparison()));
    write_file_atomically(folder / "bisection.json", bisection_to_json(full_bisection()));
    write_file_atomically(folder / "matrix.json", matrix_to_json(full_matrix(), {{"The revision moved it."}}));
    for (const auto& [name, document] : stack_documents()) {
      write_file_atomically(folder / name, document);
    }
  } catch (const Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return static_cast<int>(error.code());
  }
  return 0;
}
