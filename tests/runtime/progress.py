#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""progress.py SLOW: calls that take long say so on a terminal, or where SKELRT_PROGRESS=1 asks for it, and nowhere else.

Calls that are to speak end once they have spoken; the others take longer than the time after which they would."""

import os
import pathlib
import pty
import re
import select
import subprocess
import sys
import tempfile
import time

program = sys.argv[1]
SILENT_FOR = "3.5"  # seconds; calls speak after two
LINE = re.compile(r"skelrt: still at work: .*map \(.*slow\.cpp:\d+\), \d+ s")


class run:
    def __init__(self, folder, name, terminal, speaks, **variables):
        self.name, self.speaks, self.text = name, speaks, ""
        self.go_on = pathlib.Path(folder, name.replace(" ", "_"))
        env = {k: v for k, v in os.environ.items() if k != "SKELRT_PROGRESS"} | {"SKELRT_DEVICES": "cpu"} | variables
        self.end, other = pty.openpty() if terminal else os.pipe()
        command = [program, self.go_on] + ([] if speaks else [SILENT_FOR])
        self.process = subprocess.Popen(command, env=env, stderr=other, stdin=subprocess.DEVNULL)
        os.close(other)

    def read(self):
        """False: it has ended."""
        try:
            got = os.read(self.end, 4096)
        except OSError:  # of a terminal that nobody has open
            got = b""
        self.text += got.decode(errors="replace")
        if LINE.search(self.text):
            self.go_on.touch()
        return bool(got)

    def problem(self):
        if self.process.wait(timeout=60) != 0:
            return f"exit code {self.process.returncode}"
        said = bool(LINE.search(self.text))
        return None if said == self.speaks else "says nothing" if self.speaks else "speaks"


with tempfile.TemporaryDirectory() as folder:
    runs = [
        run(folder, "on a terminal, inline", True, True),
        run(folder, "on a terminal, as a task", True, True, SKELRT_INLINE_US="0"),
        run(folder, "asked for", False, True, SKELRT_PROGRESS="1"),
        run(folder, "not on a terminal", False, False),
        run(folder, "on a terminal, not wanted", True, False, SKELRT_PROGRESS="0"),
        run(folder, "on a terminal without messages", True, False, SKELRT_LOG="off"),
    ]
    open_ends, until = {r.end: r for r in runs}, time.monotonic() + 100
    while open_ends and time.monotonic() < until:
        for end in select.select(list(open_ends), [], [], 1)[0]:
            if not open_ends[end].read():
                del open_ends[end]
    failures = 0
    for r in runs:
        r.go_on.touch()
        problem = r.problem()
        failures += problem is not None
        print(f"{r.name}: {problem or 'right'}\n{r.text}")
sys.exit(failures > 0)
