# SPDX-License-Identifier: Apache-2.0
# Copyright the allocgate authors
"""What of a run may not depend on who was counting."""

import re
from dataclasses import dataclass, field


class Unable(Exception):
    """The program could not be run as the table says; the message says what happened."""


@dataclass
class Outcome:
    exit_code: int
    standard_output: str
    standard_error: str
    files: dict = field(default_factory=dict)

    def differences(self, other):
        """The names of what is not the same in both."""
        return [what.replace("_", " ") for what in vars(self) if getattr(self, what) != getattr(other, what)]

    def normalised(self, changes):
        """With what changes between two runs anyway replaced by a word."""
        def plain(text):
            for _, pattern, replacement in changes:
                text = re.sub(pattern, replacement, text, flags=re.MULTILINE)
            return text

        return Outcome(self.exit_code, plain(self.standard_output), plain(self.standard_error), self.files)
