#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""documented.py SOURCE_ROOT [--reference]: every public name of include/skelrt has a /// comment, and its place in the
reference that tools/reference.py makes of them.

A name is what `namespace skelrt` itself declares, and a macro; a comment stands in front of one of its declarations, or
behind it, or is another one's of the same header that names it. What is in namespaces within, in classes and in detail/ need none. Forward declarations, specializations and
deduction guides say nothing new."""

import pathlib
import re
import subprocess
import sys
import tempfile

root = pathlib.Path(sys.argv[1])
TOKEN = re.compile(r'///[^\n]*|//[^\n]*|/\*.*?\*/|R"\((?:.|\n)*?\)"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'|'
                   r'^[ \t]*#(?:[^\n\\]|\\\n|\\.)*|[{};()]|[^{};()/"\'#]+|.', re.S | re.M)


class declarations:
    """Those of `namespace skelrt` in a header: (text without comments, whether it has one, line)."""

    def __init__(self, text):
        self.found, self.macros = [], []
        self.text, self.commented, self.line = "", False, 0
        self.depth, self.parens, self.inside, self.just_commented, self.is_asked = 0, 0, [], False, False
        at = 1
        for match in TOKEN.finditer(text):
            self.take(match.group(), at)
            at += match.group().count("\n")

    def is_here(self):
        return self.inside == ["skelrt"]

    def take(self, token, line):
        if token.startswith("///<"):
            if self.found and not self.text.strip():
                self.found[-1][1] = True
        elif token.startswith("///"):
            self.just_commented = True
            self.commented = self.commented or not self.text.strip()
        elif token.startswith(("//", "/*")):
            pass
        elif token.lstrip().startswith("#"):
            if name := re.match(r"\s*#\s*define\s+(\w+)", token):
                self.macros.append((name[1], self.just_commented or "///<" in token, line))
            self.just_commented = False
        else:
            if token.strip():
                self.just_commented = False
            self.add(token, line)

    def add(self, token, line):
        if token.strip() and not self.text.strip():
            self.line = line + len(token[:len(token) - len(token.lstrip())].split("\n")) - 1
        if token == "{" and self.depth == 0 and (name := re.match(r"\s*(?:inline\s+)?namespace\s*([\w:]*)\s*$", self.text)):
            self.inside.append(name[1])
            return self.begin()
        if token == "}" and self.depth == 0:
            self.inside.pop()
            return self.begin()
        if token == "{" and self.depth == 0:
            self.is_asked = without_last_parentheses(self.text).rstrip().endswith("requires")
        self.depth += (token == "{") - (token == "}")
        self.parens += (token == "(") - (token == ")")
        if self.depth > 0 or (token == "}" and self.depth == 0):
            self.text += token if self.depth == 0 else ""
        else:
            self.text += token
        if self.depth == 0 and self.parens == 0 and (token == ";" or (token == "}" and not self.goes_on())):
            if self.is_here():
                self.found.append([" ".join(self.text.split()), self.commented, self.line])
            self.begin()

    def goes_on(self):
        """Whether more follows the brace: of a requirement's the declaration, a type's, a variable's, a concept's semicolon."""
        if self.is_asked:
            return True
        plain = without_template(" ".join(self.text.split()))
        return bool(re.match(r"(class|struct|union|enum|concept|using|inline constexpr|constexpr)\b(?!.*\))", plain) or " = " in plain.split("(")[0])

    def begin(self):
        self.text, self.commented = "", False


def without_last_parentheses(text):
    text = text.rstrip()
    if not text.endswith(")"):
        return text
    depth = 0
    for at in range(len(text) - 1, -1, -1):
        depth += (text[at] == ")") - (text[at] == "(")
        if depth == 0:
            return text[:at]
    return text


def without_template(text):
    """The declaration without its `template <...>`."""
    text = text.strip()
    while text.startswith("template"):
        depth, at = 0, text.index("<")
        for at in range(at, len(text)):
            depth += (text[at] == "<") - (text[at] == ">" and text[at - 1] != "-")
            if depth == 0:
                break
        text = text[at + 1:].strip()
    return text


def function_of(text):
    """The name in front of the last parentheses that are a function's parameters; none: it is no function."""
    depth, found = 0, None
    for m in re.finditer(r"([\w:]+|operator\s*[^\s\w(]+)?\s*([()])", text):
        if m[2] == "(" and depth == 0 and m[1] and m[1] not in ("requires", "noexcept", "decltype", "explicit"):
            found = m
        depth += 1 if m[2] == "(" else -1
    return found


def name_of(text):
    """Of a declaration; none: it declares nothing new."""
    text = re.sub(r"\b(SKELRT_API|inline|constexpr|constinit|extern|static)\b|\[\[.*?\]\]|alignas\([^)]*\)", "", without_template(text))
    text = " ".join(text.split())
    if m := re.match(r"(?:class|struct|union|enum class|enum|concept) (\w+)(.*)", text):
        return None if re.fullmatch(r"\s*;", m[2]) or m[2].startswith(("<", "::")) else m[1]
    if m := re.match(r"using (\w+) =", text):
        return m[1]
    if re.match(r"(using|friend|static_assert|template)\b", text) or re.match(r"(?!requires)(explicit )?\w+ ?\(", text):
        return None  # also deduction guides, and uses of macros
    if " = " not in text.partition("(")[0] and (m := function_of(text)):
        return m[1]
    m = re.search(r"(\w+)\s*$", re.split(r"[={};]", text)[0])
    return m and m[1]


names, where = {}, {}
for header in sorted((root / "include/skelrt").rglob("*.hpp")):
    if "detail" in header.parts:
        continue
    found = declarations(header.read_text())
    here = [(name_of(text), commented, line) for text, commented, line in found.found] + found.macros
    comments = " ".join(re.findall(r"^\s*///(.*)", header.read_text(), re.M))
    for name, commented, line in here:
        commented = commented or bool(name and re.search(rf"(?<![\w:.(]){re.escape(name)}(?=[,;: ])(?!\()", comments))
        if not name or name.startswith(("operator", "SKELRT_DETAIL_")) or "::" in name:
            continue
        names[name] = names.get(name, False) or commented
        where.setdefault(name, f"{header.relative_to(root)}:{line}")

bare = [name for name, commented in names.items() if not commented]
for name in bare:
    print(f"{where[name]}: {name} has no /// comment")
print(f"{len(names)} public names, {len(bare)} without a comment")

unmade = []
if "--reference" in sys.argv:
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, root / "tools/reference.py", folder], check=True)
        text = "".join(page.read_text() for page in pathlib.Path(folder).glob("*.md"))
    made = {found.replace("\\", "") for found in re.findall(r"^## (?:sk::)?(\S+)$", text, re.M)}
    unmade = sorted(names.keys() - made)
    print(f"{len(unmade)} are not in the reference: {', '.join(unmade)}")
sys.exit(bool(bare) or bool(unmade) or len(names) < 200)
