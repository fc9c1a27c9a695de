// SPDX-License-Identifier: Apache-2.0
// Copyright the allocgate authors
#include "cli/run_cli.hpp"

int main(int argc, char** argv) {
  return allocgate::run_cli(argc, argv);
}
