# SPDX-License-Identifier: Apache-2.0
# Copyright the allocgate authors
"""Repositories whose commits count what a test wants, made in one go."""

import os
import subprocess

SOURCE = """#include <stdlib.h>
/* As many rounds as the argument says, with {each} allocations in each and {once} at the start. */
int main(int argc, char** argv) {{
  const long rounds = argc > 1 ? strtol(argv[1], NULL, 10) : 1;
  for (long i = 0; i < {once}; ++i) free((void* volatile)malloc(8));
  for (long i = 0; i < rounds; ++i)
    for (int k = 0; k < {each}; ++k) {{
      void* volatile block = malloc(24);
      free(block);
    }}
  return 0;
}}
"""
BROKEN = "this is no C\n"
BUILD = "$CC_FOR_TESTS -O0 -o count count.c"


def source(each, once=0):
    return SOURCE.format(each=each, once=once)


class History:
    """Commits of one file, count.c, written by git fast-import when `write` is called."""

    def __init__(self, top):
        self.top = top
        self.stream = []
        self.mark = 0
        top.mkdir()
        self.git("init", "-q", "-b", "trunk")

    def git(self, *words, **options):
        done = subprocess.run(["git", "-c", "user.name=A", "-c", "user.email=a@example.org", *words], cwd=self.top,
                              capture_output=True, text=True, check=True, **options)
        return done.stdout.strip()

    def commit(self, subject, content, parent=None, merged=None, branch="trunk"):
        """Adds a commit after `parent`, and after `merged` too; returns its mark."""
        self.mark += 1
        when = 1767225600 + 60 * self.mark  # one a minute from the beginning of 2026
        lines = [f"commit refs/heads/{branch}", f"mark :{self.mark}", f"committer A <a@example.org> {when} +0000",
                 f"data {len(subject)}", subject]
        if parent:
            lines.append(f"from :{parent}")
        if merged:
            lines.append(f"merge :{merged}")
        for name, text in (("count.c", content), (".gitignore", "count\n")):
            lines += [f"M 100644 inline {name}", f"data {len(text)}", text]
        self.stream.append("\n".join(lines) + "\n")
        return self.mark

    def write(self):
        """Writes them; returns mark -> commit."""
        marks = self.top / ".git/marks"
        subprocess.run(["git", "fast-import", "--quiet", f"--export-marks={marks}"], cwd=self.top,
                       input="".join(self.stream), text=True, check=True)
        self.git("checkout", "-q", "-f", "trunk")
        return {int(mark[1:]): commit for mark, commit in map(str.split, marks.read_text().splitlines())}


def environment_of(folder):
    return os.environ | {"ALLOCGATE_CACHE_DIR": str(folder / "cache")}
