#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# packages.sh SETUP: tools/setup.sh --no-packages says what is missing and what for, and installs nothing.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/tools" "$work/bin"
cp "$1" "$work/tools/setup.sh"

# The set-up itself, with a package that nobody has, and without what follows.
sed -i -e 's/^packages() {$/packages() { echo "skelrt-nobody-has cmd:nobody-has-this for a test"; }\nlist_of_all() {/' \
    -e 's/^setup_starpu() {$/setup_starpu() { starpu_pkgconfig=; }\nset_up_whole_starpu() {/' "$work/tools/setup.sh"
for command in apt-get sudo; do
    # shellcheck disable=SC2016 # for the script
    printf '#!/bin/sh\necho "$0 was called"\nexit 1\n' >"$work/bin/$command"
done
printf '#!/bin/sh\nexit 0\n' | tee "$work/bin/meson" "$work/bin/ninja" >/dev/null
chmod +x "$work"/bin/*
export PATH=$work/bin:$PATH SKELRT_DEPS=$work/deps
unset SKELRT_STARPU_SOURCE

said=$("$work/tools/setup.sh" --no-packages one-target)
grep -qE '^ +skelrt-nobody-has +for a test$' <<<"$said" || { echo "$said"; exit 1; }
grep -q 'build one-target' <<<"$said" || { echo "$said"; exit 1; }
if said=$("$work/tools/setup.sh" one-target 2>&1); then
    echo "without the option the package was not asked for: $said"
    exit 1
fi
grep -q 'was called\|was refused\|there is no sudo' <<<"$said" || { echo "$said"; exit 1; }
