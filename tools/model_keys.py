#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Writes into a file of models the keys that codelets have now. Reads what skelrt-simulate says when it has no models:
see tools/simulate.sh --keys.

A codelet's key is made of the texts of its functions, its name here, "GRAPH N: SKELETON ...", of where it comes first in
that graph: models outlive changes of functions.
"""
import json
import pathlib
import re
import sys


def codelets(lines):
    """(graph, number) -> (skeleton, key), of warnings that come before the line with their graph's time."""
    result, seen = {}, []
    for line in lines:
        if warning := re.search(r'warning: ([^(:]+?)(?: \(.*\))?: no model \(key ([0-9a-f]{16})\)', line):
            seen.append(warning.groups())
        elif time := re.fullmatch(r'(\S+) [0-9.]+', line.strip()):
            result |= {(time[1], n): codelet for n, codelet in enumerate(seen, start=1)}
            seen = []
    return result


def main():
    file = pathlib.Path(sys.argv[1])
    now, known, lines = codelets(sys.stdin), set(), []
    for line in file.read_text().splitlines(keepends=True):
        if entry := re.match(r'(\{"key": ")([0-9a-f]+)(", "name": "(\S+) (\d+): ([^,"]+))', line):
            graph, number, skeleton = entry[4], int(entry[5]), entry[6]
            if (graph, number) not in now:
                sys.exit(f'{file}: {graph} has no codelet {number}; remove it')
            kind, key = now[graph, number]
            if kind != skeleton:
                sys.exit(f'{file}: codelet {number} of {graph} is a {kind}, not a {skeleton}')
            known.add((graph, number))
            line = entry[1] + key + entry[3] + line[entry.end():]
        lines.append(line)
    json.loads(''.join(lines))
    file.write_text(''.join(lines))
    for (graph, number), (kind, key) in now.items():
        if (graph, number) not in known:
            print(f'{file}: no model of "{graph} {number}: {kind}", key {key}')


main()
