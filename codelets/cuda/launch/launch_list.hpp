// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/cuda/launch/launchers.hpp"

#include <cstddef>
#include <cstdint>
#include <exception>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include <driver_types.h>

/// The launches of a batch of calls. A launch costs its thread about 3 us, as much as a small kernel takes; a launch in
/// a graph that was made before costs a third of that. So sequences of launches that come again and again, with the
/// same parameters, become CUDA graphs: a launch with which a known sequence begins is held back until it is clear
/// whether the rest follows.
///
/// Lifetime: on the stack of the worker that runs the batch. Graphs belong to the device, until release_graphs()
/// (cuda.hpp). Threads: one list a device makes use of graphs at a time; others launch at once.
namespace skelrt::detail::cuda
{

struct device_graphs;

class launch_list
{
public:
    explicit launch_list(cudaStream_t stream);
    launch_list(const launch_list&) = delete;
    launch_list& operator=(const launch_list&) = delete;

    /// While it lives, kernels that the calling thread launches with a parameter_block go to the list, on behalf of
    /// call number `call` of the batch.
    class scope
    {
    public:
        scope(launch_list& list, std::size_t call) noexcept;
        scope(const scope&) = delete;
        scope& operator=(const scope&) = delete;
        ~scope();
    };

    /// Enqueues what is held back, before something else is enqueued.
    void flush();
    /// The batch is complete: the same, and its launches are remembered.
    void end();
    /// Calls whose launches failed, and why.
    struct failure {
        std::size_t call;
        std::exception_ptr why;
    };
    const std::vector<failure>& failures() const noexcept { return failures_; }

    /// For run(): launches now or later.
    void add(const void* kernel, const grid_size& blocks, unsigned threads, const parameter_block& parameter,
             std::size_t shared_bytes);

private:
    /// What tells launches apart, with the bytes of the parameter that follow it.
    struct header {
        const void* kernel;
        grid_size blocks;
        std::size_t threads, shared_bytes, bytes;
    };
    struct entry {
        std::size_t begin, end; ///< of its header and parameter in bytes_
        std::size_t call;
    };

    void store(const header& h, const parameter_block& parameter);
    void launch(std::size_t i, cudaStream_t stream) const;
    void try_launch(std::size_t first, std::size_t count) noexcept;
    void go_on();
    void settle();
    void launch_held();
    bool launch_graph();
    bool make_graph(std::size_t first, std::size_t count) const;
    std::span<const std::byte> bytes_of(std::size_t first, std::size_t count) const;

    cudaStream_t stream_;
    device_graphs& graphs_;
    std::unique_lock<std::mutex> use_; ///< of the graphs
    std::size_t call_ = 0;
    std::vector<std::byte>& bytes_; ///< kept by the thread
    std::vector<entry> all_;
    std::vector<std::uint64_t> hashes_;
    std::size_t held_ = 0;        ///< of all_: the first that is held back
    std::size_t matched_ = 0;     ///< so many of the held ones are how a known sequence begins,
    std::uint64_t beginning_ = 0; ///< with this hash;
    std::size_t complete_ = 0;    ///< so many are a whole one:
    int graph_ = -1;              ///< this
    std::size_t by_graphs_ = 0;   ///< launches
    bool interrupted_ = false;
    std::vector<failure> failures_;
};

/// The list of the calling thread's scope; null: none.
launch_list* current_list() noexcept;

} // namespace skelrt::detail::cuda
