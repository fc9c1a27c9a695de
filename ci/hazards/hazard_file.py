# SPDX-License-Identifier: Apache-2.0
# Copyright the allocgate authors
"""Reads the first comment of a hazard program: what is tried, where it runs, and what is right."""

import re
from dataclasses import dataclass, field
from pathlib import Path

VARIANTS = ("glibc", "mimalloc", "musl", "by-hand")
GROUPS = ("start", "threads", "processes", "ends", "world", "functions", "blind")
FIELDS = ("hazard", "elsewhere", "proof", "runs", "links", "command", "environment", "allocator", "needs", "mount",
          "argument")

_COMMENT = re.compile(r"^(?://|#) ?(.*)$")
_KEY = re.compile(r"^(?P<key>[a-z][a-z ]*?)(?:\((?P<of>[^)]*)\))?(?:\[(?P<variant>[a-z-]+)\])?: (?P<value>.+)$")


@dataclass
class Expectation:
    """One `expect` line and the `or` lines after it, of which one must hold."""

    kind: str  # "", "difference", "children", "note", ...
    of: str  # what stands in parentheses: the argument, a count, an executable
    value: str
    variant: str  # "" for all
    alternatives: list = field(default_factory=list)

    def __str__(self):
        kind = f"{self.kind}({self.of})" if self.of else self.kind
        text = f"{kind} {self.value}".strip()
        return " or ".join([text] + [str(other) for other in self.alternatives])

    def numbers(self):
        """The `name=value` pairs of the value, as integers."""
        return {name: int(value) for name, value in (pair.split("=") for pair in self.value.split())}


@dataclass
class Hazard:
    name: str
    source: Path
    fields: dict
    expectations: list

    @property
    def what(self):
        return self.fields["hazard"]

    @property
    def variants(self):
        return self.fields["runs"].split()

    @property
    def argument(self):
        return int(self.fields.get("argument", "0"))

    def expected_in(self, variant):
        """What must hold in `variant`: a line for this variant alone replaces the one of its kind for all."""
        own = {(e.kind, e.of) for e in self.expectations if e.variant == variant}
        for expectation in self.expectations:
            replaced = (expectation.kind, expectation.of) in own
            if expectation.variant == variant or (not expectation.variant and not replaced):
                yield expectation


def _comment_lines(source):
    """The lines of the first comment without its marks; a line that begins with a space continues the one before."""
    lines = []
    for line in source.read_text(encoding="utf-8").splitlines():
        match = _COMMENT.match(line)
        if not match or line.startswith("#include"):
            break
        text = match.group(1)
        if text.startswith(" ") and lines:
            lines[-1] += " " + text.strip()
        else:
            lines.append(text)
    return lines


def read_hazard(source, group):
    """The hazard of a source file. Raises ValueError, with the file's name, for a comment that says too little."""
    hazard = Hazard(f"{group}_{source.stem}", source, {}, [])
    for line in _comment_lines(source):
        match = _KEY.match(line)
        if not match:
            if line and not line.startswith(("SPDX-", "Copyright ", "!")):
                raise ValueError(f"{source}: not a key and a value: {line}")
            continue
        key, of, value, variant = match["key"], match["of"] or "", match["value"], match["variant"] or ""
        if key in FIELDS:
            hazard.fields[key] = value
        elif key == "expect" or key.startswith("expect "):
            hazard.expectations.append(Expectation(key[len("expect ") :], of, value, variant))
        elif key.startswith("or "):
            hazard.expectations[-1].alternatives.append(Expectation(key[len("or ") :], of, value, variant))
        else:
            raise ValueError(f"{source}: no such key: {key}")
    missing = [key for key in ("hazard", "elsewhere", "proof", "runs") if key not in hazard.fields]
    if missing or not hazard.expectations or set(hazard.variants) - set(VARIANTS):
        raise ValueError(f"{source}: missing: {', '.join(missing) or 'an expectation, or a known variant'}")
    return hazard


def find_hazards(sources):
    """Every hazard program below `sources`, by group and name."""
    hazards = []
    for group in GROUPS:
        for source in sorted((sources / group).glob("*.*")):
            if source.suffix in (".c", ".cpp", ".sh") and not source.stem.endswith(".lib"):
                hazards.append(read_hazard(source, group))
    return hazards
