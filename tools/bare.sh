#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Runs a command in a fresh clone of this checkout on a bare system: a chroot with git, and little else. By hand only:
# it is root's work, takes minutes, and all packages come from a mirror each time.
#
#   tools/bare.sh [--mirror URL] [--keep DIR] bookworm|trixie|noble [COMMAND [ARG...]]
#
#   COMMAND        in the clone, tools/test.sh if none is given; what is not committed is not in the clone
#   --mirror URL   where packages come from (default: the mirror that apt has for Debian, or for Ubuntu)
#   --keep DIR     the system is made in DIR and stays; one that is there already is used as it is, with a new clone
#
# Needs root, and debootstrap. Ends with the command's status.
set -euo pipefail
checkout=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

say() { printf '== bare: %s\n' "$*"; }
fail() {
    printf '== bare: %s\n' "$*" >&2
    exit 2
}
usage() {
    sed -n '/^#   /{s/^# *//;p}' "${BASH_SOURCE[0]}" >&2
    exit 2
}

mirror='' system='' kept=''
while [ $# -gt 0 ]; do
    case $1 in
        --mirror | --keep) [ $# -ge 2 ] || usage ;;&
        --mirror) mirror=$2 && shift 2 ;;
        --keep) system=$(realpath -m "$2") kept=yes && shift 2 ;;
        *) break ;;
    esac
done
suite=${1:-}
case $suite in
    bookworm | trixie) origin=Debian components=main ;;
    noble) origin=Ubuntu components=main,universe ;;
    *) usage ;;
esac
shift
[ $# -gt 0 ] || set -- tools/test.sh

[ "$(id -u)" -eq 0 ] || fail "a chroot is made and entered by root only: sudo tools/bare.sh $suite $*"
command -v debootstrap >/dev/null || fail "debootstrap is not there: apt-get install debootstrap"
[ "$(git -C "$checkout" rev-parse --show-toplevel)" = "$checkout" ] || fail "$checkout is no checkout of git"

if [ -z "$system" ]; then
    system=$(mktemp -d)
    # What is mounted is so in a name space of its own, which has ended by then.
    trap 'rm -rf --one-file-system "$system"' EXIT
fi
if [ -e "$system/.made-of" ]; then
    [ "$(cat "$system/.made-of")" = "$suite" ] || fail "$system is a $(cat "$system/.made-of"), not a $suite"
    say "$suite in $system, as it is"
else
    if [ -z "$mirror" ]; then
        # shellcheck disable=SC2016 # apt's own placeholders
        mirror=$(apt-get indextargets --format '$(REPO_URI) $(ORIGIN)' 'Created-By: Packages' |
            awk -v origin=$origin '$2 == origin && $1 !~ /security/ { print $1; exit }')
        [ -n "$mirror" ] || fail "apt knows no mirror of $origin here: --mirror URL names one (or: apt-get update)"
    fi
    start=$SECONDS
    mkdir -p "$system"
    [ -z "$(ls -A "$system")" ] || fail "$system is not empty, and no system that an earlier run made"
    debootstrap --variant=minbase --components=$components --include=git,ca-certificates "$suite" "$system" "$mirror" \
        >"$system.log" 2>&1 || {
        tail -n 15 "$system.log" >&2
        fail "debootstrap failed; all that it said: $system.log"
    }
    rm -f "$system.log"
    echo "$suite" >"$system/.made-of"
    say "$suite of $mirror made in $((SECONDS - start)) s"
fi
cp -L /etc/resolv.conf /etc/hosts "$system/etc/"
rm -rf "$system/root/skelrt"
git clone --quiet "$checkout" "$system/root/skelrt"
say "$(git -C "$checkout" log -1 --format='%h %s'): $(head -n 1 <<<"$*")"

kept_variables=()
for name in http_proxy https_proxy no_proxy; do
    [ -z "${!name:-}" ] || kept_variables+=("$name=${!name}")
done
start=$SECONDS status=0
# Mounts and processes in name spaces of their own: nothing of either is left, however the command ends.
# shellcheck disable=SC2016 # for the shells inside
env -i HOME=/root TERM=dumb LANG=C.UTF-8 PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    "${kept_variables[@]}" unshare --mount --pid --fork --kill-child bash -euc '
        mount --rbind /dev "$0/dev"
        mount --rbind /sys "$0/sys"
        mount -t proc proc "$0/proc"
        exec chroot "$0" /bin/bash -c "cd /root/skelrt && exec \"\$@\"" bash "$@"
    ' "$system" "$@" </dev/null || status=$?
say "ended with status $status after $((SECONDS - start)) s$([ -z "$kept" ] || echo "; kept: $system")"
exit "$status"
