# SPDX-License-Identifier: Apache-2.0
# Copyright the allocgate authors
"""ci/check_includes finds each kind of planted violation, and nothing in a tree that keeps the rules."""

import json
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

CI = Path(__file__).resolve().parent.parent
TOP = "// SPDX-License-Identifier: Apache-2.0\n// Copyright the allocgate authors\n"


class CheckIncludesTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        self.write("runner/src/base/error.hpp", "#pragma once\n#include <string>\nstruct Error { std::string text; };\n")
        self.write("runner/src/cli/run_cli.hpp", "#pragma once\n#include <CLI/CLI.hpp>\n")
        self.write("hooks/include/allocgate/hooks.h", "#ifndef H\n#define H\n#include <stdint.h>\n#endif\n")
        (self.root / "ci").mkdir()
        shutil.copy(CI / "include_rules.txt", self.root / "ci")

    def write(self, name, text, top=TOP):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(top + text)

    def check(self, *arguments):
        run = subprocess.run([sys.executable, CI / "check_includes", "--root", self.root, *arguments],
                             capture_output=True, text=True)
        self.assertEqual(run.stderr, "")
        return run.returncode, run.stdout

    def assert_found(self, place, *arguments):
        code, output = self.check(*arguments)
        self.assertEqual(code, 1, output)
        self.assertEqual([line for line in output.splitlines() if not line.startswith(place)], [], "only the planted")

    def test_a_tree_that_keeps_the_rules_passes(self):
        self.write("runner/src/model/result.hpp", '#pragma once\n#include "base/error.hpp"\n#include <vector>\n')
        self.write("hooks/src/counters.cpp", "#include <allocgate/hooks.h>\n#include <atomic>\n")
        code, output = self.check()
        self.assertEqual((code, output.count("\n")), (0, 1), output)

    def test_an_include_against_the_direction(self):
        self.write("runner/src/model/result.hpp", '#pragma once\n#include "cli/run_cli.hpp"\n')
        self.assert_found("runner/src/model/result.hpp:4: runner/src/model may not include runner/src/cli")

    def test_hooks_including_the_runner(self):
        self.write("hooks/src/counters.cpp", '#include "../../runner/src/base/error.hpp"\n')
        self.assert_found("hooks/src/counters.cpp:3: hooks/src may not include runner/src/base")

    def test_a_library_outside_its_folder(self):
        self.write("runner/src/report/text.cpp", "#include <nlohmann/json.hpp>\n")
        self.assert_found("runner/src/report/text.cpp:3: runner/src/report may not include <nlohmann/json.hpp>")

    def test_the_cxx_run_time_in_the_hooks(self):
        self.write("hooks/src/counters.cpp", "#include <vector>\n")
        self.assert_found("hooks/src/counters.cpp:3: hooks/src may not include <vector>")

    def test_input_and_output_in_a_pure_folder(self):
        self.write("runner/src/compare/judge.cpp", "#include <fstream>\n")
        self.assert_found("runner/src/compare/judge.cpp:3: runner/src/compare may not include <fstream>")

    def test_a_quoted_include_of_nothing_of_ours(self):
        self.write("runner/src/base/text.cpp", '#include "string_helpers.hpp"\n')
        self.assert_found("runner/src/base/text.cpp:3: no file of ours")

    def test_a_folder_without_a_rule(self):
        self.write("tools/helper.cpp", "")
        self.assert_found("tools/helper.cpp:1: no row")

    def test_a_long_file(self):
        self.write("runner/src/base/text.cpp", "\n" * 399)
        self.assert_found("runner/src/base/text.cpp:401: more than 400 lines")

    def test_missing_lines_at_the_top(self):
        self.write("runner/src/base/text.cpp", "", top="// Copyright the allocgate authors\n")
        self.assert_found("runner/src/base/text.cpp:1: no line 'SPDX")
        self.write("runner/src/base/text.cpp", "", top="// SPDX-License-Identifier: Apache-2.0\n")
        self.assert_found("runner/src/base/text.cpp:1: no line 'Copyright")

    def test_a_header_that_does_not_compile_alone(self):
        commands = self.root / "compile_commands.json"
        commands.write_text(json.dumps([{
            "directory": str(self.root), "file": "runner/src/base/error.cpp",
            "command": f"c++ -std=c++20 -I{self.root}/runner/src -o error.o -c error.cpp"}]))
        shutil.rmtree(self.root / "runner/src/cli")
        self.assertEqual(self.check("--compile-commands", commands)[0], 0)
        self.write("runner/src/base/text.hpp", "#pragma once\nstd::string trimmed();\n")
        self.assert_found("runner/src/base/text.hpp:1: does not compile alone as C++", "--compile-commands", commands)

    def test_scripts_and_styles_keep_the_rules_of_every_source(self):
        self.write("runner/src/page/page.js", "x;\n" * 399)
        self.assert_found("runner/src/page/page.js:401: more than 400 lines")
        self.write("runner/src/page/page.js", "")
        self.write("runner/src/page/page.css", "a { color: red; }\n", top="")
        self.assert_found("runner/src/page/page.css:1: no line ")


if __name__ == "__main__":
    unittest.main()
