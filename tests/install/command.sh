# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash disable=SC2154 # moved: common.sh
# What is installed with the command: its manual page and bash's completion know what --help lists. After common.sh.

# completed WORD...: what is offered for the last one
completed() {
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
    _skelrt
    echo "${COMPREPLY[*]}"
}

check_command() {
    local skelrt=$1 manual known command
    known=$("$skelrt" --help | sed -n '/^Subcommands:/,$ s/^  \([a-z]\{1,\}\) .*/\1/p')
    [ "$(wc -w <<<"$known")" -ge 8 ] || fail "skelrt --help lists no commands"
    manual=$(find "$moved" -name 'skelrt.1*' | grep .)
    for command in $known; do
        zgrep -qE "^\.(B|BR) \"?$command\b" "$manual" || fail "the manual page does not have the command $command"
    done
    # shellcheck source=packaging/completion/skelrt
    source "$(find "$moved" -path '*bash-completion/completions/skelrt')"
    [ "$(completed "$skelrt" "")" = "$(xargs <<<"$known")" ] || fail "completion offers '$(completed "$skelrt" "")'"
    [ "$(completed "$skelrt" models ex)" = export ] || fail "completion of skelrt models"
    [ "$(completed "$skelrt" models plot x --o)" = --output ] || fail "completion of options"
    [ "$(completed "$skelrt" check ./app "")" = "" ] || fail "completion takes a program's arguments for its own"
    echo "ok: $(wc -w <<<"$known") commands in the manual and in completion"
}
