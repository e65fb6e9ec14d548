#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Libraries that are installed beside libskelrt, so that the installed folder stands by itself.

    bundle.py list LIBRARY...     name and path of each that is not in the system's own folders, and of CUDA's runtime library that
                                  these find by their run paths; nothing if the first one is the system's
    bundle.py copy LIBRARY FILE   without debug information and without folders of this machine: its run path is its own folder
"""

import os
import re
import shutil
import struct
import subprocess
import sys

STRTAB, SYMTAB, NEEDED, SONAME, RPATH, RUNPATH, LOAD, DYNAMIC, DYNSYM = 5, 6, 1, 14, 15, 29, 1, 2, 11
SYSTEM = re.compile(r"/(usr/|usr/local/)?lib(32|64|x32)?(/[^/]*-linux-[^/]*)?/?")  # a toolkit's lib64 is none of these
TAKEN = re.compile(r"lib(starpu.*|cudart)\.so\..*")
OWN_FOLDER = "$ORIGIN"
STARPU_MODELS = re.compile(rb"\0(/[^\0]*/share/starpu/perfmodels/sampling)\0")


class Library:
    """The dynamic section of an ELF file of 64 bits."""

    def __init__(self, path):
        self.path = path
        with open(path, "rb") as file:
            self.data = bytearray(file.read())
        if self.data[:6] not in (b"\x7fELF\x02\x01", b"\x7fELF\x02\x02"):
            sys.exit(f"{path} is no library of 64 bits")
        self.order = "<" if self.data[5] == 1 else ">"
        offset, size, count = self.read("Q", 32)[0], *self.read("HH", 54)
        headers = [self.read("IIQQQQ", offset + i * size) for i in range(count)]
        self.loaded = [h for h in headers if h[0] == LOAD]
        self.entries = self.dynamic(next(h for h in headers if h[0] == DYNAMIC))
        self.strings = self.place_of(next(value for tag, value in self.entries if tag == STRTAB))

    def read(self, form, offset):
        return struct.unpack_from(self.order + form, self.data, offset)

    def dynamic(self, header):
        entries = [self.read("QQ", at) for at in range(header[2], header[2] + header[5], 16)]
        return entries[: [tag for tag, _ in entries].index(0)]

    def place_of(self, address):
        """Where in the file lies what is loaded at this address."""
        return next(address - a + o for _, _, o, a, _, size in self.loaded if a <= address < a + size)

    def text(self, at):
        return bytes(self.data[at : self.data.index(0, at)])

    def texts(self, *tags):
        return [self.text(self.strings + value).decode() for tag, value in self.entries if tag in tags]

    def symbol_names(self):
        """Where the names of symbols begin."""
        offset, size, count = self.read("Q", 40)[0], *self.read("HH", 58)
        for i in range(count):
            _, kind, _, _, at, length = self.read("IIQQQQ", offset + i * size)
            if kind == DYNSYM:
                return {self.strings + self.read("I", symbol)[0] for symbol in range(at, at + length, 24)}
        sys.exit(f"{self.path} has no section of dynamic symbols")

    def set_run_path(self):
        for at in {self.strings + value for tag, value in self.entries if tag in (RPATH, RUNPATH)}:
            old = self.text(at)
            if any(at < name <= at + len(old) for name in self.symbol_names()):
                sys.exit(f"{self.path}: a symbol's name is part of the run path {old.decode()}")
            kept = [folder for folder in old.decode().split(":") if self.finds_more(folder)]
            new = ":".join([OWN_FOLDER, *kept]).encode()
            if len(new) > len(old):  # what libskelrt has loaded is found all the same
                new = ":".join(kept).encode()
            self.data[at : at + len(old)] = new.ljust(len(old), b"\0")

    def finds_more(self, folder):
        """Whether it needs what is there and stays there."""
        others = [needed for needed in self.texts(NEEDED) if not TAKEN.fullmatch(needed)]
        return not of_system(folder) and any(os.path.exists(os.path.join(folder, other)) for other in others)

    def forget_models(self):
        """Each program would be warned that StarPU's own folder of models is not there; "/" is, and has none."""
        for found in STARPU_MODELS.finditer(self.data):
            self.data[found.start(1) : found.start(1) + 2] = b"/\0"


def of_system(folder):
    return SYSTEM.fullmatch(folder) is not None


def with_needed(libraries):
    """These libraries, and the runtime library of CUDA that they find by their run paths."""
    found = {}
    waiting = [path for path in libraries if not of_system(os.path.dirname(path))]
    while waiting:
        path = waiting.pop(0)
        library = Library(path)
        name = (library.texts(SONAME) or [os.path.basename(path)])[0]
        if name in found:
            continue
        found[name] = path
        folders = [f for paths in library.texts(RPATH, RUNPATH) for f in paths.split(":") if f and not of_system(f)]
        for needed in filter(TAKEN.fullmatch, library.texts(NEEDED)):
            waiting += [os.path.join(f, needed) for f in folders if os.path.exists(os.path.join(f, needed))][:1]
    return found


def copy(source, target):
    shutil.copyfile(source, target)
    if strip := shutil.which("strip"):
        subprocess.run([strip, "--strip-debug", target], check=True)
    library = Library(target)
    library.set_run_path()
    library.forget_models()
    with open(target, "wb") as file:
        file.write(library.data)
    os.chmod(target, 0o755)


if sys.argv[1] == "list":
    if not of_system(os.path.dirname(sys.argv[2])):
        for name, path in with_needed(sys.argv[2:]).items():
            print(name, path, sep="\t")
else:
    copy(sys.argv[2], sys.argv[3])
