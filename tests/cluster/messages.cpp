// SPDX-License-Identifier: BSD-3-Clause
/// Messages between StarPU's handles, and values, through the plug-in alone, under mpirun: messages PLUG-IN, or
/// messages PLUG-IN orphan for one that never comes, messages PLUG-IN circle for ranks that wait for each other.

#include "src/cluster/tags.hpp"
#include "tests/cluster/plain_messages.hpp"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <random>
#include <span>
#include <thread>
#include <utility>
#include <vector>

using namespace skelrt::detail;
using namespace test;

namespace
{

std::atomic<int> asleep{0};

/// Values of any size from any to any, drawn alike by all ranks, while tasks and messages go on.
void swap_at_random(peers& others)
{
    constexpr int rounds = 300;
    const int me = others.rank(), n = others.size();
    std::mt19937 random(7);
    std::vector<std::vector<unsigned char>> memory;
    for (int round = 0; round < rounds; ++round) {
        others.calls.record(static_cast<std::uint64_t>(round), "swap", caller::here());
        std::vector<outgoing> out;
        std::vector<incoming> in;
        std::vector<std::pair<std::size_t, unsigned>> expected; // index of what comes, seed
        memory.clear();
        for (unsigned values = random() % 8; values > 0; --values) {
            const int from = static_cast<int>(random() % static_cast<unsigned>(n));
            const int to = (from + 1 + static_cast<int>(random() % static_cast<unsigned>(n - 1))) % n;
            const std::size_t most = random() % 4 == 0 ? 300'000 : 4000, bytes = random() % most;
            const unsigned seed = static_cast<unsigned>(random());
            if (from != me && to != me) continue;
            std::vector<unsigned char>& value = memory.emplace_back(bytes);
            for (std::size_t k = 0; from == me && k < bytes; ++k) value[k] = value_at(k, seed);
            if (from == me) out.push_back({to, std::as_bytes(std::span(value))});
            else {
                in.push_back({from, std::as_writable_bytes(std::span(value))});
                expected.emplace_back(memory.size() - 1, seed);
            }
        }
        others.swap_values(out, in);
        for (const auto& [at, seed] : expected)
            for (std::size_t k = 0; k < memory[at].size(); ++k)
                if (memory[at][k] != value_at(k, seed)) ++wrong;
    }
}

/// One of each size to the next rank, and one from the one before, at the same time.
void exchange(peers& others)
{
    static starpu_codelet filling = make_codelet(&fill, STARPU_W), comparing = make_codelet(&compare, STARPU_R);
    static std::atomic<long> received{0};
    const int me = others.rank(), n = others.size(), next = (me + 1) % n, before = (me + n - 1) % n;
    constexpr std::size_t mib = std::size_t{1} << 20;
    const long checked_before = checked, received_before = received;
    long rounds = 0;
    for (const std::size_t bytes :
         {std::size_t{0}, std::size_t{1}, std::size_t{5000}, mib, mib + 1, 3 * mib, 100 * mib})
        for (int k = 0; k < (bytes < mib ? 20 : 2); ++k, ++rounds) {
            others.calls.record(bytes, "exchange", caller::here());
            starpu_data_handle_t out = make_handle(bytes), in = make_handle(bytes);
            submit(filling, out, static_cast<unsigned>(100 * me + k));
            others.send(out, next, message_tag(others.calls, 0, me, next));
            if (k % 5 == me % 5) std::this_thread::sleep_for(std::chrono::milliseconds(1)); // some come early
            others.receive(
                in, before, message_tag(others.calls, 0, before, me),
                [](void* r) { ++*static_cast<std::atomic<long>*>(r); }, &received);
            submit(comparing, in, static_cast<unsigned>(100 * before + k));
            starpu_data_unregister_submit(out);
            starpu_data_unregister_submit(in);
        }
    swap_at_random(others);
    ++asleep;
    starpu_task_wait_for_all();
    --asleep;
    if (checked - checked_before != rounds || received - received_before != rounds) ++wrong;
}

/// The job ends here: no task can throw.
void await_what_nobody_sends(peers& others)
{
    starpu_data_handle_t in = make_handle(8);
    const int from = 1 - others.rank();
    others.receive(in, from, message_tag(others.calls, 0, from, others.rank()), nullptr, nullptr);
    ++asleep;
    starpu_data_unregister(in);
    --asleep;
}

} // namespace

int main(int argc, char** argv)
{
    const auto is_asked = [&](const char* what) { return argc > 2 && std::strcmp(argv[2], what) == 0; };
    const bool orphan = is_asked("orphan"), circle = is_asked("circle");
    const peers_plugin* const plugin = open_plugin(argc > 1 ? argv[1] : nullptr);
    if (!plugin) return 2;
    for (int round = 0; round < 3; ++round) {
        const std::unique_ptr<peers> others(
            plugin->open({circle ? 1 : 60, [](const char* text) noexcept { std::fputs(text, stderr); }, &asleep}));
        auto starpu = std::make_unique<started_starpu>();
        if (!starpu->runs()) return 2;
        others->start();
        if (orphan || circle) {
            if (circle || others->rank() == 0) await_what_nobody_sends(*others);
            others->leave({});
            static_cast<void>(starpu.release()); // its end would wait for what never comes
            continue;
        }
        exchange(*others);
        const traffic sent = others->so_far();
        if (sent.messages_sent == 0 || sent.largest_sent != 100u << 20) ++wrong;
        others->leave({});
        others->stop();
    }
    if (wrong) std::fprintf(stderr, "%ld wrong\n", wrong.load());
    return wrong ? 1 : 0;
}
