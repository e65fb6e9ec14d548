#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The book: docs/ as static pages with search, in build/book or the folder given. Opens without a server: index.html.
# mkdocs and its theme come from PyPI into a folder of their own, outside the checkout, once. The reference is made of
# the headers' comments, by Doxygen, which is a package of the system's.
#
#   SKELRT_DEPS   where that folder is (default ~/.cache/skelrt)
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
site=$(realpath -m "${1:-$root/build/book}")
tools=$(realpath -m "${SKELRT_DEPS:-${XDG_CACHE_HOME:-$HOME/.cache}/skelrt}")/docs

if ! cmp -s "$root/tools/docs-requirements.txt" "$tools/installed.txt"; then
    echo "== mkdocs and mkdocs-material, from PyPI into $tools"
    python3 -m venv --clear "$tools"
    "$tools/bin/pip" --quiet install --requirement "$root/tools/docs-requirements.txt"
    cp "$root/tools/docs-requirements.txt" "$tools/installed.txt"
fi
if ! command -v doxygen >/dev/null; then
    echo "tools/docs.sh: the reference is made by doxygen, which is not there; apt-get install doxygen" >&2
    exit 1
fi
export SKELRT_REFERENCE=$tools/reference
rm -rf "$SKELRT_REFERENCE"
python3 "$root/tools/reference.py" "$SKELRT_REFERENCE"
export NO_MKDOCS_2_WARNING=1
"$tools/bin/mkdocs" build --quiet --strict --config-file "$root/mkdocs.yml" --site-dir "$site"
echo "== the book: $site/index.html"
