#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""recipes.py SOURCE VERSION: the recipes under packaging/ can be parsed, name options that there are, and the same StarPU."""

import ast
import pathlib
import re
import shutil
import subprocess
import sys

source, version = pathlib.Path(sys.argv[1]), sys.argv[2]
spack = source / "packaging/spack/packages/skelrt/package.py"
guix = source / "packaging/guix/skelrt.scm"
container = source / "packaging/container/Containerfile"
failures = []


def check(right, what):
    if not right:
        failures.append(what)


def of_base32(text):
    """Guix's digits of a checksum, as hexadecimal ones."""
    number = 0
    for digit in text:
        number = number * 32 + "0123456789abcdfghijklmnpqrsvwxyz".index(digit)
    return number.to_bytes(32, "little").hex()


def parentheses(text):
    """How many stay open; strings and comments count nothing."""
    code = re.sub(r'"(\\.|[^"\\])*"|;[^\n]*', "", text)
    return code.count("(") - code.count(")")


recipe = ast.parse(spack.read_text())
check(any(isinstance(n, ast.ClassDef) and n.name == "Skelrt" for n in recipe.body), f"{spack}: no class Skelrt")
scheme = guix.read_text()
check(parentheses(scheme) == 0, f"{guix}: {parentheses(scheme)} parentheses stay open")
check(f'(version "{version}")' in scheme, f"{guix}: not version {version}")
if guile := shutil.which("guile"):
    read = f'(call-with-input-file "{guix}" (lambda (p) (let next ((x (read p))) (or (eof-object? x) (next (read p))))))'
    check(subprocess.run([guile, "--no-auto-compile", "-c", read], check=False).returncode == 0, f"{guix}: guile cannot read it")

checksum = re.search(r'sha256="([0-9a-f]{64})"', spack.read_text())[1]
check(of_base32(re.search(r'base32 "(\w+)"', scheme)[1]) == checksum, "Spack and Guix name different archives of StarPU")
check(re.search(r'url="(.*)"', spack.read_text())[1] in scheme, "Spack and Guix name different addresses of StarPU")

options = re.findall(r"^option\('(\w+)'", (source / "meson_options.txt").read_text(), re.MULTILINE)
own = {"libdir", "pkg_config_path"}  # of meson itself
for file in (guix, container):
    named = set(re.findall(r"-D(\w+)=", file.read_text()))
    check(named and named <= {*options, *own}, f"{file}: options that meson_options.txt does not have: {named - {*options, *own}}")
for named in re.findall(r"for \w+ in \(([^)]*)\)", spack.read_text()):
    check(set(re.findall(r'"(\w+)"', named)) <= set(options), f"{spack}: options that there are not: {named}")
lines = re.sub(r"\\\n", "", container.read_text()).splitlines()
for line in lines:
    check(not line or re.match(r"#|(ARG|FROM|COPY|WORKDIR|RUN|ENV) ", line), f"{container}: {line}")
check(sum(line.startswith("FROM ") for line in lines) == 2, f"{container}: not two stages")

forge = source / ".github/workflows/tests.yml"
if forge.exists():  # not in an archive of the sources
    check("- run: tools/test.sh\n" in forge.read_text(), f"{forge}: does not run tools/test.sh")
    try:
        import yaml
    except ImportError:
        pass
    else:
        check("tests" in yaml.safe_load(forge.read_text())["jobs"], f"{forge}: no job called tests")

print("\n".join(failures) or "ok")
sys.exit(bool(failures))
