#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Counts the lines of the applications, and puts them into the table of docs/applications.md.

    tools/app_lines.py           writes the numbers into the table, and prints the figure
    tools/app_lines.py --check   says what in the table is not so; a test calls this

An application's lines are all that its sources have, without tests and without what they share. Of its computing part
(kernel.hpp, kernel.cpp) and of the sequential program (reference.hpp, reference.cpp) only lines with code count:
neither comments and blank lines, nor #include, nor lone braces and namespaces. What only one of both does is left out:
what stands in them behind one of the comments of LEFT_OUT, as far as COUNTED_AGAIN.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs/applications.md"
MOST_MORE = 10  # lines that a program with skelrt may have more than the sequential one
LONGEST = 300

LEFT_OUT = {"// The problem.", "// What else is asked.", "// For both programs."}
COUNTED_AGAIN = "// The computation."

# Whose reference does other, lesser work: a product with a vector, or std::sort.
OTHER_WORK = {"cholesky", "quicksort", "summa"}


def code_lines(file):
    """Lines with code."""
    text = re.sub(r"/\*.*?\*/", "", file.read_text(), flags=re.S)
    count, counted = 0, True
    for line in text.splitlines():
        if line.strip() in LEFT_OUT:
            counted = False
        elif line.strip() == COUNTED_AGAIN:
            counted = True
        line = re.sub(r"//.*", "", line).strip()
        if counted and line and line not in "{}" and not re.match(r"#(include|pragma)|(using )?namespace\b", line):
            count += 1
    return count


def lines_of(app):
    """Of the application, its computing part, and the sequential program; None where that does other work."""
    folder = ROOT / "apps" / app
    whole = sum(len(f.read_text().splitlines()) for f in folder.glob("*.?pp"))
    kernel, reference = (sum(code_lines(f) for f in folder.glob(name + ".?pp")) for name in ("kernel", "reference"))
    return whole, kernel, None if app in OTHER_WORK else reference


def apps():
    return sorted(f.parent.name for f in ROOT.glob("apps/*/main.cpp"))


def cells(app):
    whole, kernel, reference = lines_of(app)
    if reference is None:
        return [str(whole), str(kernel), "other work", ""]
    return [str(whole), str(kernel), str(reference), f"{kernel - reference:+}"]


def with_numbers(page):
    """The page with the last four columns of its table as they are now."""
    found = set()
    lines = []
    for line in page.splitlines():
        row = re.match(r"\| \[(\w+)\]\(\.\./apps/", line)
        if row:
            found.add(row[1])
            kept = [c.strip() for c in line.strip("|").split("|")][:3]
            line = "| " + " | ".join(kept + cells(row[1])).rstrip() + " |"
        lines.append(line)
    for app in set(apps()) - found:
        sys.exit(f"docs/applications.md: {app} is not in the table")
    return "\n".join(lines) + "\n"


def main():
    page = PAGE.read_text()
    now = with_numbers(page)
    if "--check" in sys.argv[1:]:
        wrong = [was for was, line in zip(page.splitlines(), now.splitlines()) if was != line]
        if wrong:
            said = "docs/applications.md has other numbers than the sources; tools/app_lines.py writes them:"
            sys.exit("\n".join([said] + wrong))
    else:
        PAGE.write_text(now)
    counts = {app: lines_of(app) for app in apps()}
    over = [a for a, (_, kernel, plain) in counts.items() if plain and kernel > plain + MOST_MORE]
    print("more than the sequential program + 10 lines:", ", ".join(over) or "none")
    print("300 lines and more:", ", ".join(f"{a} {n}" for a, (n, _, _) in counts.items() if n >= LONGEST) or "none")
    print(f"figure: apps_lines_over {len(over)}")


if __name__ == "__main__":
    main()
