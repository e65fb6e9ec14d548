#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""pages.py SOURCE_ROOT BUILD_ROOT PROGRAM: what README.md and docs/ say can be done, and where they point to.

Every line of a ```sh block is run as it stands, in order, in an empty folder with the built tools on the PATH, or is
in NOT_RUN with the reason. Every ```cpp block is in a program that the tests run. Links and their anchors exist.
PROGRAM is what ./app stands for."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

INSTALLED = "tests/install runs it: it wants an installed skelrt"
SET_UP = "installs packages, and builds StarPU and skelrt: minutes"
SIMULATED = "builds StarPU with SimGrid and all of skelrt: minutes"
MINUTES = "measures: minutes"
MODELS = "measures: tests/tool/models.sh runs it"

NOT_RUN = {
    "tools/demo.sh": SET_UP,
    "tools/test.sh": SET_UP,
    "tools/setup.sh installed": SET_UP,
    "meson install -C build --no-rebuild": INSTALLED,
    "g++ -std=c++20 -O2 app.cpp $(pkg-config --cflags --libs skelrt)": INSTALLED,
    "mpirun -n 4 ./app": "mpirun wants options as root and on few cores: tests/cluster/mpirun.sh",
    "mpirun -n 2 build/examples/cluster": "likewise: tests/examples/shown.py runs it so",
    "g++ -std=c++20 -O2 -shared -fPIC own_policy.cpp -o own_policy.so $(pkg-config --cflags --libs starpu-1.4)":
        "the page's program is tests/examples/own_policy.cpp, which is built so",
    "STARPU_SCHED_LIB=$PWD/own_policy.so STARPU_SCHED=longest-first ./app": "tests/examples runs it as built there",
    "tools/simulate.sh": SIMULATED,
    'SKELRT_MACHINES="4gpu 2gpu_unequal" tools/simulate.sh': SIMULATED,
    'SKELRT_PLAY="apps/cg dot" tools/simulate.sh': SIMULATED,
    "SKELRT_MACHINES=4gpu tools/simulate.sh --speeds 1,1,1,0.25 --links 0.5": SIMULATED,
    'SKELRT_POLICIES="skelrt heft-tm" tools/simulate.sh': SIMULATED,
    "SKELRT_LOG=trace SKELRT_MACHINES=4gpu SKELRT_PLAY=apps/heat tools/simulate.sh": SIMULATED,
    "tools/simulate.sh --keys": SIMULATED,
    "tools/simulate.sh --test": SIMULATED,
    "skelrt calibrate": MODELS,
    "skelrt tune -o plan.json build/apps/jacobi/jacobi --size 2000": MODELS,
    "SKELRT_PLAN=plan.json build/apps/jacobi/jacobi --size 2000": MODELS,
    "skelrt-bench stream --device cpu": MINUTES,
    "skelrt-bench stream --device cuda": MINUTES,
    "skelrt-bench scan --device cuda": MINUTES,
    "skelrt-bench overhead": MINUTES,
    "skelrt-bench onepass": MINUTES,
    "skelrt-bench hybrid": MINUTES,
    "skelrt-bench programs": MINUTES,
    "skelrt-bench programs --applications": MINUTES,
    "skelrt-bench programs --explain 5": MINUTES,
    "skelrt-bench tuning --device cuda": MINUTES,
    "skelrt-bench policies": MINUTES,
    "skelrt-bench backends": MINUTES,
    "skelrt-bench peers": MINUTES,
    "skelrt-bench kernels --device cpu": MINUTES,
    "SKELRT_TRACE=run.json mpirun -n 2 build/apps/jacobi/jacobi": "mpirun wants options as root: tests/trace/ranks.sh runs two ranks",
    "skelrt trace run.0.json run.1.json -o all.json": "tests/trace/ranks.sh merges what two ranks wrote",
    "mpirun -n 2 skelrt-bench-ranks": MINUTES,
    "skelrt-bench compare OLD.txt NEW.txt": "OLD.txt and NEW.txt stand for outputs",
    "tools/measure.sh build OUT": MINUTES,
    "tools/experiments.sh": MINUTES,
    "tools/experiments.sh convolve sor": MINUTES,
    "tail -n +2 OUT/figures.csv >>docs/benchmarks/h100.csv": "changes the sources",
}

SCRIPTS_VARIABLES = {"SKELRT_MACHINES", "SKELRT_PLAY", "SKELRT_POLICIES"}  # of tools/simulate.sh

# What users search for: each is in README.md or a page of docs/, with what is so.
SEARCHED = """AMD Apptainer BLAS C++20 CMake CUDA Conan Docker Eigen FFT Fortran Guix HIP Intel Julia Kokkos MKL MPI MPICH NUMA
NVIDIA NVLink NVRTC Nsight NumPy OpenCL OpenMP PyTorch Python ROCm SYCL SkePU Slurm Spack StarPU TBB Taskflow Thrust Ubuntu
WSL Windows aarch64 atomic cgroup checkpoint conda cuBLAS cuFFT exceptions fork gdb licence limits macOS pkg-config profiler
sanitizers valgrind vcpkg""".split() + ["GPU Direct", "Intel MPI", "half precision", "tensor cores", "unified memory"]

MADE = {"index.md", "decisions/index.md", "reference/index.md"}  # pages of the book, by tools/docs.sh

LANGUAGES = {"sh", "text", "cpp", "meson", "cmake", "json"}

source, build, program = (pathlib.Path(a).resolve() for a in sys.argv[1:4])
pages = [source / "README.md", *sorted((source / "docs").rglob("*.md"))]
guides = [p for p in pages if "decisions" not in p.parts]
linking = [*pages, *(source / p for p in ("CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "tests/README.md",
                                          "perfmodels/README.md"))]
failures = 0


def fail(page, line, what):
    global failures
    failures += 1
    print(f"{page.relative_to(source)}:{line}: {what}")


def blocks_of(page):
    """The code blocks: line of the fence, language, lines."""
    blocks, inside = [], False
    for number, line in enumerate(page.read_text().splitlines(), 1):
        if line.startswith("```"):
            if not inside:
                blocks.append((number, line[3:].strip(), []))
            inside = not inside
        elif inside:
            blocks[-1][2].append(line)
    return blocks


def prose_of(page):
    """The page without its code, line by line."""
    inside = False
    for number, line in enumerate(page.read_text().splitlines(), 1):
        if line.startswith("```"):
            inside = not inside
        elif not inside:
            yield number, line


def command_of(line):
    return re.sub(r"(^|\s+)#.*", "", line).strip()


def make_folder(folder):
    """What the pages' examples take for granted: the checkout, a program, and models of jacobi."""
    for name in ("apps", "docs", "perfmodels", "tools"):
        (folder / name).symlink_to(source / name)
    (folder / "build").symlink_to(build)
    (folder / "app").symlink_to(program)
    path = f"{build}/src/tool:{build}/src/bench:{os.environ['PATH']}"
    env = {k: v for k, v in os.environ.items() if not k.startswith("SKELRT_")}
    env |= {"PATH": path, "SKELRT_MODELS": str(folder / "models"), "SKELRT_DEVICES": "cpu", "SKELRT_INLINE_US": "0"}
    subprocess.run(["build/apps/jacobi/jacobi", "--size", "100"], cwd=folder, env=env, check=True, capture_output=True)
    return env


def run_lines(folder):
    env, known = make_folder(folder), set()
    for page in guides:
        for start, language, lines in blocks_of(page):
            for number, line in enumerate(lines, start + 1):
                command = command_of(line) if language == "sh" else ""
                if command in NOT_RUN:
                    known.add(command)
                elif command:
                    run_line(page, number, command, folder, env)
    for command in NOT_RUN.keys() - known:
        fail(pathlib.Path(__file__).resolve(), 1, f"no page has this line any more: {command}")
    print(f"{len(known)} lines are not run")


LONGEST_S = 150  # beside another test on two cores; alone, the longest takes 17


def run_line(page, number, command, folder, env):
    try:
        ended = subprocess.run(["bash", "-euo", "pipefail", "-c", command], cwd=folder, env=env, text=True, timeout=LONGEST_S,
                               stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        print(f"exit code {ended.returncode}: {command}")
        if ended.returncode != 0:
            fail(page, number, f"ends with exit code {ended.returncode}: {command}\n{ended.stdout[-2000:]}")
    except subprocess.TimeoutExpired:
        fail(page, number, f"takes too long for a test; if it has to, name it in NOT_RUN with the reason: {command}")


def check_blocks():
    """Each block is of a known kind, and code is what a test compiles and runs."""
    quoting = (source / "tests/examples/meson.build").read_text()
    for page in guides:
        for number, language, lines in blocks_of(page):
            if language not in LANGUAGES:
                fail(page, number, f"a block of kind '{language}': one of {', '.join(sorted(LANGUAGES))}")
            elif language == "cpp" and page.parent.name == "docs" and f"docs/{page.name}'" not in quoting:
                fail(page, number, "no test compares this page's code with a program: see quoted.sh")
        for number, line in prose_of(page):
            if line.startswith("    "):
                fail(page, number, "an indented block: nobody knows what it is; use ```sh, ```text or ```cpp")


def anchors_of(page):
    """As GitHub makes them of headings."""
    anchors = set()
    for _, line in prose_of(page):
        if line.startswith("#"):
            text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", line.lstrip("#").strip()).lower()
            anchors.add(re.sub(r"[^\w\- ]", "", text).replace(" ", "-"))
    return anchors


def check_links():
    for page in linking:
        for number, line in prose_of(page):
            for target in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`]*`", "", line)):
                if re.match(r"https?:", target):
                    continue
                path, _, anchor = target.partition("#")
                there = (page.parent / path).resolve() if path else page
                if not there.exists():
                    fail(page, number, f"a link to {target}: there is no such file")
                elif anchor and anchor not in anchors_of(there):
                    fail(page, number, f"a link to {target}: there is no such heading")


def said_by(*arguments):
    return subprocess.run([build / "src/tool/skelrt", *arguments], capture_output=True, text=True).stdout


def check_names():
    """Variables and commands are those that the program knows, and files of the sources are there."""
    variables = set(re.findall(r"^  ([A-Z][A-Z0-9_]+)", said_by("env"), re.M)) | SCRIPTS_VARIABLES
    commands = set(re.findall(r"^  (\w+) ", said_by("--help").partition("ubcommands:")[2], re.M))
    for page in guides:
        for number, line in enumerate(page.read_text().splitlines(), 1):
            for name in re.findall(r"\b(SKELRT_[A-Z_]+)=", line):
                if name not in variables:
                    fail(page, number, f"{name}: `skelrt env` knows no such variable")
        for number, line in prose_of(page):
            for command in re.findall(r"`skelrt ([a-z]+)", line):
                if command not in commands:
                    fail(page, number, f"skelrt {command}: there is no such command")
            for path in re.findall(r"`((?:apps|docs|include|perfmodels|src|tests|tools)/[\w./-]+)`", line):
                if not (source / path).exists() and not (source / f"{path}.cpp").exists():
                    fail(page, number, f"{path}: there is no such file")


def check_words():
    text = "\n".join(p.read_text() for p in guides)
    for word in SEARCHED:
        if not re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text):
            fail(source / "docs/glossary.md", 1, f"nothing is said of {word}, which users search for")


def check_book():
    """The book has each page once, and no other."""
    named = re.findall(r"^ +- [^:]+: ([\w/-]+\.md)$", (source / "mkdocs.yml").read_text(), re.M)
    book = source / "mkdocs.yml"
    for page in {p.relative_to(source / "docs").as_posix() for p in guides if p.parent.name == "docs"} - set(named):
        fail(book, 1, f"docs/{page} is not in the book")
    for page in named:
        if not (source / "docs" / page).exists() and page not in MADE:
            fail(book, 1, f"there is no docs/{page}")


check_blocks()
check_links()
check_words()
check_book()
check_names()
with tempfile.TemporaryDirectory() as name:
    run_lines(pathlib.Path(name))
print(f"{failures} statements do not hold")
sys.exit(failures > 0)
