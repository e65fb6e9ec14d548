#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""reference.py OUT: the comments of include/skelrt as Markdown, a page for each header, in the folder OUT.

Doxygen (Debian's package) reads the headers; this turns its XML into pages that mkdocs makes part of the book. Shown is
what has a comment, and the members of classes that have one themselves."""

import pathlib
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET

root = pathlib.Path(__file__).resolve().parent.parent
headers = root / "include/skelrt"

SETTINGS = """
INPUT = {headers}
RECURSIVE = YES
EXCLUDE_PATTERNS = */detail/*
EXCLUDE_SYMBOLS = skelrt::detail skelrt::detail::*
STRIP_FROM_PATH = {headers}
GENERATE_HTML = NO
GENERATE_LATEX = NO
GENERATE_XML = YES
XML_PROGRAMLISTING = NO
OUTPUT_DIRECTORY = {out}
QUIET = YES
WARNINGS = NO
WARN_IF_UNDOCUMENTED = NO
JAVADOC_AUTOBRIEF = NO
MACRO_EXPANSION = YES
EXPAND_ONLY_PREDEF = YES
PREDEFINED = SKELRT_API=
"""

# What a reader looks for, in this order; headers that are named nowhere come last.
CHAPTERS = {
    "Begin and end": "runtime error version plan print",
    "Containers": "vector matrix tensor scalar view host residence reshape files distribution local host",
    "User functions": "function capture hood before random half index residence",
    "Skeletons": "map generate reduce scan stencil border with_neighbours wavefront pairs all_pairs transpose gather "
                 "for_each filter histogram sort operators arithmetic tie eval",
    "Algorithms": "algorithms/*",
    "Tasks": "task later_task kernel kernel_text block blocks future",
    "Farms": "farm group pipeline divide_and_conquer progress item_error",
    "Clusters": "cluster mpi",
}


# Public for other headers' sake.
INTERNAL = {"storage", "place", "adopt", "hand_over", "shape_of", "lambda", "tree", "site"}


def run_doxygen(folder):
    settings = SETTINGS.format(headers=headers, out=folder)
    ended = subprocess.run(["doxygen", "-"], input=settings, text=True, capture_output=True)
    if ended.returncode != 0:
        sys.exit(f"doxygen ends with exit code {ended.returncode}:\n{ended.stderr}")
    return folder / "xml"


# From here on: Doxygen's XML as Markdown.

def escaped(text):
    return re.sub(r"([\\`*_<>\[\]|])", r"\\\1", text or "")


def code_text(node):
    return (" " if node.tag == "sp" else node.text or "") + "".join(code_text(c) + (c.tail or "") for c in node)


def inline(node):
    """The node's text with what is in it, without the node itself."""
    text = escaped(node.text)
    for child in node:
        if child.tag == "computeroutput":
            text += f"`{code_text(child)}`"
        elif child.tag == "emphasis":
            text += f"*{inline(child)}*"
        elif child.tag == "bold":
            text += f"**{inline(child)}**"
        elif child.tag == "ulink":
            text += f"[{inline(child)}]({child.get('url')})"
        elif child.tag in ("sp", "linebreak"):
            text += " "
        elif child.tag == "ndash":
            text += "--"
        else:
            text += inline(child)
        text += escaped(child.tail)
    return text


def as_code(text):
    lines = text.strip("\n").split("\n")
    return "```cpp\n" + "\n".join(line.rstrip() for line in lines) + "\n```"


def listing(node):
    lines = ["".join(code_text(part) for part in line) for line in node.findall("codeline")]
    return as_code("\n".join(lines))


BLOCKS = {"verbatim": lambda n: as_code(n.text), "preformatted": lambda n: as_code(code_text(n)), "programlisting": listing}


def items(node):
    kind = "1." if node.tag == "orderedlist" else "-"
    return "\n".join(f"{kind} " + blocks(item).replace("\n", "\n  ") for item in node.findall("listitem"))


def paragraph(node):
    """A paragraph, which may have blocks inside."""
    parts, current = [], ET.Element("para")
    current.text = node.text

    def end():
        nonlocal current
        if text := " ".join(inline(current).split()):
            parts.append(text)
        current = ET.Element("para")

    for child in node:
        if child.tag in BLOCKS or child.tag in ("itemizedlist", "orderedlist"):
            end()
            parts.append(BLOCKS[child.tag](child) if child.tag in BLOCKS else items(child))
            current.text = child.tail
        else:
            current.append(child)
    end()
    return "\n\n".join(parts)


def blocks(node):
    return "\n\n".join(text for text in map(paragraph, node.findall("para")) if text) if node is not None else ""


def comment(node):
    return "\n\n".join(text for text in (blocks(node.find("briefdescription")), blocks(node.find("detaileddescription"))) if text)


def plain(node):
    return " ".join("".join(node.itertext()).split()) if node is not None else ""


def tidy(text):
    text = re.sub(r"\bSKELRT_API\b|\bskelrt::(?=\w)|\[\[nodiscard\]\]", "", text)
    text = re.sub(r"< ", "<", re.sub(r" (?=>)", "", text))
    return " ".join(text.split())


def template_of(node):
    found = node.find("templateparamlist")
    if found is None:
        return ""
    parts = [" ".join(filter(None, (plain(p.find("type")), plain(p.find("declname"))))) for p in found.findall("param")]
    return f"template <{', '.join(parts)}>\n"


def signature(member):
    kind = member.get("kind")
    if kind == "define":
        parameters = [plain(p.find("defname")) for p in member.findall("param")]
        return f"#define {plain(member.find('name'))}" + (f"({', '.join(parameters)})" if parameters else "")
    if kind == "enum":
        values = ", ".join(plain(v.find("name")) for v in member.findall("enumvalue"))
        return f"enum class {plain(member.find('name'))} {{ {values} }}"
    text = f"{plain(member.find('type'))} {plain(member.find('name'))}{plain(member.find('argsstring'))}"
    if kind == "typedef":
        text = f"using {plain(member.find('name'))} = {plain(member.find('type'))}"
    if kind == "variable" and "SKELRT" not in (value := plain(member.find("initializer"))) and len(value) < 40:
        text += f" {value}"
    return template_of(member) + tidy(re.sub(r",? ?(detail::)?caller where *= *(detail::)?caller::here\(\)", "", text))


def name_of(node):
    return plain(node.find("compoundname") if node.find("compoundname") is not None else node.find("name")).removeprefix("skelrt::")


def is_public(node):
    """Whether a program may name it: no refusal, nothing that we need ourselves."""
    return (node.get("prot") == "public" and not re.search(r"SKELRT_DETAIL|skelrt_", name_of(node))
            and not re.search(r"= ?delete|refused|SKELRT_DETAIL", signature(node)) and not comment(node).startswith("For the library"))


def comment_or_others(node, beside):
    """Its own, or that of another name which names it, the nearest one in front of it."""
    if own := comment(node):
        return own
    naming = re.compile(rf"(?<![\w:.(]){re.escape(name_of(node))}(?=[,;: ])")
    others = [other for other in beside if line_of(other) < line_of(node) and naming.search(comment(other).replace("\\", ""))]
    return comment(max(others, key=line_of)) if others else ""


def line_of(node):
    return int(node.find("location").get("line"))


class entry:
    """A name of a header: its overloads, or a class with its members."""

    def __init__(self, name, line):
        self.name, self.line = name, line
        self.signatures, self.comments, self.members, self.others = [], [], [], []

    def add(self, text, said):
        if text not in self.signatures:
            self.signatures.append(text)
        if said and said not in self.comments:
            self.comments.append(said)

    def text(self):
        prefix = "" if self.name.startswith("SKELRT_") else "sk::"
        parts = [f"## {prefix}{escaped(self.name)}", as_code("\n".join(self.signatures)), *self.comments]
        for member in self.members:
            parts += [f"### {escaped(member.name)}", as_code("\n".join(member.signatures)), *member.comments]
        if self.others:
            parts += ["### Others", as_code("\n".join(self.others))]
        return "\n\n".join(parts)


def add_members(to, nodes):
    """Overloads without a comment of their own go with the one that has it. Returns those that have none."""
    nodes = [n for n in nodes if is_public(n)]
    said = {}
    for node in nodes:
        said.setdefault(name_of(node), set()).add(comment_or_others(node, nodes))
    known, bare = {}, []
    for node in nodes:
        name = name_of(node)
        if not any(said[name]):
            bare.append(node)
            continue
        if name not in known:
            known[name] = entry(name, line_of(node))
            to.append(known[name])
        known[name].add(signature(node), comment_or_others(node, nodes))
    return bare


def header_of(node):
    return node.find("location").get("file").removeprefix(str(headers) + "/")


def class_entry(compound, said):
    name = name_of(compound)
    made = entry(name, line_of(compound))
    made.add(template_of(compound) + f"{compound.get('kind')} {name}", said)
    bare = add_members(made.members, compound.iter("memberdef"))
    made.members.sort(key=lambda m: m.line)
    # What is refused has an end, too.
    unsaid = INTERNAL | {name} | (set() if any(name_of(n) == "begin" for n in bare) else {"end"})
    made.others = [text for n in bare if name_of(n) not in unsaid and not re.search(r"operator|detail::|~", text := signature(n))]
    return made


def read(xml):
    """Entries by header."""
    pages = {}

    def page(node):
        return pages.setdefault(header_of(node), [])

    loose = {}
    compounds = [c for file in sorted(xml.glob("*.xml")) for c in ET.parse(file).getroot().findall("compounddef")]
    classes = [c for c in compounds if c.get("kind") in ("class", "struct", "union")
               and re.fullmatch(r"skelrt::(border::)?\w+", plain(c.find("compoundname")))]
    for compound in classes:
        beside = [c for c in classes if header_of(c) == header_of(compound)]
        if said := comment_or_others(compound, beside):
            page(compound).append(class_entry(compound, said))
    for compound in compounds:
        kind, name = compound.get("kind"), plain(compound.find("compoundname"))
        if name in ("skelrt", "skelrt::operators") and kind == "namespace" or kind == "file":
            for member in compound.iter("memberdef"):
                if kind == "namespace" or member.get("kind") == "define":
                    loose.setdefault(header_of(member), []).append(member)
    for header, members in loose.items():
        add_members(pages.setdefault(header, []), members)
    for entries in pages.values():
        entries.sort(key=lambda e: e.line)
    return {header: entries for header, entries in pages.items() if entries}


def chapter_of(header):
    stem = header.removesuffix(".hpp")
    for title, named in CHAPTERS.items():
        if stem in named.split() or (stem.startswith("algorithms/") and named == "algorithms/*"):
            return title
    return "More"


def write(pages, out):
    out.mkdir(parents=True, exist_ok=True)
    chapters = {}
    for header, entries in pages.items():
        name = header.removesuffix(".hpp").replace("/", "-") + ".md"
        (out / name).write_text(f"# &lt;skelrt/{header}&gt;\n\n" + "\n\n".join(e.text() for e in entries) + "\n")
        chapters.setdefault(chapter_of(header), []).append((header, name, entries))
    lines = ["# Reference", "", "What the comments of the headers say: shapes, errors, costs. `sk` is the namespace `skelrt`.", ""]
    for title in [*CHAPTERS, "More"]:
        if title in chapters:
            lines += [f"## {title}", "", "| header | names |", "|---|---|"]
            lines += [f"| [{h}]({n}) | {', '.join(escaped(e.name) for e in es)} |" for h, n, es in sorted(chapters[title])]
            lines.append("")
    (out / "index.md").write_text("\n".join(lines))
    return sum(len(e) for e in pages.values())


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        found = read(run_doxygen(pathlib.Path(folder)))
    names = write(found, pathlib.Path(sys.argv[1]))
    print(f"== the reference: {names} names of {len(found)} headers")
