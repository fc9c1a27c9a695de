# SPDX-License-Identifier: Apache-2.0
# Copyright the allocgate authors
"""What came for each case, held against what is due."""

LEAST_COUNTED = 1000  # what each program that is counted allocates itself


class Row:
    def __init__(self, case, skipped=""):
        self.case = case
        self.skipped = skipped
        self.stat = None
        self.run = None
        self.wrong = []

    def take_stat(self, outcome):
        self.stat = outcome
        self._expect("stat", outcome, self.case.stat)
        if self.case.stat == 0 and outcome.counted < LEAST_COUNTED:
            self.wrong.append(f"stat counted {outcome.counted} allocations of {LEAST_COUNTED}")
        if self.case.says not in outcome.sentence:
            self.wrong.append(f"stat did not say '{self.case.says}': {outcome.sentence}")

    def take_run(self, outcome):
        self.run = outcome
        self._expect("run", outcome, self.case.run)

    def _expect(self, what, outcome, due):
        if outcome.code != due:
            self.wrong.append(f"{what} ended with {outcome.code} where {due} is due: {outcome.text[-600:]}")

    @property
    def verdict(self):
        return "skipped" if self.skipped else "WRONG" if self.wrong else "right"

    @property
    def sentence(self):
        if self.skipped:
            return self.skipped
        return self.stat.sentence or f"(none: {self.stat.counted} allocations counted)"

    def codes(self):
        """stat due, stat came, run due, run came"""
        values = (self.case.stat, self.stat and self.stat.code, self.case.run, self.run and self.run.code)
        return ["-" if value is None else str(value) for value in values]


HEADING = ["case", "stat due", "came", "run due", "came", "verdict"]


def text_table(rows):
    cells = [HEADING] + [[row.case.name, *row.codes(), row.verdict] for row in rows]
    widths = [max(len(line[column]) for line in cells) for column in range(len(HEADING))]
    lines = []
    for index, line in enumerate(cells):
        lines.append("  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip())
        if index > 0:
            row = rows[index - 1]
            lines.append(f"    {row.sentence}")
            lines += [f"    wrong: {text}" for text in row.wrong]
    right = sum(row.verdict == "right" for row in rows)
    skipped = sum(bool(row.skipped) for row in rows)
    lines.append(f"{right} of {len(rows)} right, {skipped} skipped")
    return "\n".join(lines)


def markdown_table(rows):
    lines = ["| case | `stat` due | came | `run` due | came | the sentence |", "| --- | --- | --- | --- | --- | --- |"]
    for row in rows:
        sentence = row.sentence.replace("|", "\\|").replace("\n", " ")
        lines.append(f"| {row.case.name} | {' | '.join(row.codes())} | {sentence} |")
    return "\n".join(lines + [f"| wrong: {row.case.name} | | | | | {text} |" for row in rows for text in row.wrong])
