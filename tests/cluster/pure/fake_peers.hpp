// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/cluster/peers.hpp"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <exception>
#include <map>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

/// Ranks that are threads of one process, with the value plane alone: for tests of what is built on it.
namespace fake
{

using namespace skelrt::detail;

class mail
{
public:
    void put(int from, int to, std::span<const std::byte> bytes)
    {
        const std::lock_guard lock(guard_);
        boxes_[{from, to}].emplace_back(bytes.begin(), bytes.end());
        come_.notify_all();
    }
    void take(int from, int to, std::span<std::byte> bytes)
    {
        std::unique_lock lock(guard_);
        auto& box = boxes_[{from, to}];
        if (!come_.wait_for(lock, std::chrono::seconds(20), [&] { return !box.empty(); }))
            throw std::runtime_error("nothing came");
        if (box.front().size() != bytes.size()) throw std::runtime_error("another size came");
        std::ranges::copy(box.front(), bytes.begin());
        box.pop_front();
    }
    bool is_empty() const
    {
        return std::ranges::all_of(boxes_, [](const auto& box) { return box.second.empty(); });
    }

private:
    std::mutex guard_;
    std::condition_variable come_;
    std::map<std::pair<int, int>, std::deque<std::vector<std::byte>>> boxes_;
};

class thread_peers final : public peers
{
public:
    thread_peers(mail& all, int rank, int size) : mail_(all)
    {
        rank_ = rank;
        size_ = size;
    }
    void swap_values(std::span<const outgoing> out, std::span<const incoming> in) override
    {
        for (const outgoing& o : out) mail_.put(rank_, o.to, o.bytes);
        for (const incoming& i : in) mail_.take(i.from, rank_, i.bytes);
        swaps_ += !out.empty() || !in.empty();
    }
    traffic so_far() const noexcept override { return {0, 0, 0, swaps_}; }

    std::vector<std::byte> gather_on_node(std::span<const std::byte>) override { std::terminate(); }
    void start() override { std::terminate(); }
    void send(starpu_data_handle_t, int, std::int64_t) override { std::terminate(); }
    void receive(starpu_data_handle_t, int, std::int64_t, void (*)(void*), void*) override { std::terminate(); }
    void tell_failure(std::string_view) noexcept override { std::terminate(); }
    void leave(const farewell&) noexcept override { std::terminate(); }
    void stop() noexcept override { std::terminate(); }
    [[noreturn]] void give_up(std::string_view) noexcept override { std::terminate(); }

private:
    mail& mail_;
    std::uint64_t swaps_ = 0;
};

/// program(peers&) as so many ranks; the first error of one of them. Whether all that was sent was also received.
template <class Program>
bool run_ranks(int size, const Program& program)
{
    mail all;
    std::vector<std::exception_ptr> errors(static_cast<std::size_t>(size));
    {
        std::vector<std::jthread> ranks;
        for (int r = 0; r < size; ++r)
            ranks.emplace_back([&, r] {
                try {
                    thread_peers me(all, r, size);
                    program(me);
                } catch (...) {
                    errors[static_cast<std::size_t>(r)] = std::current_exception();
                }
            });
    }
    for (const std::exception_ptr& e : errors)
        if (e) std::rethrow_exception(e);
    return all.is_empty();
}

} // namespace fake
