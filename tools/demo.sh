#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# On a bare Debian 12: installs what is missing, builds skelrt, and runs the main job on everything this machine has.
# Arguments go to the job: tools/demo.sh --help
set -euo pipefail
# shellcheck source=tools/setup.sh
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

job=apps/coulomb/coulomb
setup_build "$job"
say "$job: the Coulombic potential of a molecular system (picture: build/coulomb.png)"
exec "$build/$job" --check --picture "$build/coulomb.png" "$@"
