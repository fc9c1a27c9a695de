# SPDX-License-Identifier: Apache-2.0
# Copyright the allocgate authors
"""Runs one program of the table bare, under `allocgate stat`, under valgrind, or with probes on libc's functions.

Each run happens in a folder that is made anew under the same name, with the same environment, so that whatever the
program copies of its surroundings is as long in every run.
"""

import contextlib
import os
import pwd
import shlex
import shutil
import signal
import socket
import subprocess
import time

from heap import read_result, read_valgrind
from outcome import Outcome, Unable
from probes import Probes
from surroundings import VALGRIND, search_path

LONGEST_S = 300  # of one run; only a program that hangs comes near it


class ProgramRun:
    """One row of the table, and the folder in which it is run again and again."""

    def __init__(self, program, allocgate, surroundings, scratch):
        self.program, self.allocgate, self.around, self.scratch = program, allocgate, surroundings, scratch
        self.folder, self.notes = scratch / "work", scratch / "notes"
        self.user = pwd.getpwnam(program.user) if program.user else None
        self.words = {"{port}": str(free_port()), "{home}": os.path.expanduser("~")}
        command = shlex.split(self.fill(program.command))
        self.command = [shutil.which(command[0], path=search_path()) or command[0], *command[1:]]

    def fill(self, text):
        for word, value in self.words.items():
            text = text.replace(word, value)
        return text

    def bare(self):
        return self.run([], self.around.bare)[0]

    def counted(self):
        """The outcome, the images and the runner's own process id of a run under `allocgate stat`."""
        result = self.notes / "result.json"
        outcome, pid = self.run([str(self.allocgate), "stat", "--format", "json", "--output", str(result), "--"],
                                self.around.counted)
        if not result.exists():
            said = outcome.standard_error.strip()
            raise Unable(f"allocgate stat ended with {outcome.exit_code} and no result: {said}")
        return outcome, read_result(result), pid

    def under_valgrind(self):
        """The outcome, and valgrind's totals of the images that came to an end."""
        outcome, _ = self.run([*VALGRIND, f"--log-file={self.notes}/%p"], self.around.valgrind)
        return outcome, read_valgrind(self.notes)

    def probed(self):
        """The images as counted() has them, and what the allocator itself saw in the same run: pid -> Heap."""
        with Probes(self.program.allocators, self.scratch) as probes:
            _, images, runner = self.counted()
        return images, probes.below(runner)

    def run(self, prefix, variables):
        for folder in (self.folder, self.notes):
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            if self.user:
                os.chown(folder, self.user.pw_uid, self.user.pw_gid)
        if self.program.prepare:
            self.shell(self.program.prepare, "prepare")
        streams = [self.scratch / name for name in ("standard_output", "standard_error")]
        with streams[0].open("wb") as output, streams[1].open("wb") as error:
            process = subprocess.Popen(prefix + self.command, stdout=output, stderr=error, start_new_session=True,
                                       **self.surroundings(variables))
            with ended(process):
                if self.program.load:
                    self.serve(process)
                exit_code = process.wait(LONGEST_S)
        texts = [stream.read_text(errors="backslashreplace") for stream in streams]
        files = {path.name: path.read_bytes() for name in self.program.compare_files for path in self.folder.glob(name)}
        return Outcome(exit_code, *texts, files), process.pid

    def serve(self, process):
        deadline = time.monotonic() + LONGEST_S
        while process.poll() is None and self.shell(self.program.ready, None) != 0:
            if time.monotonic() > deadline:
                raise Unable(f"the server was not ready after {LONGEST_S} s")
            time.sleep(0.1)
        if process.poll() is not None:
            raise Unable(f"the server ended at once: {(self.scratch / 'standard_error').read_text()}")
        try:
            self.shell(self.program.load, "load")
        finally:
            self.shell(self.program.stop, "stop")

    def shell(self, line, what):
        """The exit code of a shell line run bare in the folder; one that has a name must succeed."""
        run = subprocess.run(["bash", "-euc", self.fill(line)], capture_output=True, text=True, timeout=LONGEST_S,
                             **self.surroundings(self.around.bare))
        if what and run.returncode != 0:
            raise Unable(f"'{what}' ended with {run.returncode}: {(run.stderr or run.stdout).strip()[-500:]}")
        return run.returncode

    def surroundings(self, variables):
        own = {name: self.fill(value) for name, value in self.program.environment.items()}
        surroundings = {"cwd": self.folder, "stdin": subprocess.DEVNULL,
                        "env": variables | {"HOME": str(self.folder), "PWD": str(self.folder)} | own}
        if self.user:
            surroundings |= {"user": self.user.pw_uid, "group": self.user.pw_gid, "extra_groups": []}
        return surroundings


def free_port():
    """A port of the loopback interface that nobody listens at."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


@contextlib.contextmanager
def ended(process):
    """Whatever happens inside, the process and its group are gone afterwards."""
    try:
        yield
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
