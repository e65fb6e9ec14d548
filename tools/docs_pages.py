# SPDX-License-Identifier: BSD-3-Clause
"""What mkdocs has to be told of these pages: README.md is the first one, and links may leave docs/.

The reference is a folder of pages that tools/reference.py has made; SKELRT_REFERENCE names it.

Each file or folder outside docs/ that a page links to gets a page below sources/, so that the book is whole."""

import os
import pathlib
import re

from mkdocs.structure.files import File

LINK = re.compile(r"(\]\()([^)\s]+)(\))")
CODE = re.compile(r"(`+[^`]*`+)")
LANGUAGES = {".cpp": "cpp", ".hpp": "cpp", ".cu": "cpp", ".py": "python", ".sh": "bash", ".json": "json"}
LARGEST = 200_000  # bytes; pages are searched

root = pathlib.Path(__file__).resolve().parent.parent
paths = {}  # of a page's name in the book: the file or folder that it is made from


def page_of(path):
    """The name in the book of a file or folder of the sources."""
    inside = path.relative_to(root)
    if inside == pathlib.Path("README.md"):
        return "index.md"
    if inside.parts[0] == "docs":
        name = pathlib.Path(*inside.parts[1:])
        return (name / "index.md" if path.is_dir() else name).as_posix()
    name = pathlib.Path("sources", inside)
    if path.is_dir():
        return (name / "index.md").as_posix()
    return name.as_posix() if path.suffix == ".md" else f"{name.as_posix()}.md"


def outside_code(text, change):
    """The text, with `change` made to what is no code."""
    lines, fenced = [], False
    for line in text.splitlines():
        fenced ^= line.startswith("```")
        if not fenced:
            line = "".join(part if k % 2 else change(part) for k, part in enumerate(CODE.split(line)))
        lines.append(line)
    return "\n".join(lines) + "\n"


def targets(text, path):
    """The files and folders that a page links to."""
    found = set()

    def note(part):
        for link in LINK.findall(part):
            target = (path.parent / link[1].partition("#")[0]).resolve()
            if not re.match(r"https?:|#", link[1]) and target.exists() and target.is_relative_to(root):
                found.add(target)
        return part

    outside_code(text, note)
    return found


def listing(folder):
    """A page for a folder: what is in it, pages by their titles."""
    lines = [f"# {folder.relative_to(root)}", ""]
    for path in sorted(p for p in folder.iterdir() if not p.name.startswith(".")):
        title = path.name
        if path.suffix == ".md":
            title = path.read_text().partition("\n")[0].lstrip("# ")
        lines.append(f"- [{title}]({path.name})" if path.suffix == ".md" else f"- `{path.name}`")
    return "\n".join(lines) + "\n"


def text_of(path):
    if path.is_dir():
        return listing(path)
    if path.suffix == ".md":
        return path.read_text()
    content = path.read_text(errors="replace")[:LARGEST]
    return f"# {path.relative_to(root)}\n\n````{LANGUAGES.get(path.suffix, 'text')}\n{content}\n````\n"


def on_files(files, config):
    """Adds a page for whatever a page links to, until there is nothing new."""
    waiting = [root / "README.md"]
    for file in files:
        if file.src_uri.endswith(".md"):
            paths[file.src_uri] = root / "docs" / file.src_uri
            waiting.extend(targets(paths[file.src_uri].read_text(), paths[file.src_uri]))
    for page in sorted(pathlib.Path(os.environ["SKELRT_REFERENCE"]).glob("*.md")):
        name = f"reference/{page.name}"
        paths[name] = root / "docs" / name
        files.append(File.generated(config, name, content=page.read_text()))
    while waiting:
        path = waiting.pop()
        name = page_of(path)
        if name in paths or files.get_file_from_path(name):
            continue
        paths[name] = path
        content = text_of(path)
        files.append(File.generated(config, name, content=content))
        at = path / "index.md" if path.is_dir() else path
        waiting.extend(targets(content, at) if name.endswith(".md") and (path.is_dir() or path.suffix == ".md") else [])
    return files


def on_page_markdown(markdown, page, **_):
    path = paths[page.file.src_uri]
    folder = path if path.is_dir() else path.parent
    here = pathlib.PurePosixPath(page.file.src_uri).parent

    def change(part):
        def to_page(link):
            target, mark, anchor = link.group(2).partition("#")
            there = (folder / target).resolve()
            if re.match(r"https?:", link.group(2)) or not target or not there.is_relative_to(root):
                return link.group(0)
            name = pathlib.PurePosixPath(page_of(there))
            up = "../" * len(here.parts)
            return f"{link.group(1)}{up}{name}{mark}{anchor}{link.group(3)}"

        return LINK.sub(to_page, part)

    return outside_code(markdown, change) if path.suffix == ".md" or path.is_dir() else markdown
