// SPDX-License-Identifier: BSD-3-Clause
#include "src/tool/calibrate/measure_network.hpp"

#include "src/cluster/peers.hpp"
#include "src/cluster/tags.hpp"
#include "src/cluster/trees.hpp"
#include "src/data/tile_handle.hpp"
#include "src/runtime/starpu_task.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <functional>
#include <limits>
#include <mutex>

namespace skelrt::tool
{

namespace
{

using namespace detail;

constexpr int batches = 5; ///< of each measurement; the best one counts

double us_of(const std::function<void()>& work)
{
    const auto begin = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - begin).count();
}

double best_us_of(const std::function<void()>& work)
{
    double best = std::numeric_limits<double>::infinity();
    for (int k = 0; k < batches; ++k) best = std::min(best, us_of(work));
    return best;
}

/// The first rank that is the first of its node, but for rank 0; else rank 1.
int rank_far_away(peers& others)
{
    const int mine = others.local_rank();
    const std::vector<std::byte> all = all_gather(others, std::as_bytes(std::span(&mine, 1)));
    std::vector<int> local(all.size() / sizeof(int));
    std::memcpy(local.data(), all.data(), all.size());
    const auto first = std::find(local.begin() + 1, local.end(), 0);
    return first == local.end() ? 1 : static_cast<int>(first - local.begin());
}

/// Two ranks that measure, and their memory for what they copy to and from messages.
class pair_of_ranks
{
public:
    pair_of_ranks(engine& e, int other) : engine_(e), others_(*e.cluster), other_(other) {}

    bool is_first() const { return others_.rank() == 0; }
    bool takes_part() const { return is_first() || others_.rank() == other_; }
    int partner() const { return is_first() ? other_ : 0; }

    void swap_back_and_forth(int rounds)
    {
        std::byte value[8] = {};
        const outgoing out{partner(), value};
        const incoming in{partner(), value};
        for (int k = 0; k < rounds; ++k) {
            if (is_first()) others_.swap_values({&out, 1}, {});
            others_.swap_values({}, {&in, 1});
            if (!is_first()) others_.swap_values({&out, 1}, {});
        }
    }
    /// Written by a task, sent, sent back, and read by a task.
    void send_there_and_back(std::size_t bytes)
    {
        memory_.resize(std::max(memory_.size(), bytes));
        starpu_data_handle_t there = make_handle(bytes), back = there;
        if (is_first()) {
            back = make_handle(bytes);
            submit(there, STARPU_W);
            send(there, 0);
            receive(back, 1);
            submit(back, STARPU_R);
            starpu_data_unregister_submit(back);
        } else {
            receive(there, 0);
            send(there, 1);
        }
        starpu_data_unregister_submit(there);
        starpu_task_wait_for_all();
    }
    /// So many there, and a value back when the last has come.
    void send_row(unsigned messages)
    {
        std::vector<starpu_data_handle_t> row(messages);
        for (unsigned k = 0; k < messages; ++k) {
            row[k] = make_handle(8);
            if (is_first()) {
                submit(row[k], STARPU_W);
                send(row[k], k);
            } else receive(row[k], k);
        }
        for (starpu_data_handle_t h : row) starpu_data_unregister(h); // which waits
        swap_back_and_forth(1);
    }
    double copied_bytes_per_us()
    {
        constexpr std::size_t bytes = std::size_t{64} << 20;
        std::vector<std::byte> to(bytes), from(bytes, std::byte{1});
        return static_cast<double>(bytes) / best_us_of([&] { std::memcpy(to.data(), from.data(), bytes); });
    }

private:
    starpu_data_handle_t make_handle(std::size_t bytes) const
    {
        starpu_data_handle_t made = nullptr;
        register_handle(made, nullptr, bytes, 1);
        return made;
    }
    void send(starpu_data_handle_t h, unsigned number)
    {
        const std::lock_guard lock(engine_.order);
        others_.send(h, partner(), message_tag(others_.calls, number, others_.rank(), partner()));
    }
    void receive(starpu_data_handle_t h, unsigned number)
    {
        const std::lock_guard lock(engine_.order);
        others_.receive(
            h, partner(), message_tag(others_.calls, number, partner(), others_.rank()), [](void*) { rouse_worker(); },
            nullptr);
    }

    static void copy(void* buffers[], void* memory)
    {
        auto* const message = reinterpret_cast<std::byte*>(STARPU_VECTOR_GET_PTR(buffers[0]));
        const std::size_t bytes = STARPU_VECTOR_GET_NX(buffers[0]);
        const bool writes = STARPU_TASK_GET_MODE(starpu_task_get_current(), 0) & STARPU_W;
        if (writes) std::memcpy(message, memory, bytes);
        else std::memcpy(memory, message, bytes);
    }
    static starpu_codelet make_codelet(starpu_data_access_mode mode)
    {
        starpu_codelet c;
        starpu_codelet_init(&c);
        c.cpu_funcs[0] = &copy;
        c.nbuffers = 1;
        c.modes[0] = mode;
        c.name = "skelrt calibrate: copy";
        return c;
    }
    void submit(starpu_data_handle_t h, starpu_data_access_mode mode)
    {
        static starpu_codelet writing = make_codelet(STARPU_W), reading = make_codelet(STARPU_R);
        starpu_task* const t = starpu_task_create();
        t->cl = mode == STARPU_W ? &writing : &reading;
        t->handles[0] = h;
        t->cl_arg = memory_.data();
        leave_to_leader(*t, engine_.devices());
        const std::lock_guard lock(engine_.order);
        submit_task(t);
    }

    engine& engine_;
    peers& others_;
    const int other_;
    std::vector<std::byte> memory_ = std::vector<std::byte>(8);
};

} // namespace

network_times measure_network(engine& e)
{
    peers& others = *e.cluster;
    network_times found;
    found.other = rank_far_away(others);
    pair_of_ranks pair(e, found.other);
    /// The best time of it, between the two; all ranks count the calls.
    const auto time = [&](const char* what, const std::function<void()>& work) {
        double best = std::numeric_limits<double>::infinity();
        for (int k = 0; k < batches; ++k) {
            others.calls.record(0, what, caller::here());
            all_gather(others, std::as_bytes(std::span(&k, 1)));
            if (pair.takes_part()) best = std::min(best, us_of(work));
        }
        return best;
    };
    constexpr int hops = 1000;
    constexpr unsigned row = 64;
    found.value_us = time("value", [&] { pair.swap_back_and_forth(hops); }) / (2 * hops);
    for (const std::size_t bytes : {8ul, 1ul << 10, 16ul << 10, 128ul << 10, 1ul << 20, 8ul << 20, 64ul << 20})
        found.messages.push_back(
            {static_cast<double>(bytes), time("message", [&] { pair.send_there_and_back(bytes); }) / 2});
    found.us_in_a_row = time("row", [&] { pair.send_row(row); }) / row;
    found.copied_bytes_per_us = pair.copied_bytes_per_us();
    return found;
}

} // namespace skelrt::tool
