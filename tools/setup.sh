#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# The set-up that tools/demo.sh and tools/test.sh share: Debian packages, StarPU, configuration, build.
# Each step does nothing where its work is done already. Run by itself it stops after the build.
#
#   tools/setup.sh [--no-packages] [TARGET...]
#
#   --no-packages          needs no root: says which packages are missing and what for, and goes on with what is there
#   SKELRT_DEPS            where StarPU is kept, outside the checkout (default ~/.cache/skelrt)
#   SKELRT_STARPU_SOURCE   a StarPU 1.4 release, tarball or directory, for machines without apt
#   SKELRT_JOBS            how many compilers at once (default: one a core, less where memory is short)
#   CUDA_PATH              the CUDA toolkit, where it is not /usr/local/cuda
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=$root/build
logs=$build/logs
install_missing=yes
deps=$(realpath -m "${SKELRT_DEPS:-${XDG_CACHE_HOME:-$HOME/.cache}/skelrt}")
mkdir -p "$logs"

say() { printf '== %s\n' "$*"; }
indent() { while IFS= read -r line; do printf '     %s\n' "$line"; done; }

# fail STEP LOG WAY_OUT
fail() {
    printf '\n== FAILED: %s\n' "$1"
    if [ -s "$2" ]; then
        printf '   log: %s, which ends with:\n' "$2"
        tail -n 25 "$2" | indent
    fi
    printf '   way out: %s\n' "$3"
    exit 1
} >&2

# step TITLE LOG_NAME WAY_OUT COMMAND...: one line, its time, and its output in a log
step() {
    local title=$1 log=$logs/$2.log way_out=$3 start=$SECONDS status
    shift 3
    printf '== %s ... ' "$title"
    set +e # a subshell in a condition would not stop at its first error
    (
        set -e
        "$@"
    ) >"$log" 2>&1 </dev/null
    status=$?
    set -e
    [ "$status" -eq 0 ] || fail "$title" "$log" "$way_out"
    printf '%d s\n' $((SECONDS - start))
}

jobs_wanted() {
    local cores memory
    cores=$(nproc)
    memory=$(awk '/MemAvailable/ { print int($2 / 1000000) }' /proc/meminfo) # the largest files take 0.8 GB
    [ "$memory" -ge 1 ] || memory=1
    echo "${SKELRT_JOBS:-$((cores < memory ? cores : memory))}"
}

# ---- Debian packages -------------------------------------------------------------------------------------------------

# package | how to see that it is there | what for
packages() {
    cat <<'END'
g++                 cmd:g++                                 compiler
make                cmd:make                                builds StarPU
pkg-config          cmd:pkg-config                          finds libraries
meson               cmd:meson                               configures skelrt
ninja-build         cmd:ninja                               builds skelrt
libhwloc-dev        pc:hwloc                                topology of the machine
libnuma-dev         hdr:numa.h                              StarPU: NUMA memory
libfxt-dev          hdr:fxt/fxt.h                           StarPU: traces
libopenmpi-dev      cmd:mpicc                               clusters: StarPU's messages, and skelrt's ranks
openmpi-bin         cmd:mpirun                              clusters: starts programs of several ranks
opencl-headers      hdr:CL/cl.h                             OpenCL
ocl-icd-opencl-dev  pc:OpenCL                               OpenCL loader
pocl-opencl-icd     file:/etc/OpenCL/vendors/pocl.icd       OpenCL on the CPU, for tests
libfmt-dev          pc:fmt                                  text
libspdlog-dev       pc:spdlog                               log
nlohmann-json3-dev  pc:nlohmann_json                        models on disk
libxxhash-dev       pc:libxxhash                            keys of the kernel cache
libcli11-dev        pc:CLI11                                command lines
libopenblas-dev     pc:openblas                             matrices in applications and benchmarks
libpng-dev          pc:libpng                               pictures
catch2              pc:catch2                               tests, version 2 or 3
libeigen3-dev       pc:eigen3                               tests: Eigen on host views and blocks
libtbb-dev          pc:tbb                                  benchmarks: oneTBB as a rival
END
}

there() {
    case $1 in
        cmd:*) command -v "${1#cmd:}" >/dev/null ;;
        pc:*) pkg-config --exists "${1#pc:}" 2>/dev/null ;;
        file:*) [ -e "${1#file:}" ] ;;
        hdr:*) printf '#include <%s>\n' "${1#hdr:}" | "${CXX:-g++}" -E -x c++ - >/dev/null 2>&1 ;;
    esac
}

# The packages that are missing, one a line, with their purpose.
missing_packages() {
    local package probe purpose
    while read -r package probe purpose; do
        there "$probe" || printf '%-20s %s\n' "$package" "$purpose"
    done < <(packages)
}

as_root() {
    if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi
}

install_packages() {
    as_root apt-get update
    as_root env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 install -y --no-install-recommends "$@"
}

setup_packages() {
    local missing names
    missing=$(missing_packages)
    if [ -z "$missing" ]; then
        say "packages: all there"
        return
    fi
    names=$(awk '{ printf "%s ", $1 }' <<<"$missing")
    if [ "$install_missing" = no ] || ! command -v apt-get >/dev/null || [ -n "${SKELRT_STARPU_SOURCE:-}" ]; then
        say "packages: these seem to be missing, and are not installed (--no-packages, no apt, or SKELRT_STARPU_SOURCE is set); going on without:"
        indent <<<"$missing"
        return
    fi
    say "packages: skelrt and StarPU are built here and need these Debian packages:"
    indent <<<"$missing"
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null || fail "packages: not root, and there is no sudo" /dev/null "as root: apt-get install $names"
        say "packages: installed with sudo apt-get; sudo may ask for your password"
        sudo -v || fail "packages: sudo was refused" /dev/null "as root: apt-get install $names"
    fi
    # shellcheck disable=SC2086 # one word a package
    step "packages: apt-get install" packages "repair apt-get, or as root: apt-get install $names" install_packages $names
}

# ---- StarPU ----------------------------------------------------------------------------------------------------------

# The CUDA toolkit that StarPU is built with; meson.build looks in the same places.
find_cuda() {
    local nvcc dir
    nvcc=$(command -v nvcc || true)
    for dir in "${CUDA_PATH:-}" "${CUDA_HOME:-}" "${nvcc%/bin/nvcc}" /usr/local/cuda /usr; do
        if [ -n "$dir" ] && [ -f "$dir/include/cuda_runtime.h" ] && [ -f "$dir/include/nvrtc.h" ] && [ -f "$dir/include/cublas_v2.h" ]; then
            echo "$dir"
            return
        fi
    done
}

starpu_options() {
    local cuda=$1
    printf '%s\n' --disable-build-doc --disable-build-doc-pdf --disable-build-examples --disable-build-tests --disable-starpufft \
        --disable-socl --disable-fortran --disable-starpurm --disable-starpupy --disable-bubble --enable-maxcudadev=8 \
        --enable-maxcpus=256 --enable-maxbuffers=16 --enable-maxnumanodes=8 --disable-static --disable-hdf5 --disable-leveldb --disable-hip \
        --disable-glpk
    if [ -n "$cuda" ]; then
        printf '%s\n' --enable-cuda "--with-cuda-dir=$cuda" ac_cv_lib_cublasLt_cublasLtCreate=no ac_cv_lib_cusparse_cusparseCreate=no \
            ac_cv_lib_cusolver_cusolverDnCreate=no
    else
        echo --disable-cuda
    fi
    if there cmd:mpicc; then echo "--with-mpicc=$(command -v mpicc)"; else echo --disable-mpi; fi
    if there hdr:fxt/fxt.h; then echo --with-fxt; fi
}

# CUDA 13 has no field computeMode any more; asking for the attribute is right with every CUDA.
# Where a kernel has failed, the driver asserts: it is to call the function for CUDA's errors, as everywhere else, for
# that one names the user's call.
# StarPU-MPI's thread takes its lock again at once: where ranks share cores, threads that submit messages would wait for
# seconds.
# What a program holds in CUDA must not go while buses are measured, and a second start finds GPUs that see each other
# already.
# StarPU's helpers for cuBLAS are left out: a library that nobody here calls would be loaded into each program.
patch_starpu() {
    local file
    sed -i 's/STARPU_VALGRIND_YIELD();/sched_yield();/' mpi/src/mpi/starpu_mpi_mpi.c
    sed -i 's/^\tcudaDeviceReset();/\t;/' src/core/perfmodel/perfmodel_bus.c
    sed -i 's/-lcublas/-lcudart/' configure
    sed -i 's/^#ifdef STARPU_USE_CUDA/#if 0/' src/drivers/cuda/starpu_cublas.c src/drivers/cuda/starpu_cublas_v2.c
    sed -i 's/cures = cudaDeviceEnablePeerAccess(.*);/& if (cures == cudaErrorPeerAccessAlreadyEnabled) cures = cudaSuccess;/' \
        src/core/perfmodel/perfmodel_bus.c src/drivers/cuda/driver_cuda.c
    for file in src/drivers/cuda/driver_cuda.c src/drivers/cuda/driver_cuda1.c; do
        [ ! -f "$file" ] || sed -i -f - "$file" <<'END'
s/props\[devid\]\.computeMode == cudaComputeModeExclusive/({ int mode_ = 0; cudaDeviceGetAttribute(\&mode_, cudaDevAttrComputeMode, devid); mode_ == cudaComputeModeExclusive; })/
s/STARPU_ASSERT_MSG(cures == cudaErrorNotReady, "CUDA error on task.*/if (cures != cudaErrorNotReady) STARPU_CUDA_REPORT_ERROR(cures);/
END
    done
}

# What, besides StarPU's version, decides whether a build in the cache is the one wanted.
starpu_key() {
    local cuda=$1
    {
        starpu_options "$cuda"
        "${CC:-gcc}" -dumpmachine
        "${CC:-gcc}" -dumpfullversion
        [ -z "$cuda" ] || grep -hE 'define CUDA_VERSION' "$cuda/include/cuda.h"
        declare -f patch_starpu build_starpu
        [ -z "${SKELRT_STARPU_SOURCE:-}" ] || find "$SKELRT_STARPU_SOURCE" -type f -exec sha256sum {} + | sort
    } | sha256sum | cut -c 1-12
}

# Is the StarPU that pkg-config finds good enough? Says why not.
starpu_suffices() {
    local cuda=$1 macros flags
    read -ra flags < <(pkg-config --cflags starpu-1.4)
    macros=$(printf '#include <starpu_config.h>\n' | "${CXX:-g++}" "${flags[@]}" -dM -E -x c++ - 2>/dev/null) || {
        echo "its headers do not compile"
        return 1
    }
    value() { awk -v name="STARPU_$1" '$2 == name { print $3; found = 1 } END { if (!found) print 0 }' <<<"$macros"; }
    if [ "$(value MAXCPUS)" -lt "$(nproc --all)" ]; then
        echo "built for $(value MAXCPUS) CPUs, this machine has $(nproc --all)"
    elif [ "$(value NMAXBUFS)" -lt 16 ]; then
        echo "built for $(value NMAXBUFS) buffers a task, 16 are needed"
    elif [ -n "$cuda" ] && [ "$(value USE_CUDA)" -eq 0 ]; then
        echo "built without CUDA"
    elif there pc:OpenCL && [ "$(value USE_OPENCL)" -eq 0 ]; then
        echo "built without OpenCL"
    else
        return 0
    fi
    return 1
}

# A private folder for apt-get, so that StarPU comes from Debian's sid and the system's own sources stay as they are.
# A frozen mirror's lists may be past their date: they are signed all the same, and an older 1.4.10 is what is wanted.
private_apt() {
    local dir=$1 mirror=$2 keyring
    keyring=$(find /usr/share/keyrings -name 'debian-archive-keyring.*' | head -n 1)
    mkdir -p "$dir"/lists/partial "$dir"/cache/archives/partial
    echo "deb-src [signed-by=$keyring] $mirror sid main" >"$dir/sources.list"
    cat >"$dir/apt.conf" <<END
Dir::Etc::SourceList "$dir/sources.list";
Dir::Etc::SourceParts "/dev/null";
Dir::State::Lists "$dir/lists";
Dir::Cache "$dir/cache";
APT::Default-Release "";
Acquire::Check-Valid-Until "false";
APT::Sandbox::User "root";
#clear APT::Update::Pre-Invoke;
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
END
}

debian_mirror() {
    # shellcheck disable=SC2016 # apt's own placeholders
    apt-get indextargets --format '$(REPO_URI) $(ORIGIN)' 'Created-By: Packages' |
        awk '$2 == "Debian" && $1 !~ /security/ { print $1; exit }'
}

# The checksum that a .dsc gives for the release's tarball: "SHA256 NAME".
dsc_checksum() {
    awk '/^Checksums-Sha256:/ { on = 1; next } /^[^ ]/ { on = 0 } on && $3 ~ /\.orig\.tar\./ && $3 !~ /\.asc$/ { print $1 "  " $3 }' "$1"
}

# Leaves the .dsc and the tarball, verified, in $deps/source.
download_starpu() {
    local apt=$1 mirror
    command -v apt-get >/dev/null || { echo "no apt-get on this machine"; exit 1; }
    mirror=$(debian_mirror)
    if [ -z "$mirror" ]; then
        echo "apt has no package lists yet: they name the mirror"
        as_root apt-get update
        mirror=$(debian_mirror)
    fi
    [ -n "$mirror" ] || { echo "apt knows no Debian mirror (apt-get indextargets)"; exit 1; }
    private_apt "$apt" "$mirror"
    cd "$apt"
    apt-get -c "$apt/apt.conf" update
    apt-get -c "$apt/apt.conf" source --download-only starpu
    dsc_checksum starpu_*.dsc | sha256sum --check --strict -
    mkdir -p "$deps/source"
    mv starpu_*.orig.tar.* starpu_*.dsc "$deps/source/"
}

# The tarball that an earlier set-up left, if it is whole.
cached_source() {
    local dsc
    dsc=$(find "$deps/source" -name 'starpu_1.4.*.dsc' 2>/dev/null | sort -V | tail -n 1)
    [ -n "$dsc" ] && cd "$deps/source" && dsc_checksum "$dsc" | sha256sum --check --strict --status - &&
        dsc_checksum "$dsc" | awk -v dir="$deps/source" '{ print dir "/" $2; exit }'
}

unpack_starpu() {
    local source=$1 work=$2
    mkdir -p "$work"
    if [ -d "$source" ]; then cp -a "$source/." "$work"; else tar -xf "$source" -C "$work" --strip-components=1; fi
    [ -x "$work/configure" ] || { echo "$source has no configure script: a release of StarPU is needed, not its repository"; exit 1; }
    case $(starpu_version "$work") in
        1.4.[0-9]) echo "this is StarPU $(starpu_version "$work"); 1.4.10 or a later 1.4 is needed"; exit 1 ;;
        1.4.*) ;;
        *) echo "this is StarPU $(starpu_version "$work"); 1.4.10 or a later 1.4 is needed"; exit 1 ;;
    esac
}

starpu_version() { sed -n "s/^PACKAGE_VERSION='\(.*\)'/\1/p" "$1/configure"; }

build_starpu() {
    local work=$1 prefix=$2 cuda=$3 options libdir
    cd "$work"
    patch_starpu
    mapfile -t options < <(starpu_options "$cuda")
    # Programs find CUDA's libraries without LD_LIBRARY_PATH.
    if [ -n "$cuda" ]; then
        libdir=$cuda/lib64
        [ -d "$libdir" ] || libdir=$(dirname "$(find "$cuda/lib" -name libcudart.so -print -quit)")
        options+=("LDFLAGS=${LDFLAGS:-} -Wl,-rpath,$libdir")
    fi
    rm -rf "$prefix"
    ./configure --prefix="$prefix" --enable-silent-rules "${options[@]}"
    make -j"$(jobs_wanted)"
    make install
    touch "$prefix/.complete" # without it the folder counts as half-built
}

# Sets starpu_pkgconfig: the folder to add to pkg-config's path, empty for a StarPU that it finds anyway.
setup_starpu() {
    local cuda key prefix source work reason
    starpu_pkgconfig=
    cuda=$(find_cuda)
    [ -z "${SKELRT_STARPU_SOURCE:-}" ] || [ -e "$SKELRT_STARPU_SOURCE" ] ||
        fail "StarPU: SKELRT_STARPU_SOURCE=$SKELRT_STARPU_SOURCE is not there" /dev/null "name a tarball or directory of StarPU 1.4.10 or later"
    if [ -z "${SKELRT_STARPU_SOURCE:-}" ] && pkg-config --exists 'starpu-1.4 >= 1.4'; then
        if reason=$(starpu_suffices "$cuda"); then
            say "StarPU: $(pkg-config --modversion starpu-1.4) of this machine, in $(pkg-config --variable=prefix starpu-1.4)"
            return
        fi
        say "StarPU: that of this machine is not used: $reason"
    fi

    key=$(starpu_key "$cuda")
    mkdir -p "$deps"
    exec 9>"$deps/lock"
    if ! flock --nonblock 9; then
        say "StarPU: another set-up is at work; waiting for it"
        flock 9
    fi
    prefix=$(find "$deps" -maxdepth 2 -path "*/starpu-*-$key/.complete" | sort -V | tail -n 1)
    prefix=${prefix%/.complete}
    if [ -n "$prefix" ]; then
        say "StarPU: $(basename "$prefix") from $deps"
    else
        local elsewhere="SKELRT_STARPU_SOURCE=<tarball or directory of StarPU 1.4.10 or later> takes it from there"
        work=$(mktemp -d "$deps/building.XXXXXX")
        # shellcheck disable=SC2064 # this folder, now
        trap "rm -rf '$work'" EXIT
        source=${SKELRT_STARPU_SOURCE:-$(cached_source || true)}
        if [ -z "$source" ]; then
            step "StarPU: source from Debian's sid" starpu-download "check the network and apt's mirror; or $elsewhere" download_starpu "$work/apt"
            source=$(cached_source)
        fi
        step "StarPU: unpack $(basename "$source")" starpu-unpack "$elsewhere" unpack_starpu "$(realpath "$source")" "$work/src"
        prefix=$deps/starpu-$(starpu_version "$work/src")-$key
        step "StarPU: build (once for this machine, some minutes; CUDA ${cuda:-no})" starpu-build \
            "mend what the log names; or $elsewhere" build_starpu "$work/src" "$prefix" "$cuda"
        rm -rf "$work"
        trap - EXIT
    fi
    exec 9>&-
    starpu_pkgconfig=$prefix/lib/pkgconfig
}

# ---- skelrt ----------------------------------------------------------------------------------------------------------

# Where Debian's pkg-config looks for what is installed. Without the package dpkg-dev meson would take lib64.
default_libdir() {
    local multiarch
    multiarch=$("${CC:-gcc}" -print-multiarch 2>/dev/null) || true
    [ -z "$multiarch" ] || [ ! -d "/usr/lib/$multiarch" ] || echo "--libdir=lib/$multiarch"
}

configure() {
    local path=$starpu_pkgconfig${PKG_CONFIG_PATH:+,$PKG_CONFIG_PATH} how
    rm -f "$build/.configured-with"
    path=${path#,}
    if [ -f "$build/build.ninja" ]; then how=--reconfigure; else how=$(default_libdir); fi
    # shellcheck disable=SC2086 # one word or none
    meson setup $how "-Dpkg_config_path=${path//:/,}" "$build" "$root"
    echo "$starpu_pkgconfig" >"$build/.configured-with"
}

# setup_build [TARGET...]: packages, StarPU, configuration, and the targets (default: everything)
setup_build() {
    setup_packages
    setup_starpu
    if [ -f "$build/build.ninja" ] && [ "$(cat "$build/.configured-with" 2>/dev/null || echo none)" = "$starpu_pkgconfig" ]; then
        say "configure: done before, in build/"
    else
        step "configure" configure "mend what the log names; rm -rf build starts from nothing" configure
    fi
    step "build ${*:-everything} (minutes the first time)" build "mend what the log names; rm -rf build starts from nothing" \
        ninja -C "$build" -j "$(jobs_wanted)" "$@"
}

if [ "${BASH_SOURCE[0]}" = "$0" ]; then
    if [ "${1:-}" = --no-packages ]; then
        install_missing=no
        shift
    fi
    setup_build "$@"
fi
