# SPDX-License-Identifier: Apache-2.0
# Copyright the allocgate authors
"""`allocgate stat --ready --during -- SERVER`: allocations per request of servers that know nothing of us."""

import json
import os
import pathlib
import shutil
import socket
import sys
import unittest

from command_under_test import FolderTest, environment, is_alive, run

SERVER = os.environ["ALLOCGATE_KNOWN_SERVER"]
ASK = pathlib.Path(__file__).parent / "programs" / "ask"


def per_iteration(workload, measure):
    """The exact slope, or None where the windows are not on one line."""
    slope = workload["measures"][measure].get("slope")
    return slope and (slope["count"], slope["iterations"])


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class ServerTest(FolderTest):
    def options(self, iterations=10, during=None):
        port = self.folder / "port"
        return ["--ready", f"test -s {port}", "--during", during or f"{ASK} {port} {{iterations}}", "--iterations",
                iterations]

    def measured(self, mode, *more, **options):
        output = self.folder / "server.json"
        done = run("stat", *self.options(**options), *more, "--format", "json", "--output", output, "--", SERVER,
                   self.folder / "port", mode)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual((done.stdout, done.stderr), ("", ""))
        return json.loads(output.read_text())["workloads"][0]

    def failed(self, mode, *more, **options):
        done = run("stat", *self.options(**options), *more, "--", SERVER, self.folder / "port", mode)
        self.assertEqual((done.returncode, done.stdout), (125, ""), done.stderr)
        self.assertTrue(done.stderr.startswith("allocgate: stat: "), done.stderr)
        return done.stderr

    def failed_with(self, option, value):
        options = self.options()
        options[options.index(option) + 1] = value
        done = run("stat", *options, "--", SERVER, self.folder / "port", "")
        self.assertEqual(done.returncode, 125, done.stderr)
        return done.stderr


class KnownServers(ServerTest):
    def expect_known(self, workload, live=0):
        self.assertEqual(workload["status"], "ok")
        self.assertEqual(per_iteration(workload, "allocations"), (3, 1))
        self.assertEqual(workload["measures"]["allocations"]["setup"], 2)
        self.assertEqual(per_iteration(workload, "allocated_bytes"), (300, 1))
        self.assertEqual(workload["measures"]["allocated_bytes"]["setup"], 100)
        self.assertEqual(per_iteration(workload, "live_allocations"), (live, 1))
        self.assertNotIn("peak_live_bytes", workload["measures"])

    def test_counts_a_request_exactly(self):
        workload = self.measured("")
        self.expect_known(workload)
        self.assertEqual(workload["iterations"], 10)
        self.assertEqual(workload["measures"]["open_fds"]["median"], 0)
        self.assertEqual(workload["size_classes"], {"33-64": 2, "65-128": 30})
        self.assertEqual([process["end"] for process in workload["processes"]], ["running"])

    def test_repeats_a_load_without_a_number(self):
        port = self.folder / "port"
        workload = self.measured("", during=f"{ASK} {port} 10")
        self.assertEqual(per_iteration(workload, "allocations"), (16, 5),
                         "10 requests and one connection for each 10 iterations")
        self.assertEqual(workload["measures"]["allocations"]["setup"], 0)

    def test_counts_in_processes_and_threads(self):
        forks = self.measured("forks")
        self.expect_known(forks)
        self.assertEqual(sum(process["measures"]["allocations"] for process in forks["processes"]), 32)
        self.assertEqual([process["measures"]["allocations"] for process in forks["processes"]], [0, 32],
                         "the one that listens and the only one of the window")
        (self.folder / "port").unlink()
        self.expect_known(self.measured("thread"))

    def test_waits_for_what_comes_after_the_answer(self):
        late = self.measured("late")
        self.assertEqual(per_iteration(late, "allocations"), (4, 1))
        self.assertEqual(late["measures"]["allocations"]["setup"], 2)

    def test_sees_what_stays(self):
        leak = self.measured("leak")
        self.expect_known(leak, live=1)
        self.assertEqual(leak["measures"]["live_allocations"]["growth"], 20)
        (self.folder / "port").unlink()
        files = self.measured("files")
        self.assertEqual(per_iteration(files, "open_fds"), (1, 1))

    def test_takes_samples_in_servers_of_their_own(self):
        workload = self.measured("", "--samples", 2)
        self.assertEqual(workload["measures"]["allocations"]["samples"], [{"value": 32, "times": 2}])
        self.assertEqual(per_iteration(workload, "allocations"), (3, 1))

    def test_report_for_people(self):
        done = run("stat", *self.options(), "--", SERVER, self.folder / "port", "")
        self.assertEqual((done.returncode, done.stdout), (0, ""))
        self.assertRegex(done.stderr, r"(?m)^allocations +3 +\+2 +32 +linear$")
        self.assertTrue(all(len(line) <= 80 for line in done.stderr.splitlines()), done.stderr)

    def test_says_when_the_server_allocates_by_itself(self):
        workload = self.measured("ticks")
        self.assertTrue([note for note in workload["notes"] if "allocates by itself" in note], workload["notes"])
        self.assertGreaterEqual(workload["measures"]["allocations"]["median"], 32)


class Failures(ServerTest):
    def test_fails_when_it_does_not_come_to_rest(self):
        self.assertIn("still allocating", self.failed("drains"))

    def test_says_why_it_did_not_get_ready(self):
        message = self.failed("never", "--ready-timeout", 0.3)
        self.assertIn("not ready within 300 ms", message)
        self.assertIn("known_server: never ready", message)
        self.assertIn("cannot be run", self.failed_with("--ready", "no-such-program-anywhere"))

    def test_says_how_the_server_ended(self):
        message = self.failed("crashes")
        self.assertRegex(message, r"the server ended during the load: it was ended by SIGABRT")
        self.assertIn("this is the fifth request", message)
        self.assertIn("foreground", self.failed("leaves"))

    def test_does_not_wait_for_a_load_whose_server_is_gone(self):
        port = self.folder / "port"
        message = self.failed("crashes", during=f"{ASK} {port} 10; exec sleep 1000")
        self.assertIn("the server ended during the load", message)

    def test_says_what_the_load_said(self):
        message = self.failed_with("--during", "echo no tools >&2; exit 3")
        self.assertIn("exit code 3", message)
        self.assertIn("no tools", message)
        message = self.failed("", "--timeout", 0.3, during="sleep 1000")
        self.assertIn("did not end within 300 ms", message)

    def test_warns_of_another_server(self):
        workload = self.counted(*self.options(during="true"), "--", SERVER, self.folder / "port")[0]
        self.assertIn("did the load reach this server", " ".join(workload["notes"]))
        workload = self.counted(*self.options(), "--", SERVER, self.folder / "port")[0]
        self.assertIn("succeeded before the server was started", " ".join(workload["notes"]))

    def test_leaves_nothing_of_a_server_that_does_not_want_to_end(self):
        records = self.folder / "records"
        records.mkdir()
        output = self.folder / "out.json"
        done = run("stat", *self.options(), "--format", "json", "--output", output, "--", SERVER, self.folder / "port",
                   "stays", env=environment(ALLOCGATE_RECORD_DIR=records))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("was killed", " ".join(json.loads(output.read_text())["workloads"][0]["notes"]))
        self.assertFalse(is_alive(int((self.folder / "port.child").read_text())))
        self.assertEqual(list(records.iterdir()), [])

    def test_is_blind_and_says_so(self):
        static = self.script("start", f"#!/bin/sh\nexec env -i {SERVER} \"$@\"\n")
        done = run("stat", *self.options(), "--", static, self.folder / "port")
        self.assertEqual(done.returncode, 125, done.stderr)
        self.assertIn("not counted", done.stderr)

    def test_has_codes_of_its_own(self):
        for words, status in ((["--ready", "true"], 64), (["--during", "true"], 64), (["--iterations", "5"], 64),
                              (["--ready", "true", "--during", "true"], 64)):
            done = run("stat", *words, "--", SERVER, self.folder / "port")
            self.assertEqual(done.returncode, status, done.stderr)
            self.assertIn("belong together", done.stderr)
        done = run("stat", *self.options(), "--", "./no-such-server")
        self.assertEqual(done.returncode, 127, done.stderr)


class RealServers(FolderTest):
    """nginx and redis as their packages have them, under a bounded load over the loopback device."""

    def measured(self, ready, during, iterations, *command):
        workload, status = self.counted("--ready", ready, "--during", during, "--iterations", str(iterations), "--",
                                        *map(str, command))
        self.assertEqual(status, 0, workload)
        print(f"\n{command[0]}:", {name: series.get("slope", series["samples"]) for name, series in
                                   workload["measures"].items() if name in ("allocations", "allocated_bytes")},
              workload.get("notes", []))
        return workload

    def test_nginx(self):
        nginx = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
        if nginx is None:
            self.skipTest("nginx is not installed (Debian: nginx-light); it is in no list of ours, because its package starts a "
                          "daemon")
        port = free_port()
        (self.folder / "nginx.conf").write_text(f"""
            daemon off; worker_processes 1; pid {self.folder}/nginx.pid; error_log {self.folder}/error.log;
            events {{ worker_connections 64; }}
            http {{ access_log off; keepalive_requests 1000000;
                    client_body_temp_path {self.folder}/b; proxy_temp_path {self.folder}/p;
                    fastcgi_temp_path {self.folder}/f; uwsgi_temp_path {self.folder}/u; scgi_temp_path {self.folder}/s;
                    server {{ listen 127.0.0.1:{port}; location / {{ return 200 "hello\\n"; }} }} }}""")
        load = self.script("load", f"""#!{sys.executable}
import http.client, sys
connection = http.client.HTTPConnection("127.0.0.1", {port}, timeout=60)
for _ in range(int(sys.argv[1])):
    connection.request("GET", "/")
    assert connection.getresponse().read() == b"hello\\n"
""")
        workload = self.measured(f"{load} 1", f"{load} {{iterations}}", 50, nginx, "-c", self.folder / "nginx.conf")
        count, iterations = per_iteration(workload, "allocations")
        self.assertGreater(count, 0)
        self.assertEqual(iterations, 1, "a whole number of allocations for a request")
        self.assertEqual(per_iteration(workload, "live_allocations"), (0, 1))
        self.assertEqual(len(workload["processes"]), 2, "the master and a worker")

    def redis_of_tools(self):
        """The server is the same program as redis-check-rdb under another name, and redis-tools starts no daemon."""
        program = shutil.which("redis-check-rdb")
        if program is None:
            return None
        (self.folder / "redis-server").symlink_to(program)
        return self.folder / "redis-server"

    def test_redis(self):
        redis = shutil.which("redis-server") or self.redis_of_tools()
        if redis is None:
            self.skipTest("redis is not installed (Debian: redis-tools, or redis-server)")
        port = free_port()
        load = self.script("load", f"""#!{sys.executable}
import socket, sys
with socket.create_connection(("127.0.0.1", {port}), timeout=60) as connection, connection.makefile("rwb") as stream:
    for _ in range(int(sys.argv[1])):
        stream.write(b"SET key value\\r\\n")
        stream.flush()
        assert stream.readline() == b"+OK\\r\\n"
""")
        workload = self.measured(f"{load} 1", f"{load} {{iterations}}", 200, redis, "--port", port, "--bind",
                                 "127.0.0.1", "--save", "", "--appendonly", "no", "--dir", self.folder)
        series = workload["measures"]["allocations"]
        self.assertGreater(series["median"], 200, "a request allocates")
        self.assertLess(series["median"], 200 * 100)


if __name__ == "__main__":
    unittest.main()
