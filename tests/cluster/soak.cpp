// SPDX-License-Identifier: BSD-3-Clause
/// Very many messages between StarPU's handles, through the plug-in alone, under mpirun: soak PLUG-IN MESSAGES. Each
/// one's bytes are compared, and memory may not grow with their number. Exit code 0 if all is as it should be.

#include "src/cluster/tags.hpp"
#include "tests/cluster/plain_messages.hpp"

#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <random>
#include <span>

using namespace skelrt::detail;
using namespace test;

namespace
{

std::atomic<int> asleep{0};
std::atomic<long> freed{0}; ///< sent, and their memory written anew

std::size_t resident_bytes()
{
    std::size_t all = 0, resident = 0;
    std::ifstream("/proc/self/statm") >> all >> resident;
    return resident * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

void overwrite(void** buffers, void*)
{
    auto* const bytes = reinterpret_cast<unsigned char*>(STARPU_VECTOR_GET_PTR(buffers[0]));
    for (std::size_t k = 0; k < STARPU_VECTOR_GET_NX(buffers[0]); ++k) bytes[k] = 0xa5;
    ++freed;
}

/// All ranks draw the same messages: mostly small ones, from one rank to another or to all.
class drawn_message
{
public:
    drawn_message(std::mt19937& random, int ranks)
    {
        const auto draw = [&](std::size_t below) { return random() % below; };
        from_ = static_cast<int>(draw(static_cast<unsigned>(ranks)));
        to_ = (from_ + 1 + static_cast<int>(draw(static_cast<unsigned>(ranks - 1)))) % ranks;
        to_all_ = draw(8) == 0;
        bytes = draw(1000) == 0 ? draw(3u << 20) : draw(std::size_t{1} << draw(15));
        seed = static_cast<unsigned>(random());
    }
    int from() const noexcept { return from_; }
    bool goes_to(int rank) const noexcept { return rank != from_ && (to_all_ || rank == to_); }

    std::size_t bytes;
    unsigned seed;

private:
    int from_, to_;
    bool to_all_;
};

class soak
{
public:
    explicit soak(peers& others) : others_(others) {}

    void run(long messages)
    {
        std::size_t at_first = 0;
        for (long k = 0; k < messages; ++k) {
            others_.calls.record(static_cast<std::uint64_t>(k), "message", caller::here());
            make(drawn_message(random_, others_.size()));
            while (submitted_ - checked - freed > most_under_way) sched_yield();
            if (k % 1000 == 999) swap(static_cast<unsigned>(k));
            if (k == messages / 4) at_first = resident_bytes();
        }
        ++asleep;
        starpu_task_wait_for_all();
        --asleep;
        const std::size_t at_last = resident_bytes();
        if (checked + freed != submitted_) ++wrong;
        std::printf("rank %d: %ld messages, %zu bytes of memory after a quarter of them, %zu at the end\n",
                    others_.rank(), submitted_, at_first, at_last);
        if (at_last > at_first + most_growth) {
            ++wrong;
            std::fprintf(stderr, "rank %d: memory grew from %zu to %zu bytes\n", others_.rank(), at_first, at_last);
        }
    }

private:
    static constexpr long most_under_way = 500;
    static constexpr std::size_t most_growth = std::size_t{100} << 20; ///< buffers that wait for use, of any size

    void make(const drawn_message& m)
    {
        if (m.from() == others_.rank()) return send(m);
        if (m.goes_to(others_.rank())) receive(m);
    }
    void send(const drawn_message& m)
    {
        static starpu_codelet filling = make_codelet(&fill, STARPU_W), writing = make_codelet(&overwrite, STARPU_W);
        starpu_data_handle_t out = make_handle(m.bytes);
        submit(filling, out, m.seed);
        for (int to = 0; to < others_.size(); ++to)
            if (m.goes_to(to)) others_.send(out, to, message_tag(others_.calls, 0, m.from(), to));
        submit(writing, out, 0);
        starpu_data_unregister_submit(out);
        ++submitted_;
    }
    void receive(const drawn_message& m)
    {
        static starpu_codelet comparing = make_codelet(&compare, STARPU_R);
        starpu_data_handle_t in = make_handle(m.bytes);
        others_.receive(in, m.from(), message_tag(others_.calls, 0, m.from(), others_.rank()), nullptr, nullptr);
        submit(comparing, in, m.seed);
        starpu_data_unregister_submit(in);
        ++submitted_;
    }
    /// A value to the next rank, meanwhile.
    void swap(unsigned value)
    {
        const int me = others_.rank(), n = others_.size();
        unsigned got = 0;
        const outgoing out{(me + 1) % n, std::as_bytes(std::span(&value, 1))};
        const incoming in{(me + n - 1) % n, std::as_writable_bytes(std::span(&got, 1))};
        others_.swap_values({&out, 1}, {&in, 1});
        if (got != value) ++wrong;
    }

    peers& others_;
    std::mt19937 random_{5};
    long submitted_ = 0;
};

} // namespace

int main(int argc, char** argv)
{
    const peers_plugin* const plugin = open_plugin(argc > 1 ? argv[1] : nullptr);
    const long messages = argc > 2 ? std::atol(argv[2]) : 0;
    if (!plugin || messages <= 0) return 2;
    const std::unique_ptr<peers> others(
        plugin->open({60, [](const char* text) noexcept { std::fputs(text, stderr); }, &asleep}));
    const started_starpu starpu;
    if (!starpu.runs() || others->size() < 2) return 2;
    others->start();
    soak(*others).run(messages);
    others->leave({});
    others->stop();
    if (wrong) std::fprintf(stderr, "rank %d: %ld wrong\n", others->rank(), wrong.load());
    return wrong ? 1 : 0;
}
