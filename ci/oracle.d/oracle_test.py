# SPDX-License-Identifier: Apache-2.0
# Copyright the allocgate authors
"""The oracle itself: it must turn red where counts differ, and read what the counters print."""

import json
import tempfile
import unittest
from pathlib import Path

from heap import Heap, Image, read_result, read_valgrind
from outcome import Outcome
from program import Program
from programs import PROGRAMS
from rows import Row, check_outcome, check_probes, check_valgrind

LOG = "==7== total heap usage: 1,234 allocs, 56 frees, 7,890,123 bytes allocated\n"


def image(heap, pid=7, end="exited", forked=False, failed=0):
    return Image(pid, "/usr/bin/program", end, forked, failed, heap)


class FakeRun:
    """Says what it is told to say."""

    def __init__(self, bare=(Outcome(0, "", ""), Outcome(0, "", "")), counted=Outcome(0, "", ""), images=(), totals=(),
                 calls=None):
        self.outcomes, self.counted_outcome = list(bare), counted
        self.images, self.totals, self.calls = list(images), list(totals), calls or {}

    def bare(self):
        return self.outcomes.pop(0)

    def counted(self):
        return self.counted_outcome, self.images, 1

    def under_valgrind(self):
        return Outcome(0, "", ""), self.totals

    def probed(self):
        return self.images, self.calls


def verdict(check, run, **fields):
    row = Row(Program("program", "program", {}, **fields), images=run.images)
    check(row, run, *([Outcome(0, "", "")] if check is check_valgrind else []))
    return row.verdict


class OracleTest(unittest.TestCase):
    def test_valgrind_totals_are_read(self):
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "7").write_text(LOG)
            Path(folder, "8").write_text("==8== replaced by exec: no summary\n")
            self.assertEqual(read_valgrind(Path(folder)), [Heap(1234, 56, 7890123)])

    def test_a_forked_child_is_told_from_one_that_called_exec(self):
        measures = {"allocations": 1, "deallocations": 0, "allocated_bytes": 8}
        processes = [{"pid": 1, "parent_pid": 0, "executable": "/bin/a", "end": "exited", "measures": measures},
                     {"pid": 2, "parent_pid": 1, "executable": "/bin/a", "end": "replaced", "measures": measures},
                     {"pid": 2, "parent_pid": 1, "executable": "/bin/b", "measures": measures}]
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            json.dump({"workloads": [{"processes": processes}]}, file)
            file.flush()
            images = read_result(Path(file.name))
        self.assertEqual([entry.forked for entry in images], [False, True, False])
        self.assertEqual([entry.end for entry in images], ["exited", "replaced", "unknown"])

    def test_valgrind_decides(self):
        run = FakeRun(images=[image(Heap(3, 2, 40))], totals=[Heap(3, 2, 40)])
        self.assertEqual(verdict(check_valgrind, run), "equal")
        for other in (Heap(4, 2, 40), Heap(3, 1, 40), Heap(3, 2, 41)):
            run = FakeRun(images=[image(Heap(3, 2, 40))], totals=[other])
            self.assertEqual(verdict(check_valgrind, run), "different")

    def test_two_wrongs_that_add_up_are_wrong(self):
        run = FakeRun(images=[image(Heap(3, 2, 40)), image(Heap(5, 2, 40), pid=8)], totals=[Heap(4, 2, 40)] * 2)
        self.assertEqual(verdict(check_valgrind, run), "different")

    def test_an_image_that_valgrind_cannot_total_is_not_passed_over(self):
        run = FakeRun(images=[image(Heap(1, 0, 8)), image(Heap(1, 0, 8), pid=8, forked=True)], totals=[Heap(1, 0, 8)])
        self.assertEqual(verdict(check_valgrind, run), "different")

    def test_only_the_explained_difference_is_explained(self):
        run = FakeRun(images=[image(Heap(3, 2, 56))], totals=[Heap(3, 2, 40)])
        self.assertEqual(verdict(check_valgrind, run, explained="why", more=Heap(0, 0, 16)), "explained")
        self.assertEqual(verdict(check_valgrind, run, explained="why", more=Heap(0, 0, 32)), "different")

    def test_probes_decide_process_by_process(self):
        images = [image(Heap(3, 2, 40)), image(Heap(1, 1, 8))]
        self.assertEqual(verdict(check_probes, FakeRun(images=images, calls={7: Heap(4, 3, 48)})), "equal")
        self.assertEqual(verdict(check_probes, FakeRun(images=images, calls={7: Heap(4, 2, 48)})), "different")

    def test_a_process_without_the_hooks_is_seen(self):
        run = FakeRun(images=[image(Heap(3, 2, 40))], calls={7: Heap(3, 2, 40), 8: Heap(1, 0, 8)})
        self.assertEqual(verdict(check_probes, run), "different")

    def test_every_part_of_the_outcome_counts(self):
        self.assertEqual(verdict(check_outcome, FakeRun()), "equal")
        for other in (Outcome(1, "", ""), Outcome(0, "x", ""), Outcome(0, "", "x"), Outcome(0, "", "", {"file": b"x"})):
            self.assertEqual(verdict(check_outcome, FakeRun(counted=other)), "different")

    def test_only_what_changes_anyway_is_normalised(self):
        times = (("times", r"\d+ s", "TIME"),)
        changing = [Outcome(0, "1 s", ""), Outcome(0, "2 s", "")]
        run = FakeRun(bare=changing, counted=Outcome(0, "3 s", ""))
        self.assertEqual(verdict(check_outcome, run, changes=times), "equal")
        steady = [Outcome(0, "1 s", "")] * 2
        run = FakeRun(bare=steady, counted=Outcome(0, "3 s", ""))
        self.assertEqual(verdict(check_outcome, run, changes=times), "different")

    def test_the_table_is_whole(self):
        self.assertEqual(len({program.name for program in PROGRAMS}), len(PROGRAMS))
        self.assertGreaterEqual(len(PROGRAMS), 25)
        for program in PROGRAMS:
            self.assertTrue(program.packages, program.name)
            self.assertEqual(bool(program.load), bool(program.ready and program.stop), program.name)


if __name__ == "__main__":
    unittest.main()
