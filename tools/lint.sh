#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Checks the tracked sources: clang-format, cppcheck and shellcheck, each if installed, and that patches left nothing.
#
#   tools/lint.sh          report and fail; `ninja -C build lint` calls this
#   tools/lint.sh --fix    let clang-format rewrite the files; `ninja -C build format`
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
mapfile -t sources < <(git ls-files '*.hpp' '*.cpp')
mapfile -t scripts < <(git ls-files '*.sh' .ci/run)
status=0

mapfile -t leftovers < <(git ls-files '*.rej' '*.orig')
if [ ${#leftovers[@]} -gt 0 ]; then
    echo "lint: left by patches: ${leftovers[*]}"
    status=1
fi

mapfile -t unlicensed < <(git ls-files '*.hpp' '*.cpp' '*.cu' '*.cuh' '*.sh' '*.py' '*meson.build' |
    xargs grep -L '^\(//\|#\) SPDX-License-Identifier: ')
if [ ${#unlicensed[@]} -gt 0 ]; then
    echo "lint: without an SPDX line: ${unlicensed[*]}"
    status=1
fi

if ! command -v clang-format >/dev/null; then
    echo "lint: clang-format is not installed (apt-get install clang-format)"
    [ "${1:-}" != --fix ] || exit 1
elif [ "${1:-}" = --fix ]; then
    printf '%s\0' "${sources[@]}" | xargs -0r clang-format -i
    exit 0
else
    clang-format --version | grep -q 'version 14\.' || echo "lint: the style is that of clang-format 14, this is $(clang-format --version)"
    printf '%s\0' "${sources[@]}" | xargs -0r clang-format --dry-run -Werror || status=1
fi

if command -v cppcheck >/dev/null && [ -n "${sources[*]}" ]; then
    cppcheck --quiet --language=c++ --std=c++20 --enable=warning,performance,portability --inline-suppr --error-exitcode=1 \
        --suppress={missingInclude,unknownMacro,syntaxError} `# it does not know C++20 whole` \
        --suppress={constStatement,uninitMemberVar,virtualCallInConstructor} `# false alarms here` \
        --suppress=identicalConditionAfterEarlyExit:include/skelrt/map.hpp `# two requires-expressions are one to it` \
        -I include -I . src codelets apps 2>&1 || status=1
fi

if command -v shellcheck >/dev/null; then
    shellcheck -x --severity=info "${scripts[@]}" || status=1
fi

[ "$status" -ne 0 ] || echo "lint: clean"
exit "$status"
