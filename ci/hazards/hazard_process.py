# SPDX-License-Identifier: Apache-2.0
# Copyright the allocgate authors
"""Runs a hazard program, bare or measured, in an empty folder, and keeps everything that it did."""

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

TIMEOUT_S = 120
OWN_LINE = re.compile(r"^allocgate: ")


@dataclass
class Run:
    """What was seen of one run. `code` is 128 + signal where a signal ended it; `result` what the command reported."""

    code: int = 0
    output: bytes = b""
    errors: bytes = b""
    said: list = field(default_factory=list)  # allocgate's own lines on standard error
    files: dict = field(default_factory=dict)
    timed_out: bool = False
    result: dict = None

    @property
    def workload(self):
        return self.result["workloads"][0] if self.result and self.result.get("workloads") else None

    @property
    def processes(self):
        return self.workload.get("processes", []) if self.workload else []

    def measure(self, name):
        series = self.workload["measures"].get(name) if self.workload else None
        return series["median"] if series else None

    def sentences(self):
        """Everything that was said about the measurement, wherever it stands."""
        workload = self.workload or {}
        return self.said + workload.get("notes", []) + [workload.get("error", "")]


class Place:
    """Where programs and command are, and a folder to run in. A context: the folder is removed at the end."""

    def __init__(self, allocgate, programs, emulator=()):
        self.allocgate = allocgate
        self.programs = programs
        self.emulator = list(emulator)  # the command that starts a program of another machine, and its options
        self.hooks = allocgate.parent.parent / "lib/allocgate/liballocgate_hooks.so"
        self.mimalloc = _find_library("libmimalloc.so")
        self._folder = None

    def __enter__(self):
        self._folder = Path(tempfile.mkdtemp(prefix="hazards."))
        self._folder.chmod(0o755)
        return self

    def without_its_folders(self, text):
        """Where a build and a scratch folder lie is of no interest to who reads a table."""
        return text.replace(f"{self.programs}/", "").replace(f"{self._folder}/", "")

    def __exit__(self, *_):
        shutil.rmtree(self._folder, ignore_errors=True)

    def program(self, hazard, variant):
        folder = self.programs / "musl" if variant == "musl" else self.programs
        return folder / hazard.name

    def library(self, hazard, variant):
        program = self.program(hazard, variant)
        return program.parent / f"lib{program.name}.so"

    def fill(self, text, hazard, variant, argument):
        """`text` with its {names} filled in."""
        return text.format(program=self.program(hazard, variant), library=self.library(hazard, variant), n=argument,
                           mounted=self._folder / "mounted")

    def environment(self, hazard, variant, argument):
        environment = {"PATH": os.environ.get("PATH", "/usr/bin:/bin"), "LANG": "C.UTF-8", "HOME": "/"}
        for pair in shlex.split(hazard.fields.get("environment", "")):
            name, _, value = pair.partition("=")
            environment[name] = self.fill(value, hazard, variant, argument)
        return environment

    def command(self, hazard, variant, argument):
        template = hazard.fields.get("command", "{program} {n}")
        return [self.fill(word, hazard, variant, argument) for word in shlex.split(template)]

    def run_bare(self, hazard, variant, argument):
        environment = self.environment(hazard, variant, argument)
        under = self.allocator(hazard, variant, argument)
        if under:
            environment["LD_PRELOAD"] = str(under[1])
        return self._run(hazard, self.command(hazard, variant, argument), environment)

    def run_measured(self, hazard, variant, argument):
        command = self.command(hazard, variant, argument)
        environment = self.environment(hazard, variant, argument)
        if variant == "by-hand":
            return self._run_by_hand(hazard, command, environment)
        report = self._folder / "result.json"
        report.unlink(missing_ok=True)
        under = self.allocator(hazard, variant, argument)
        options = ["--format", "json", "--output", str(report)] + (["--allocator", str(under[0])] if under else [])
        run = self._run(hazard, [str(self.allocgate), "stat", *options, "--", *command], environment)
        run.result = json.loads(report.read_text()) if report.exists() and report.stat().st_size else None
        return run

    def run_valgrind(self, hazard, variant, argument):
        """allocations, deallocations and allocated_bytes of the program's first process, as memcheck counts them."""
        log = self._folder / "valgrind.log"
        options = ["--run-libc-freeres=no", "--run-cxx-freeres=no", f"--log-file={log}"]
        self._run(hazard, ["valgrind", *options, *self.command(hazard, variant, argument)],
                  self.environment(hazard, variant, argument))
        totals = re.search(r"total heap usage: ([\d,]+) allocs, ([\d,]+) frees, ([\d,]+) bytes", log.read_text())
        values = [int(text.replace(",", "")) for text in totals.groups()]
        return dict(zip(("allocations", "deallocations", "allocated_bytes"), values))

    def allocator(self, hazard, variant, argument):
        """(what --allocator is given, the library) or None for the C library's own."""
        if "allocator" in hazard.fields:
            library = self.fill(hazard.fields["allocator"], hazard, variant, argument)
            return library, library
        return ("mimalloc", self.mimalloc) if variant == "mimalloc" else None

    def _run_by_hand(self, hazard, command, environment):
        summaries = self._folder / "summaries"
        shutil.rmtree(summaries, ignore_errors=True)
        summaries.mkdir()
        preload = [str(self.hooks)] + environment.get("LD_PRELOAD", "").split()
        environment = dict(environment, LD_PRELOAD=":".join(preload), ALLOCGATE_OUTPUT=str(summaries / "%p.json"))
        run = self._run(hazard, command, environment)
        texts = sorted(summaries.iterdir(), key=lambda path: int(path.stem))
        if texts:
            run.result = _as_result(json.loads(texts[0].read_text()))
        return run

    def _in_mount_namespace(self, hazard, command):
        """`command` where a small or read-only file system covers a folder, for nobody else to see."""
        options, folder = hazard.fields["mount"].format(mounted=self._folder / "mounted").split(" ", 1)
        (self._folder / "mounted").mkdir(exist_ok=True)
        mount = 'mount -t tmpfs -o "$0" hazards "$1" && shift && exec "$@"'
        return ["unshare", "-m", "sh", "-c", mount, options, folder, *command]

    def _emulated(self, command, environment):
        """What is to be preloaded is for the program, not for the emulator."""
        preload = environment.get("LD_PRELOAD")
        options = ["-E", f"LD_PRELOAD={preload}"] if preload else []
        return [*self.emulator, *options, *command], {key: environment[key] for key in environment if key != "LD_PRELOAD"}

    def _run(self, hazard, command, environment):
        working = self._folder / "working"
        shutil.rmtree(working, ignore_errors=True)
        working.mkdir()
        if "mount" in hazard.fields:
            command = self._in_mount_namespace(hazard, command)
        if self.emulator:
            command, environment = self._emulated(command, environment)
        run = Run()
        with open(self._folder / "output", "w+b") as output, open(self._folder / "errors", "w+b") as errors:
            child = subprocess.Popen(command, cwd=working, env=environment, stdin=subprocess.DEVNULL, stdout=output,
                                     stderr=errors, start_new_session=True)
            try:
                code = child.wait(TIMEOUT_S)
            except subprocess.TimeoutExpired:
                os.killpg(child.pid, signal.SIGKILL)
                code, run.timed_out = child.wait(), True
            output.seek(0)
            errors.seek(0)
            run.output = output.read()
            lines = errors.read().decode(errors="replace").splitlines(keepends=True)
        run.code = 128 - code if code < 0 else code
        run.said = [line.strip() for line in lines if OWN_LINE.match(line)]
        run.errors = "".join(line for line in lines if not OWN_LINE.match(line)).encode()
        run.files = {str(path.relative_to(working)): path.read_bytes() if path.is_file() else None
                     for path in sorted(working.rglob("*"))}
        return run


def _as_result(summary):
    """The summary of a run by hand in the shape of a result, so that both are checked by the same code."""
    measures = {name: {"median": value} for name, value in summary["measures"].items()}
    return {"workloads": [{"measures": measures}]}


def _find_library(name):
    """The path of a shared library that the loader knows, or None."""
    listing = subprocess.run(["ldconfig", "-p"], capture_output=True, text=True, check=False,
                             env=dict(os.environ, PATH="/usr/sbin:/sbin:" + os.environ.get("PATH", ""))).stdout
    found = re.search(rf"^\s*{re.escape(name)}\S* .*=> (\S+)$", listing, re.MULTILINE)
    return found.group(1) if found else None


def missing_need(hazard, variant, place):
    """Why this program cannot run here, in words; None when it can."""
    if not place.program(hazard, variant).exists():
        return "not built: musl-gcc is missing (package musl-tools)" if variant == "musl" else "not built"
    if variant == "mimalloc" and not place.mimalloc:
        return "libmimalloc is not installed"
    for need in filter(None, hazard.fields.get("needs", "").split(", ")):
        memory = re.fullmatch(r"(\d+) GiB", need)
        if memory:
            if os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") < int(memory.group(1)) << 30:
                return f"the machine has less than {need} of memory"
        elif need == "root":
            if os.geteuid() != 0:
                return "needs root"
        elif not shutil.which(need):
            return f"{need} is not installed"
    return None
