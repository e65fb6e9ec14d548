#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Floors only look down: src/runtime knows nothing of src/lowering, and no two units need each other.

floors.py SOURCE_ROOT [NM ARCHIVE]

Fails on an include that runs up, on a function that a lower floor calls and a higher one defines (as objects of single
files tell), and on units (a header and the source file of its name) or folders that include each other in a circle.
Fails on a decider, too: a file that names what a call's device is chosen with, outside of the rooms that decide. Prints
the figures circles, upward_arrows and deciders.
"""
import collections
import pathlib
import re
import subprocess
import sys

# The lowest first. Folders on one line may know each other in one direction only.
FLOORS = [
    ["src/config.hpp"],
    ["schedulers"],
    ["src/trace"],
    ["src/runtime"],
    ["src/program"],
    ["src/jit", "src/function"],
    ["src/model"],
    ["src/cluster"],
    ["src/data"],
    ["codelets", "codelets/blas", "codelets/cpu", "codelets/cuda", "codelets/opencl"],
    ["src/lowering"],
    ["src/tasks"],
    ["src/farm"],
]
# Rooms that decide where a call runs. What their doors declare is for everybody: questions, and answers that are
# carried out. All else that their headers declare is for them alone: facts, rules, what is held, and who may do a call.
DECIDING = ["src/lowering/decide", "src/lowering/plan"]
DOORS = {f"src/lowering/decide/{door}.hpp" for door in ("caller", "decide", "decision", "decision_log", "request", "runs/run_episode", "steps")}
# They put the library together, so they name what it owns.
COMPOSING = {"src/lowering/engine.hpp", "src/lowering/start_engine.cpp"}
OWNED = {"program_episodes", "decisions"}  # the engine's members that only who decides asks for
FLOOR = {folder: k for k, folders in enumerate(FLOORS) for folder in folders}


def folder_of(path):
    """The folder of FLOORS that it lies in, in whatever room; of programs, which have none, the outermost one."""
    parts = path.split("/")
    within = ("/".join(parts[:n]) for n in range(len(parts), 0, -1))
    return next((folder for folder in within if folder in FLOOR), parts[0])


def unit_of(path):
    return re.sub(r"\.(hpp|cpp|cu)$", "", path)


def includes(root):
    for top in ("src", "codelets", "schedulers"):
        for file in sorted((root / top).rglob("*.[hc]pp")):
            name = str(file.relative_to(root))
            if folder_of(name) not in FLOOR:
                continue  # programs
            for line in file.read_text().splitlines():
                if match := re.match(r'#include "((?:src|codelets|schedulers)/[^"]+)"', line):
                    yield name, match[1]
                elif match := re.match(r'#include "([^/"]+)"', line):
                    yield name, str(pathlib.PurePosixPath(name).parent / match[1])


def symbols(nm, archive, root):
    """(file, defined, undefined) of each object; what the compiler may have made in several objects is nobody's."""
    out = subprocess.run([nm, "-A", archive], check=True, capture_output=True, text=True).stdout
    defined, undefined = collections.defaultdict(set), collections.defaultdict(set)
    for line in out.splitlines():
        match = re.search(r"((?:src|codelets|schedulers)_[^/:]*)\.cpp\.o:.* ([A-Za-z]) (\S+)$", line)
        if match and match[2] in "TDBU":
            (undefined if match[2] == "U" else defined)[match[1]].add(match[3])
    for item in sorted(defined.keys() | undefined.keys()):
        name = source_of(item, root)
        if name is not None and folder_of(name) in FLOOR:
            yield name, defined[item], undefined[item]


def source_of(mangled, root):
    """meson turns src/runtime/cores/team.cpp into src_runtime_cores_team.cpp.o."""
    def search(prefix, rest):
        for cut in [m.start() for m in re.finditer("_", rest)] + [len(rest)]:
            head, tail = prefix / rest[:cut], rest[cut + 1:]
            if cut == len(rest):
                return head.with_name(head.name + ".cpp") if (root / head.with_name(head.name + ".cpp")).exists() else None
            if (root / head).is_dir() and (found := search(head, tail)):
                return found
        return None

    found = search(pathlib.PurePosixPath(), mangled)
    return str(found) if found else None


def circles(edges):
    """Strongly connected components of more than one (Tarjan, 1972)."""
    index, low, stack, found = {}, {}, [], []

    def visit(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in edges[node]:
            if other not in index:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], index[other])
        if low[node] == index[node]:
            component = []
            while not component or component[-1] != node:
                component.append(stack.pop())
            if len(component) > 1:
                found.append(sorted(component))

    sys.setrecursionlimit(10000)
    for node in list(edges):
        if node not in index:
            visit(node)
    return found


def without_comments(text):
    return re.sub(r'//[^\n]*|/\*.*?\*/|"(?:[^"\\\n]|\\.)*"', " ", text, flags=re.S)


def declared(header):
    """Types, functions and inner namespaces that a header declares for others: they begin their line."""
    for line in without_comments(header.read_text()).splitlines():
        if match := re.match(r"(?:struct|class|enum class|namespace skelrt::detail::)\s*(\w+)", line):
            if "{" in line or not line.rstrip().endswith(";"):  # else it is defined elsewhere
                yield match[1]
        elif not re.match(r"using |template|namespace|static_assert|[#\s}{]", line) and (match := re.match(r"[^(=]*[\s&*](\w+)\(", line)):
            yield match[1]


def deciders(root):
    """(file, what it names) outside of the deciding rooms. A name counts where its header can be seen."""
    direct = collections.defaultdict(set)
    for user, used in includes(root):
        direct[user].add(used)

    def seen_by(file):
        seen, todo = set(), [file]
        while todo:
            for used in direct[todo.pop()] - seen:
                seen.add(used)
                todo.append(used)
        return seen

    def decides(file):
        return any(file.startswith(room + "/") for room in DECIDING)

    inner = {name for name in list(direct) if decides(name)} | {used for all_used in direct.values() for used in all_used if decides(used)}
    inner = {name for name in inner if name.endswith(".hpp") and name not in DOORS}
    words = {header: set(declared(root / header)) for header in inner}
    if not all(words.values()):
        sys.exit("no names were read of " + ", ".join(header for header in inner if not words[header]))
    for file in sorted(set(direct) - COMPOSING):
        if decides(file):
            continue
        choices = set(OWNED).union(*(words[header] for header in seen_by(file) & inner))
        text = without_comments((root / file).read_text())
        named = sorted(set(re.findall(r"(?<![\w.:>])(\w+)", text)) & (choices - OWNED) | set(re.findall(r"\b(\w+)\(\)", text)) & OWNED)
        if named:
            yield file, named


def main():
    root, objects = pathlib.Path(sys.argv[1]), sys.argv[2:]
    upward, units, folders = [], collections.defaultdict(set), collections.defaultdict(set)

    def check(user, used, how):
        a, b = folder_of(user), folder_of(used)
        if a != b:
            folders[a].add(b)
            if FLOOR.get(b, len(FLOORS)) > FLOOR[a]:
                upward.append(f"{user} {how} {used}")

    for user, used in includes(root):
        check(user, used, "includes")
        if unit_of(user) != unit_of(used):
            units[unit_of(user)].add(unit_of(used))
    definer, needs = {}, []
    for name, defined, undefined in symbols(*objects, root) if objects else []:
        definer.update((symbol, name) for symbol in defined)
        needs.append((name, undefined))
    if objects and not definer:
        sys.exit("no symbols were read")
    for user, undefined in needs:
        for symbol in sorted(undefined & definer.keys()):
            check(user, definer[symbol], f"needs {symbol} of")
    in_circles = circles(units) + circles(folders)
    for line in upward:
        print("up:", line)
    for component in in_circles:
        print("circle:", " ".join(component))
    outside = list(deciders(root))
    for file, named in outside:
        print(f"decider: {file} names {', '.join(named)}")
    print(f"figure: circles {len(in_circles)}\nfigure: upward_arrows {len(upward)}\nfigure: deciders {len(outside)}")
    return 1 if upward or in_circles or outside else 0


if __name__ == "__main__":
    sys.exit(main())
