// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/cuda/launch/launch_list.hpp"

#include "codelets/cuda/cuda.hpp"
#include "codelets/cuda/launch/repeats.hpp"

#include "src/jit/current_device.hpp"
#include "src/runtime/environment/environment.hpp"

#include <cuda_runtime_api.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <utility>

namespace skelrt::detail::cuda
{

struct kept_graph {
    cudaGraphExec_t executable;
    std::vector<std::byte> launches; ///< of which it is made: hashes may lie
};

namespace
{

constexpr unsigned often_at_first = 4; ///< sightings of a sequence, before a graph is made of it
constexpr unsigned never = ~0u;
constexpr std::size_t most_graphs = 128;

thread_local launch_list* open_list = nullptr;
thread_local std::vector<std::byte> thread_bytes;

std::uint64_t hash_of(std::span<const std::byte> bytes)
{
    std::uint64_t hash = bytes.size();
    for (std::size_t i = 0; i < bytes.size(); i += sizeof hash) { // whole words: store() fills the last one
        std::uint64_t word = 0;
        std::memcpy(&word, bytes.data() + i, sizeof word);
        hash = known_sequences::behind(hash, word);
    }
    return hash;
}

} // namespace

struct device_graphs {
    std::mutex guard;
    known_sequences known;
    sighted_sequences sighted;
    std::vector<kept_graph> all;
    unsigned often = often_at_first; ///< more each time that there were too many: making them costs time, too
    cudaStream_t capture = nullptr;
    std::optional<bool> wanted; ///< SKELRT_GRAPHS, once it was asked for

    void clear()
    {
        for (const kept_graph& g : all) cudaGraphExecDestroy(g.executable); // one that runs is freed at its end
        all.clear();
        known.clear();
        sighted.clear();
    }
};

namespace
{

device_graphs& graphs_of(int device)
{
    static auto& all = *new std::array<device_graphs, most_devices>; // never destroyed, as the device's kernels
    return all.at(static_cast<std::size_t>(device));
}

device_graphs& current_graphs() { return graphs_of(device_now()); }

} // namespace

launch_list::launch_list(cudaStream_t stream) : stream_(stream), graphs_(current_graphs()), bytes_(thread_bytes)
{
    use_ = std::unique_lock(graphs_.guard, std::try_to_lock);
    if (!use_) return;
    if (!graphs_.wanted) graphs_.wanted = env_flag("SKELRT_GRAPHS").value_or(true);
    if (!*graphs_.wanted) use_.unlock();
}

launch_list::scope::scope(launch_list& list, std::size_t call) noexcept
{
    list.call_ = call;
    open_list = &list;
}

launch_list::scope::~scope() { open_list = nullptr; }

launch_list* current_list() noexcept { return open_list; }

void launch_list::store(const header& h, const parameter_block& parameter)
{
    const std::size_t begin = all_.empty() ? 0 : all_.back().end, end = begin + sizeof h + rounded_up(h.bytes, 8);
    bytes_.resize(std::max(bytes_.size(), begin + sizeof h + parameter.size())); // the driver reads all of it
    std::memcpy(bytes_.data() + begin, &h, sizeof h);
    std::memset(bytes_.data() + end - 8, 0, 8);
    std::memcpy(bytes_.data() + begin + sizeof h, parameter.data(), h.bytes);
    all_.push_back({begin, end, call_});
    hashes_.push_back(hash_of(bytes_of(all_.size() - 1, 1)));
}

void launch_list::add(const void* kernel, const grid_size& blocks, unsigned threads, const parameter_block& parameter,
                      std::size_t shared_bytes)
{
    store({kernel, blocks, threads, shared_bytes, parameter.bytes()}, parameter);
    go_on();
}

std::span<const std::byte> launch_list::bytes_of(std::size_t first, std::size_t count) const
{
    return std::span(bytes_).subspan(all_[first].begin, all_[first + count - 1].end - all_[first].begin);
}

void launch_list::launch(std::size_t i, cudaStream_t stream) const
{
    header h;
    std::memcpy(&h, bytes_.data() + all_[i].begin, sizeof h);
    std::byte* const parameter = bytes_.data() + all_[i].begin + sizeof h;
    run(h.kernel, h.blocks, static_cast<unsigned>(h.threads), parameter, stream, h.shared_bytes);
}

/// What goes wrong with one call is no matter of the others.
void launch_list::try_launch(std::size_t first, std::size_t count) noexcept
{
    for (std::size_t i = first; i < first + count; ++i) try {
            launch(i, stream_);
        } catch (...) {
            failures_.push_back({all_[i].call, std::current_exception()});
        }
}

/// Follows known sequences with the launches that are new.
void launch_list::go_on()
{
    while (held_ + matched_ < all_.size()) {
        const std::uint64_t next = known_sequences::behind(beginning_, hashes_[held_ + matched_]);
        const auto step = use_ ? graphs_.known.find(next) : known_sequences::step{};
        if (step.known) {
            beginning_ = next;
            ++matched_;
            if (step.complete >= 0) complete_ = matched_, graph_ = step.complete;
        }
        if (!step.goes_on) settle();
    }
}

/// Launches the longest whole sequence that is held, or the first launch alone. What is held behind it begins anew.
void launch_list::settle()
{
    const std::size_t count = std::max<std::size_t>(complete_, 1);
    if (complete_ == 0 || !launch_graph()) try_launch(held_, count);
    held_ += count;
    matched_ = complete_ = 0;
    beginning_ = 0;
    graph_ = -1;
}

bool launch_list::launch_graph()
{
    const kept_graph& g = graphs_.all[static_cast<std::size_t>(graph_)];
    const auto mine = bytes_of(held_, complete_);
    if (!std::ranges::equal(mine, g.launches)) return false;
    check_cuda(cudaGraphLaunch(g.executable, stream_), "cannot launch a graph of kernels");
    by_graphs_ += complete_;
    return true;
}

void launch_list::launch_held()
{
    while (held_ < all_.size()) {
        settle();
        go_on();
    }
}

void launch_list::flush()
{
    launch_held();
    if (!all_.empty()) interrupted_ = true;
}

/// Nothing is made of a batch that something else interrupts, now here and now there, or that mostly went by graphs
/// already.
void launch_list::end()
{
    launch_held();
    const bool known = 2 * by_graphs_ >= all_.size();
    if (!use_ || interrupted_ || known) return;
    for (const auto& [first, count] : graphs_.sighted.see(hashes_, graphs_.often))
        if (!make_graph(first, count)) graphs_.often = never;
}

/// Of so many launches of the batch. False: the device cannot.
bool launch_list::make_graph(std::size_t first, std::size_t count) const
{
    if (graphs_.all.size() >= most_graphs) {
        graphs_.clear();
        graphs_.often *= 2;
    }
    const auto ok = [](cudaError_t result) {
        if (result != cudaSuccess) cudaGetLastError(); // nobody else's
        return result == cudaSuccess;
    };
    cudaStream_t& capture = graphs_.capture;
    if (!capture && !ok(cudaStreamCreateWithFlags(&capture, cudaStreamNonBlocking))) return false;
    if (!ok(cudaStreamBeginCapture(capture, cudaStreamCaptureModeThreadLocal))) return false;
    bool launched = true;
    try {
        for (std::size_t i = first; i < first + count; ++i) launch(i, capture);
    } catch (...) { // its calls failed, too, and know it
        launched = false;
    }
    cudaGraph_t sequence = nullptr;
    cudaGraphExec_t executable = nullptr;
    const bool captured = ok(cudaStreamEndCapture(capture, &sequence));
    const bool made = captured && launched && ok(cudaGraphInstantiate(&executable, sequence, 0));
    if (sequence) cudaGraphDestroy(sequence);
    if (!made) return false;
    const auto launches = bytes_of(first, count);
    graphs_.known.add(std::span(hashes_).subspan(first, count), static_cast<int>(graphs_.all.size()));
    graphs_.all.push_back({executable, {launches.begin(), launches.end()}});
    return true;
}

void release_graphs() noexcept
{
    for (int d = 0; d < most_devices; ++d) {
        device_graphs& g = graphs_of(d);
        const std::lock_guard lock(g.guard);
        g.clear();
        g.often = often_at_first;
        g.wanted.reset();
        if (g.capture) cudaStreamDestroy(std::exchange(g.capture, nullptr));
    }
}

} // namespace skelrt::detail::cuda
