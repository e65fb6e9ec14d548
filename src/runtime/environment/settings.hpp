// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/runtime.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

/// What the environment and the program ask of a runtime.
namespace skelrt::detail
{

struct program_plans;

/// How products over ranks get what other ranks hold of their right sides.
enum class products_by : std::uint8_t { cost, copies, panels };

/// When products of matrices go to BLAS libraries.
enum class blas_use : unsigned char { never, where_faster, always };

/// SKELRT_BLAS: that, and where the libraries are looked for.
struct blas_wish {
    blas_use use = blas_use::where_faster;
    std::string folder; ///< empty: where the loader looks
};
/// Throws error for a value that makes no sense, as read_settings() does.
blas_wish read_blas_wish();

/// SKELRT_PROGRESS, or, where that says nothing, whether stderr is a terminal, and messages are wanted: what takes long
/// says so. Throws error, as read_settings() does.
bool tells_progress();

struct settings {
    device_set allowed = device_set::all(); ///< kinds of device
    std::size_t tiles = 0;                  ///< of a container that asks for none; 0: as its size says
    std::optional<std::size_t> range_bytes; ///< SKELRT_RANGE_BYTES; none: a page of each device
    double inline_limit_us = 10;            ///< calls that take less run on the calling thread
    std::optional<double> stream_bytes;     ///< see engine::streams_from_bytes; none: as the machine's caches are
    std::size_t calls_a_task = 1;           ///< at most
    std::size_t lanes = 1;                  ///< streams of each GPU for the kernels of users' tasks
    bool fuses = true;
    bool learns_episodes = true;
    bool builds_beside = true;   ///< SKELRT_BUILDS: cores do calls while kernels for GPUs are built
    bool is_trial = false;       ///< SKELRT_TRIAL: every call is waited for and timed, for `skelrt tune`
    bool summary = false;        ///< SKELRT_SUMMARY: what calls took is printed at the end
    bool tells_progress = false; ///< see tells_progress()
    std::string trace;           ///< SKELRT_TRACE: file for a timeline; empty: none
    std::size_t trace_megabytes = 64;
    bool opencl_on_cpu = false;
    bool sequential = false;       ///< SKELRT_SEQUENTIAL: items and tasks run where they are written
    bool checks_devices = false;   ///< SKELRT_CHECK=devices: all runs on the cores, whatever the program asks for
    bool checks_unwritten = false; ///< SKELRT_CHECK=unwritten: calls look at what they read
    std::string check_cuda;        ///< architecture for which all kernels are compiled, to check them; empty: none
    int cpu_cores = -1, cuda_devices = -1, opencl_devices = -1; ///< as StarPU counts them; -1: all
    std::shared_ptr<const program_plans> plans; ///< SKELRT_PLAN's; null: none. Calls point into it while they are made
    std::string policy;                         ///< the program's wish
    bool has_ranks = false;                     ///< StarPU-MPI will run beside the workers
    products_by products = products_by::cost;   ///< SKELRT_PRODUCTS
    bool compares_each_call = false;            ///< SKELRT_CLUSTER_CHECK=2: ranks, and waits for all of them
};

/// The environment's word wins over the program's. Throws error for a value that makes no sense.
settings read_settings(const options& wanted);

} // namespace skelrt::detail
