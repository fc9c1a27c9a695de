# SPDX-License-Identifier: Apache-2.0
# Copyright the allocgate authors
"""A folder in which the programs of one case are made and started."""

import json
import os
import re
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

from sources import PROGRAM

PATIENCE_SECONDS = 120
NOBODY = "65534"


class Skip(Exception):
    """Why a case cannot be made here."""


@dataclass
class Made:
    """What is counted and around it."""

    command: list
    environment: dict = field(default_factory=dict)
    user: list = field(default_factory=list)  # a command before allocgate that changes the user
    allocgate: Path = None  # in place of the one under test
    suite: Path = None  # the program that `run` measures; the command's first word when absent


@dataclass
class Outcome:
    code: int
    text: str  # everything that was printed
    sentence: str = ""
    counted: int = 0


def command_path(name):
    found = shutil.which(name)
    if found is None:
        raise Skip(f"{name} is not installed")
    return found


class Place:
    def __init__(self, folder, allocgate):
        self.folder = folder
        self.allocgate = allocgate
        folder.chmod(0o755)  # another user must come in

    def write(self, name, content, mode=0o755):
        path = self.folder / name
        if isinstance(content, str):
            content = content.encode()
        path.write_bytes(content)
        path.chmod(mode)
        return path

    def compile(self, *flags, source=PROGRAM, compiler="gcc", name="program"):
        path = self.folder / name
        done = subprocess.run([command_path(compiler), "-x", "c", "-", "-o", path, *flags], input=source, text=True,
                              capture_output=True, check=False)
        if done.returncode != 0:
            raise Skip(f"{compiler} {' '.join(map(str, flags))} does not work here: {done.stderr.splitlines()[-1:]}")
        return path

    def compile_for_32_bits(self):
        """By whichever compiler can: gcc-multilib excludes every cross-compiler, so there may be one of those."""
        reasons = []
        for compiler, flags in (("gcc", ["-m32"]), ("i686-linux-gnu-gcc", [])):
            try:
                return self.compile(*flags, compiler=compiler)
            except Skip as reason:
                reasons.append(str(reason))
        raise Skip(f"no compiler for 32 bits (packages gcc-multilib or gcc-i686-linux-gnu): {'; '.join(reasons)}")

    def build_go(self, source, with_c=False):
        self.write("main.go", source, 0o644)
        environment = {"PATH": "/usr/local/go/bin:/usr/bin:/bin", "CGO_ENABLED": str(int(with_c)), "GO111MODULE": "off",
                       "HOME": str(self.folder), "GOCACHE": str(self.folder / "cache"), "GOFLAGS": "-p=2"}
        done = subprocess.run([command_path("go"), "build", "-o", "program", "main.go"], cwd=self.folder, text=True,
                              capture_output=True, check=False, env=environment)
        if done.returncode != 0:
            raise Skip(f"go build does not work here: {done.stderr.splitlines()[-1:]}")
        return self.folder / "program"

    def as_nobody(self):
        """A command that starts another as a user without rights."""
        if os.geteuid() != 0:
            raise Skip("only root can start a program as another user")
        user = [command_path("setpriv"), "--reuid", NOBODY, "--clear-groups"]
        if subprocess.run([*user, "test", "-x", self.allocgate], check=False).returncode != 0:
            raise Skip(f"another user cannot reach {self.allocgate}")
        self.folder.chmod(0o777)
        if subprocess.run([*user, "test", "-x", self.folder], check=False).returncode != 0:
            raise Skip(f"another user cannot reach {self.folder}; let TMPDIR name a folder that is open to all")
        return user

    def _start(self, made, arguments):
        environment = {name: value for name, value in os.environ.items() if not name.startswith("ALLOCGATE_")}
        command = [*made.user, made.allocgate or self.allocgate, *arguments]
        return subprocess.run(command, env=environment | made.environment, stdin=subprocess.DEVNULL, text=True,
                              capture_output=True, timeout=PATIENCE_SECONDS, check=False, cwd=self.folder)

    def stat(self, made):
        self.folder.chmod(0o777)  # for the result of another user
        result = self.folder / "result.json"
        options = [word for word in made.command if str(word).startswith("--no-children")]
        command = [word for word in made.command if word not in options]
        done = self._start(made, ["stat", *options, "--format", "json", "--output", result, "--", *command])
        said = re.findall("^allocgate: (?:stat: )?(.*)$", done.stderr, re.MULTILINE)
        counted = 0
        if result.exists():
            (workload,) = json.loads(result.read_text())["workloads"]
            said += [note for note in workload.get("notes", []) if "peak_live_bytes" not in note]
            counted = workload["measures"].get("allocations", {}).get("median", 0)
        return Outcome(done.returncode, done.stdout + done.stderr, self._neutral("; ".join(said)), counted)

    def run(self, made):
        done = self._start(made, ["run", "--suite", made.suite or made.command[0]])
        return Outcome(done.returncode, done.stdout + done.stderr)

    def _neutral(self, text):
        """Without what differs from one machine and run to the next."""
        for folder, name in ((f"{self.folder}/", ""), (self.folder, "folder"), (self.allocgate.parent.parent, "PREFIX")):
            text = text.replace(str(folder), name)
        return re.sub(r"process \d+", "process N", text)
