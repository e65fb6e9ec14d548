#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""messages.py SOURCE_ROOT: the messages of docs/troubleshooting.md are those that the sources have.

A message is what the first column of a table has between backticks. `...` stands for any text. Each must be in one
string of the sources, where "{}" is a place for a value."""

import pathlib
import re
import sys

source = pathlib.Path(sys.argv[1])
page = source / "docs/troubleshooting.md"
LITERAL = re.compile(r'"(?:[^"\\\n]|\\.)*"(?:\s*"(?:[^"\\\n]|\\.)*")*')
PART = re.compile(r'"((?:[^"\\\n]|\\.)*)"')


def texts():
    """What stands between quotes; pieces that follow each other are one text."""
    for folder in ("include", "src", "codelets", "schedulers"):
        for file in sorted((source / folder).rglob("*.[ch]pp")):
            for found in LITERAL.finditer(file.read_text()):
                yield "".join(PART.findall(found.group())).replace('\\"', '"')


def is_known(message):
    """Dots stand for any text, also none: a message may go on, or begin with a call."""
    pieces = message.split("...")
    longest, whole = max(pieces, key=len), re.compile(".*".join(map(re.escape, pieces)))
    return any(longest in text and whole.search(text) for text in known)


known = set(texts())
checked = failures = 0
for number, line in enumerate(page.read_text().splitlines(), 1):
    row = re.match(r"\| `([^`]+)` \|", line)
    if not row:
        continue
    checked += 1
    if not is_known(row.group(1)):
        failures += 1
        print(f"docs/troubleshooting.md:{number}: no such message in the sources: {row.group(1)}")
print(f"{checked} messages, {failures} of them in no source")
sys.exit(failures > 0 or checked < 100)
