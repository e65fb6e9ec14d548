#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# alone.sh FOLDER... -- COMMAND...: runs the command where these folders, the user's caches and the CUDA toolkit are
# not, in a namespace of mounts. Ends with 77 where none may be made.
set -euo pipefail

if [ "$1" != --inside ]; then
    for namespace in "unshare --mount" "unshare --map-root-user --mount"; do
        if $namespace mount -t tmpfs none /tmp 2>/dev/null; then
            exec $namespace "$0" --inside "$@"
        fi
    done
    exit 77
fi
shift

hide_folder() {
    [ ! -d "$1" ] || mount -t tmpfs none "$1"
}

while [ "$1" != -- ]; do
    hide_folder "$1"
    shift
done
shift
for folder in ~/.cache "${CUDA_PATH:-}" "${CUDA_HOME:-}" /usr/local/cuda /usr/local/cuda-*; do
    [ -z "$folder" ] || hide_folder "$(realpath -m "$folder")"
done
PATH=$PATH:/sbin:/usr/sbin ldconfig -p | sed -nE 's/.*(libcudart|libnvrtc).*=> //p' | while read -r library; do
    [ ! -s "$library" ] || mount --bind /dev/null "$library"
done
unset CUDA_PATH CUDA_HOME
exec "$@"
