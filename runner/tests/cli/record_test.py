# SPDX-License-Identifier: Apache-2.0
# Copyright the allocgate authors
"""`allocgate record` on real programs: what is in the file, read back by `stacks`, and what is said of it."""

import json
import os
import pathlib
import platform
import shutil
import signal
import subprocess
import unittest

from command_under_test import ALLOCGATE, FolderTest, environment, is_alive, run, wait_until

PROJECTS = pathlib.Path(__file__).parent / "projects"
CAN_RECORD = platform.system() == "Linux" and platform.machine() == "x86_64"

# Two planted sites, one of them inlined into main, with counts and sizes that nothing else has.
SITES = """#include <cstdlib>
#include <sys/wait.h>
#include <unistd.h>
__attribute__((noinline)) void* kept(std::size_t size) {
  void* block = std::malloc(size);  // line 5
  asm volatile("" ::"r"(block) : "memory");
  return block;
}
static inline __attribute__((always_inline)) void* given_back(std::size_t size) {
  void* block = std::calloc(1, size);  // line 10
  asm volatile("" ::"r"(block) : "memory");
  return block;
}
int main(int, char** argv) {
  for (int i = 0; i < 300; ++i) {
    asm volatile("" ::"r"(kept(1000)) : "memory");
  }
  for (int i = 0; i < 200; ++i) {
    std::free(given_back(50));  // line 19
  }
  if (argv[1] != nullptr && fork() == 0) {
    asm volatile("" ::"r"(kept(7)) : "memory");
    _exit(0);
  }
  wait(nullptr);
  return 3;
}
"""


class RecordTest(FolderTest):
    def setUp(self):
        super().setUp()
        if not CAN_RECORD:
            self.skipTest("call stacks are recorded on Linux on x86_64 alone")
        self.file = self.folder / "recording.pb.gz"
        self.variables = {"XDG_CACHE_HOME": self.folder / "cache"}

    def compile(self, name, source, *options):
        (self.folder / f"{name}.cpp").write_text(source)
        done = subprocess.run([os.environ["CXX_FOR_TESTS"], "-O2", "-g", "-o", name, f"{name}.cpp", *options],
                              cwd=self.folder, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return self.folder / name

    def record(self, *arguments, status=0, **options):
        done = run("record", "--output", self.file, *arguments, env=environment(**self.variables), **options)
        self.assertEqual(done.returncode, status, done.stderr)
        return done

    def stacks(self):
        done = run("stacks", self.file, "--format", "json", "--totals")
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def frames_of(self, recording, function):
        """The (function, "file:line") of each frame of the one stack that begins in `function`."""
        found = [stack for stack in recording["stacks"] if stack["frames"][0] == function]
        self.assertEqual(len(found), 1, function)
        return [(name, pathlib.Path(place).name) for name, place in zip(found[0]["frames"], found[0]["places"])]


class Record(RecordTest):
    def test_names_sites_with_file_line_and_inlined_calls(self):
        program = self.compile("sites", SITES)
        done = self.record("--", program, status=3)
        recording = self.stacks()
        counts = {stack["frames"][0]: stack["measures"] for stack in recording["stacks"]}
        self.assertEqual(counts["kept(unsigned long)"], {"allocations": 300, "allocated_bytes": 300_000})
        self.assertEqual(counts["given_back"], {"allocations": 200, "allocated_bytes": 10_000})
        self.assertEqual(self.frames_of(recording, "kept(unsigned long)")[:2],
                         [("kept(unsigned long)", "sites.cpp:5"), ("main", "sites.cpp:16")])
        self.assertEqual(self.frames_of(recording, "given_back")[:2],
                         [("given_back", "sites.cpp:10"), ("main", "sites.cpp:19")])
        self.assertRegex(done.stderr, r"300 .* 300 000 +kept +sites.cpp:5\n")
        self.assertRegex(done.stderr, r"200 .* 10 000 +given_back +sites.cpp:10\n")
        self.assertIn("adds up to the counters exactly", done.stderr)
        self.assertIn(f"stacks {self.file}", done.stderr)
        self.assertEqual(done.stdout, "")

    def test_adds_up_to_what_stat_counts(self):
        # No shell: it allocates for each variable of the environment, and recording takes one more.
        for command in (["ls", "-l", "/"], ["timeout", "100", "sort", "/etc/passwd"],
                        [self.compile("sites", SITES), "fork"]):
            with self.subTest(command=command):
                counted = run("stat", "--format", "json", "--output", self.folder / "stat.json", "--", *command,
                              env=environment(**self.variables))
                workload = json.loads((self.folder / "stat.json").read_text())["workloads"][0]
                self.record("--", *command, status=counted.returncode)
                totals = self.stacks()["total"]
                for measure in ("allocations", "allocated_bytes"):
                    self.assertEqual(totals[measure], workload["measures"][measure]["median"], measure)

    def test_follows_children_unless_told_otherwise(self):
        program = self.compile("sites", SITES)
        self.record("--", program, "fork", status=3)
        self.assertEqual(self.of_function("kept(unsigned long)"), 301)
        self.record("--no-children", "--", program, "fork", status=3)
        self.assertEqual(self.of_function("kept(unsigned long)"), 300)

    def of_function(self, name):
        done = run("stacks", self.file, "--by", "function", "--format", "json", "--totals")
        groups = {group["name"]: group["measures"]["allocations"] for group in json.loads(done.stdout)["groups"]}
        return groups[name]

    def test_leaves_inlined_calls_out(self):
        self.record("--no-inlines", "--", self.compile("sites", SITES), status=3)
        self.assertEqual(self.frames_of(self.stacks(), "main")[0], ("main", "sites.cpp:19"))

    def test_names_what_has_no_debug_data_by_its_symbols(self):
        program = self.compile("sites", SITES)
        subprocess.run(["strip", "--strip-debug", program], check=True)
        self.record("--", program, status=3)
        self.assertEqual(self.of_function("kept(unsigned long)"), 300)
        subprocess.run(["strip", program], check=True)
        self.record("--", program, status=3)
        totals = [stack["measures"]["allocations"] for stack in self.stacks()["stacks"]]
        self.assertEqual(sorted(totals)[-2:], [200, 300], "counts do not depend on names")

    def test_says_once_when_the_file_is_another_by_then(self):
        program = self.compile("sites", SITES)
        other = self.compile("other", SITES.replace("300", "30"))
        script = self.script("replace", f"#!/bin/sh\n{program}\ncp -f {other} {program}.new; mv {program}.new {program}\n")
        done = self.record("--", script)
        self.assertEqual(done.stderr.count(f"{program} is not the file any more that ran"), 1, done.stderr)
        recording = self.stacks()
        self.assertIn(300, [stack["measures"]["allocations"] for stack in recording["stacks"]])
        self.assertNotIn("kept", json.dumps(recording["stacks"]))

    def test_ends_with_codes_of_its_own(self):
        self.record("--", "no-such-program-here", status=127)
        self.record("--", self.folder, status=126)
        self.record("--timeout", "0.2", "--", "sleep", "100", status=125)
        for wrong in ([], ["--workload", "noop", "--", "true"], ["--suite", "x", "--", "true"],
                      ["--output", self.folder, "--", "true"]):
            self.assertEqual(run("record", *wrong, cwd=self.folder).returncode, 64, wrong)
        self.assertFalse(self.file.exists())

    def test_ends_as_a_killed_command_and_keeps_what_it_did(self):
        done = self.record("--", "sh", "-c", "kill -9 $$", status=137)
        self.assertIn("adds up to the counters exactly", done.stderr)
        self.assertGreater(self.stacks()["total"]["allocations"], 0)

    def test_an_interrupt_is_the_commands_own(self):
        ready = self.folder / "ready"
        (self.folder / "records").mkdir()
        process = subprocess.Popen(
            [ALLOCGATE, "record", "--output", self.file, "--", "sh", "-c", f"echo $$ > {ready}; exec sleep 1000"],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
            env=environment(ALLOCGATE_RECORD_DIR=self.folder / "records", **self.variables))
        wait_until(lambda: ready.exists() and ready.read_text().strip(), "the command")
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130, err)
        self.assertFalse(is_alive(int(ready.read_text())))
        self.assertEqual(list((self.folder / "records").iterdir()), [])
        self.assertGreater(self.stacks()["total"]["allocations"], 0, "what it did until then is recorded whole")

    def test_a_write_that_fails_leaves_the_old_file(self):
        self.file.write_text("old")
        done = run("record", "--output", "/dev/full", "--", "true", env=environment(**self.variables))
        self.assertEqual(done.returncode, 125, done.stderr)
        self.assertEqual(self.file.read_text(), "old")

    def test_says_how_blocks_lived(self):
        program = self.compile("sites", SITES)
        done = run("record", "--live", "--output", self.file, "--", program, env=environment(**self.variables))
        self.assertEqual(done.returncode, 3, done.stderr)
        measures = {stack["frames"][0]: stack["measures"] for stack in self.stacks()["stacks"]}
        self.assertEqual(measures["kept(unsigned long)"]["deallocations"], 0)
        self.assertEqual(measures["given_back"]["deallocations"], 200)
        self.assertEqual(measures["given_back"]["live_allocations"], 0)


class SymbolCache(RecordTest):
    def test_gives_the_same_bytes_and_survives_damage(self):
        program = self.compile("sites", SITES)
        self.record("--no-symbol-cache", "--", program, status=3)
        without = self.file.read_bytes()
        self.assertFalse((self.folder / "cache").exists())
        self.record("--", program, status=3)
        self.assertEqual(self.file.read_bytes(), without)
        entries = list((self.folder / "cache/allocgate/symbols").iterdir())
        self.assertGreater(len(entries), 0)
        for damage in (lambda content: content, lambda content: content[:-5], lambda content: b"\0" * 100,
                       lambda content: content.replace(b"kept", b"lost")):
            for entry in entries:
                entry.write_bytes(damage(entry.read_bytes()))
            self.record("--", program, status=3)
            self.assertEqual(self.file.read_bytes(), without)

    def test_may_be_used_by_several_at_once(self):
        program = self.compile("sites", SITES)
        files = [self.folder / f"{number}.pb.gz" for number in range(6)]
        started = [subprocess.Popen([ALLOCGATE, "record", "--output", file, "--", program], stdin=subprocess.DEVNULL,
                                    stderr=subprocess.DEVNULL, env=environment(**self.variables)) for file in files]
        self.assertEqual({process.wait(timeout=60) for process in started}, {3})
        self.assertEqual(len({file.read_bytes() for file in files}), 1)


class RecordWorkload(RecordTest):
    def test_the_loop_of_a_google_benchmark_program(self):
        (self.folder / "bench.cpp").write_text((PROJECTS / "google_benchmark/bench.cpp").read_text())
        built = subprocess.run([os.environ["CXX_FOR_TESTS"], "-O1", "-g", "-o", "bench", "bench.cpp", "-lbenchmark",
                                "-lpthread"], cwd=self.folder, capture_output=True, text=True, check=False)
        self.assertEqual(built.returncode, 0, built.stderr)
        suite = ("--suite", self.folder / "bench")
        name = json.loads(run("list", *suite, "--format", "json").stdout)["workloads"][0]["name"]
        self.record(*suite, "--workload", name)
        counted = json.loads(run("run", *suite, name, "--quick", "--format", "json").stdout)["workloads"][0]
        recording = self.stacks()
        self.assertEqual(recording["iterations"], counted["iterations"])
        self.assertEqual(recording["total"]["allocations"], counted["measures"]["allocations"]["median"])
        self.assertIn("answer(benchmark::State&)", " ".join(recording["stacks"][0]["frames"]))

    def test_a_configured_command_over_its_iterations(self):
        shutil.copytree(PROJECTS / "c", self.folder / "c")
        built = subprocess.run([os.environ["CC_FOR_TESTS"], "-O1", "-g", "-o", "count", "count.c"],
                               cwd=self.folder / "c", capture_output=True, text=True, check=False)
        self.assertEqual(built.returncode, 0, built.stderr)
        name = json.loads((self.folder / "c/allocgate.json").read_text())["workloads"][0]["name"]
        self.record("--workload", name, cwd=self.folder / "c")
        counted = json.loads(run("run", name, "--quick", "--format", "json", cwd=self.folder / "c").stdout)["workloads"][0]
        recording = self.stacks()
        self.assertEqual(recording["iterations"], counted["iterations"])
        self.assertEqual(recording["total"]["allocations"], counted["measures"]["allocations"]["median"])

    def test_one_that_is_not_there(self):
        done = self.record("--workload", "asio/no_such_workload", status=64)
        self.assertIn("no workload matches", done.stderr)


PLANTED_IN_BEAST = """
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
int main() {
  for (int i = 0; i < 10; ++i) {
    boost::beast::http::fields fields;
    fields.set("X-Name", "value");
    fields.set(boost::beast::http::field::host, "localhost");
  }
}
"""


BEAST_BENCHMARK = """
#include <benchmark/benchmark.h>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
static void header(benchmark::State& state) {
  for (auto _ : state) {
    boost::beast::http::fields fields;
    fields.set("X-Name", "value");
  }
}
BENCHMARK(header);
BENCHMARK_MAIN();
"""


class Beast(RecordTest):
    """An allocation planted into a copy of a header of Boost.Beast is found, with its function, file and line."""

    def plant(self):
        """The folder of headers with the planted one, and the place of its allocation."""
        header = "boost/beast/http/impl/fields.hpp"
        installed = pathlib.Path("/usr/include") / header
        if not installed.exists():
            self.skipTest("Boost.Beast is not installed (Debian: libboost1.81-dev)")
        lines = installed.read_text().splitlines()
        begin = next(number for number, line in enumerate(lines) if line.startswith("new_element("))
        body = next(number for number in range(begin, len(lines)) if lines[number] == "{")
        lines.insert(body + 1, '    void* planted = ::malloc(12345); asm volatile("" :: "r"(planted) : "memory");')
        copy = self.folder / "include" / header
        copy.parent.mkdir(parents=True)
        copy.write_text("\n".join(lines) + "\n")
        return self.folder / "include", f"{copy}:{body + 2}"

    def test_planted_allocation(self):
        include, place = self.plant()
        program = self.compile("beast", PLANTED_IN_BEAST, "-I", include)
        self.record("--", program)
        planted = [stack for stack in self.stacks()["stacks"]
                   if stack["measures"]["allocated_bytes"] == 12345 * stack["measures"]["allocations"]]
        self.assertEqual(sum(stack["measures"]["allocations"] for stack in planted), 20)
        for stack in planted:
            self.assertIn("boost::beast::http::basic_fields<std::allocator<char> >::new_element(", stack["frames"][0])
            self.assertEqual(stack["places"][0], place)
            self.assertIn("main", stack["frames"])

    def test_the_planted_one_is_the_only_difference_and_in_the_red_gate(self):
        include, place = self.plant()
        before = self.compile("bench", BEAST_BENCHMARK, "-lbenchmark")
        kept = ["--baseline", self.folder / "baselines"]
        accepted = run("baseline", "update", "-m", "as it is", "--with-stacks", "--suite", before, *kept,
                       env=environment(**self.variables), cwd=self.folder)
        self.assertEqual(accepted.returncode, 0, accepted.stderr)
        self.record("--suite", before, "--workload", "header")
        first = self.file.rename(self.folder / "before.pb.gz")
        after = self.compile("bench", BEAST_BENCHMARK, "-I", include, "-lbenchmark")
        self.record("--suite", after, "--workload", "header")
        diff = json.loads(run("diff", first, self.file, "--format", "json").stdout)
        self.assertEqual(diff["total"]["delta"], 1, "per iteration")
        self.assertEqual([diff[name] for name in ("only_in_before", "changed", "paired")], [[], [], []])
        self.assertEqual([(row["delta"], row["places"][0]) for row in diff["only_in_after"]], [(1, place)])
        red = run("check", "--explain", "--suite", after, *kept, env=environment(**self.variables), cwd=self.folder)
        self.assertEqual(red.returncode, 2, red.stderr)
        said = "".join(red.stdout.split())
        self.assertIn("+1periteration", said)
        # Below the root of a repository the folder goes.
        self.assertIn(place.removeprefix(str(self.folder)) + "inboost::beast", said)


if __name__ == "__main__":
    unittest.main()
