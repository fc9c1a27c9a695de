# SPDX-License-Identifier: Apache-2.0
# Copyright the allocgate authors
"""Holds the case files to the contract: every verdict and every exit code there is must be produced by one of them, or
by a test that is named here."""

import pathlib
import re
import unittest

HERE = pathlib.Path(__file__).parent
SOURCE = HERE.parent.parent / "src"

# Codes that need a real process around them, and where they are produced.
ELSEWHERE = {
    125: "stat_test.py",
    126: "stat_test.py",
    127: "stat_test.py",
    130: "interrupt_test.py",
}
# Reserved by the contract for `check --bisect`; whoever produces it takes it out of here.
NOT_PRODUCED_YET = {129}


def exit_codes():
    text = (SOURCE / "base/exit_code.hpp").read_text()
    return {int(code) for code in re.findall(r"^  \w+ = (\d+),", text, re.M)}


def verdicts():
    text = (SOURCE / "model/names.hpp").read_text()
    return set(re.findall(r'\{VerdictKind::\w+, "([^"]+)"\}', text))


def steps():
    """The command, output and exit status of every step of every case."""
    for case in sorted((HERE / "cases").glob("*.case")):
        for step in re.split(r"^(?=\$ )", case.read_text(), flags=re.M)[1:]:
            lines = step.splitlines()
            status = next((int(line[2:]) for line in lines if line.startswith("? ")), 0)
            yield lines[0][2:], "\n".join(line[2:] for line in lines[1:] if line[:1] == ">"), status


class Complete(unittest.TestCase):
    def test_every_exit_code_is_produced(self):
        produced = {status for _, _, status in steps()}
        missing = exit_codes() - produced - set(ELSEWHERE) - NOT_PRODUCED_YET
        self.assertEqual(missing, set())
        self.assertLessEqual(produced, exit_codes(), "a case ends with a code that the contract does not have")
        for code, file in ELSEWHERE.items():
            self.assertRegex((HERE / file).read_text(), rf"\b{code}\b", file)

    def test_every_code_that_check_documents_is_produced_by_check(self):
        text = (SOURCE / "cli/command_check.cpp").read_text()
        documented = {int(code) for code in re.findall(r'\{"(\d+)", "', text)}
        produced = {status for command, _, status in steps() if "allocgate check" in command}
        self.assertGreater(len(documented), 8)
        self.assertEqual(documented - produced - set(ELSEWHERE), set())

    def test_every_verdict_is_produced(self):
        # The last line of a report counts the verdicts by their names.
        last_lines = [out.splitlines()[-1] for command, out, _ in steps() if "check" in command and "; exit code " in out]
        self.assertGreater(len(last_lines), 20)
        missing = {name for name in verdicts() if not any(re.search(rf"\d {name}[,;]", line) for line in last_lines)}
        self.assertEqual(missing, set())


if __name__ == "__main__":
    unittest.main()
