# SPDX-License-Identifier: Apache-2.0
# Copyright the allocgate authors
"""Holds what a hazard program's comment expects against what was seen."""

from dataclasses import dataclass, field
from pathlib import Path

BLIND = 125  # `stat` could not measure


@dataclass
class Outcome:
    expected: list = field(default_factory=list)
    got: list = field(default_factory=list)  # what was counted, for the table
    wrong: list = field(default_factory=list)  # what differs, one sentence each


class Runs:
    """The runs of one program in one variant, made when they are asked for: bare and measured, by argument."""

    def __init__(self, hazard, variant, place):
        self._hazard, self._variant, self._place = hazard, variant, place
        self._made = {}

    def _of(self, how, argument):
        if (how, argument) not in self._made:
            run = getattr(self._place, f"run_{how}")
            self._made[how, argument] = run(self._hazard, self._variant, argument)
        return self._made[how, argument]

    def bare(self, argument):
        return self._of("bare", argument)

    def measured(self, argument):
        return self._of("measured", argument)

    def valgrind(self, argument):
        return self._of("valgrind", argument)


def check(hazard, variant, place):
    outcome = Outcome()
    runs = Runs(hazard, variant, place)
    expectations = list(hazard.expected_in(variant))
    if variant == "by-hand":
        expectations = [expectation for expectation in expectations if expectation.kind in ("", "difference")]
    bare, measured = runs.bare(hazard.argument), runs.measured(hazard.argument)
    for expectation in expectations:
        outcome.expected.append(str(expectation))
        attempts = [_check_one(choice, hazard, runs) for choice in [expectation] + expectation.alternatives]
        right = next((got for got, wrong in attempts if not wrong), None)
        if right is not None:
            outcome.got.append(right)
        else:
            outcome.wrong += ["; or ".join("; ".join(wrong) for _, wrong in attempts)]
    outcome.wrong += _differences(bare, measured, blind_is_fine=_may_be_blind(expectations))
    if outcome.wrong:
        outcome.wrong += [f"allocgate said: {line}" for line in measured.sentences() if line]
    return outcome


def _may_be_blind(expectations):
    return any(choice.kind in ("blind", "note") for e in expectations for choice in [e] + e.alternatives)


def _differences(bare, measured, blind_is_fine):
    """What the measured run did otherwise than the bare one."""
    wrong = []
    if measured.timed_out or bare.timed_out:
        return [f"hangs {'measured' if measured.timed_out else 'bare'}"]
    named_blind = blind_is_fine and measured.code == BLIND
    if named_blind and not measured.output and not measured.files:
        return []  # the command was not let run, which is one way not to disturb it
    if measured.code != bare.code and not named_blind:
        wrong.append(f"exit code {measured.code}, bare {bare.code}")
    for name in ("output", "errors"):
        ours, theirs = getattr(measured, name), getattr(bare, name)
        if ours != theirs:
            wrong.append(f"{name} {ours[-300:]!r}, bare {theirs[-300:]!r}")
    for name in sorted(set(bare.files) | set(measured.files)):
        if bare.files.get(name, "absent") != measured.files.get(name, "absent"):
            wrong.append(f"file {name} {measured.files.get(name, 'absent')!r}, bare {bare.files.get(name, 'absent')!r}")
    return wrong


def _check_one(expectation, hazard, runs):
    """(what was seen, what is wrong with it)"""
    measured = runs.measured(hazard.argument)
    if expectation.kind in ("note", "blind"):
        return _check_sentence(expectation, measured)
    if measured.result is None:
        return "", [f"no result, exit code {measured.code}"]
    return _CHECKS[expectation.kind](expectation, measured, runs)


def _check_sentence(expectation, measured):
    said = next((text for text in measured.sentences() if expectation.value in text), None)
    if said is None:
        return "", [f"no sentence that has {expectation.value!r}"]
    if expectation.kind == "blind" and measured.code != BLIND:
        return said, [f"exit code {measured.code} where {BLIND} is due"]
    return f"{said} (exit code {measured.code})", []


def _compare(label, wanted, seen):
    """Like for like: the seen values as text, and a sentence for each that is not the wanted one."""
    text = " ".join(f"{name}={seen[name]}" for name in wanted)
    differing = [name for name in wanted if seen[name] != wanted[name]]
    wrong = [f"{label}{name}={seen[name]} where {wanted[name]} is due" for name in differing]
    return f"{label}{text}", wrong


def _exit_values(run):
    return {"exit": run.code, "signal": run.code - 128}


def _check_total(expectation, measured, _):
    wanted = expectation.numbers()
    return _compare("", wanted, {name: _exit_values(measured).get(name, measured.measure(name)) for name in wanted})


def _check_difference(expectation, _, runs):
    argument = int(expectation.of)
    many, none = runs.measured(argument), runs.measured(0)
    wanted, seen = expectation.numbers(), {}
    if none.result is None:
        return "", [f"no result for argument 0, exit code {none.code}"]
    for name in wanted:
        values = (many.measure(name), none.measure(name))
        seen[name] = _exit_values(many).get(name, None if None in values else values[0] - values[1])
    return _compare("difference ", wanted, seen)


def _check_valgrind(expectation, _, runs):
    argument = int(expectation.of)
    many, none = runs.valgrind(argument), runs.valgrind(0)
    wanted = {name: many[name] - none[name] for name in expectation.value.split()}
    seen = {name: runs.measured(argument).measure(name) - runs.measured(0).measure(name) for name in wanted}
    return _compare("difference ", wanted, seen)


def _process_values(process, wanted):
    """The exit code of a process that nobody of ours waited for may be unknown, but it may not be another one."""
    values = {name: process["measures"].get(name) for name in wanted}
    if "exit" in wanted:
        values["exit"] = process.get("exit_code", wanted["exit"])
    return values


def _check_processes(label, processes, wanted):
    got, wrong = [], []
    for process in processes:
        text, differs = _compare(f"{label} ", wanted, _process_values(process, wanted))
        got.append(text)
        wrong += differs
    return "; ".join(dict.fromkeys(got)), list(dict.fromkeys(wrong))


def _check_first(expectation, measured, _):
    return _check_processes("first", measured.processes[:1], expectation.numbers())


def _check_last(expectation, measured, _):
    return _check_processes("last", measured.processes[-1:], expectation.numbers())


def _check_children(expectation, measured, _):
    children = measured.processes[1:]
    if len(children) != int(expectation.of):
        return "", [f"{len(children)} children where {expectation.of} are due"]
    return _check_processes("child", children, expectation.numbers())


def _check_named_process(expectation, measured, _):
    named = [process for process in measured.processes if Path(process["executable"]).name == expectation.of]
    if not named:
        return "", [f"no process {expectation.of}"]
    return _check_processes(expectation.of, named, expectation.numbers())


def _check_ends(expectation, measured, _):
    ends = " ".join(process.get("end", "unknown") for process in measured.processes)
    return f"ends {ends}", [] if ends == expectation.value else [f"ends {ends} where {expectation.value} is due"]


def _check_one_pid(expectation, measured, _):
    pids = [process["pid"] for process in measured.processes]
    text = f"{len(pids)} images of {len(set(pids))} process"
    right = len(pids) == int(expectation.value) and len(set(pids)) == 1
    return text, [] if right else [f"{text} where {expectation.value} of 1 are due"]


_CHECKS = {
    "": _check_total,
    "difference": _check_difference,
    "valgrind": _check_valgrind,
    "first": _check_first,
    "last": _check_last,
    "children": _check_children,
    "process": _check_named_process,
    "ends": _check_ends,
    "one pid": _check_one_pid,
}
