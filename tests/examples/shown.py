#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""shown.py SOURCE_ROOT BUILD_ROOT mpi|alone PAGE PROGRAM...: the page's programs print what it says.

Where a ```text block follows a ```sh block with nothing in between, it is what the line prints. Each of the programs
is run by such a line. With `alone` lines of mpirun are left out."""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

source, build = (pathlib.Path(a).resolve() for a in sys.argv[1:3])
has_mpi, name, programs = sys.argv[3] == "mpi", sys.argv[4], sys.argv[5:]
page = (source / name).read_text()
shown = re.findall(r"^```sh\n(.*)\n```\n\n```text\n((?:.*\n)*?)```$", page, re.M)
failures, run, left_out = 0, 0, 0

with tempfile.TemporaryDirectory() as empty:
    folder = pathlib.Path(empty)
    (folder / "build").symlink_to(build)
    for line, wanted in shown:
        command = line.replace("mpirun -n", f"{source}/tests/cluster/mpirun.sh {shutil.which('mpirun')}")
        if command != line and not has_mpi:
            left_out += 1
            continue
        ended = subprocess.run(["bash", "-c", command], cwd=folder, text=True, timeout=60, capture_output=True)
        run += 1
        if ended.returncode != 0 or ended.stdout != wanted:
            failures += 1
            print(f"{line}\n  exit code {ended.returncode}, prints\n{ended.stdout}  the page says\n{wanted}{ended.stderr}")

for program in programs:
    if not any(f"build/examples/{program}" in line for line, _ in shown):
        failures += 1
        print(f"{name} does not run build/examples/{program}, or shows nothing of what it prints")
print(f"{run} lines run, {left_out} left out, {failures} failures")
sys.exit(failures > 0)
