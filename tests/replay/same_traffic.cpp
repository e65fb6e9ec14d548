// SPDX-License-Identifier: BSD-3-Clause
/// Ranks send as many messages and bytes as a replay of the same calls says: same_traffic FILE, under mpirun. Exit code
/// 0 if so.

#include "src/cluster/peers.hpp"
#include "src/lowering/replay/play.hpp"
#include "src/runtime/running.hpp"
#include "tests/replay/made_up.hpp"

#include <skelrt/skelrt.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

namespace sk = skelrt;

namespace
{

const auto heat =
    sk::stencil(SKELRT_FN((sk::hood2<double> u) { return 0.25 * (u(-2, 0) + u(1, 0) + u(0, -1) + u(0, 1)); }),
                sk::border::cyclic());
const auto twice = sk::map(SKELRT_FN((double v) { return 2 * v; }));
const auto mirrored = sk::map(SKELRT_FN((sk::index1 i, sk::vec<double> v) { return v[v.size() - 1 - i.i]; }));
const auto positive = sk::filter(SKELRT_FN((double v) { return v > 0; }));
const auto sum = sk::reduce(sk::plus, 0.0);

void work()
{
    constexpr std::size_t rows = 103, cols = 17;
    sk::matrix<double> u(rows, cols, 1.0), t;
    u = heat.iterate(13, u);
    u = heat.iterate(7, u);
    u = heat.iterate(1, u);
    t = twice(sk::transpose(u));
    sk::vector<double> x = sum.by_row(u), y(rows, 1.0), z = sum.by_column(t);
    y = sk::scan(sk::plus)(x);
    y.range(0, rows - 7) = twice(x.range(7, rows - 7));
    x = mirrored(sk::shape(rows), y);
    sk::vector<double> all = positive(y);
    u.row(3) = twice(u.row(rows - 2));
    std::printf("%.0f\n", static_cast<double>(sum(all)));
    sk::wait(x);
    sk::wait(u);
}

struct most_sent {
    std::uint64_t messages = 0, bytes = 0;
};

/// Of the rank that sends most.
most_sent over_ranks()
{
    const sk::runtime rt;
    work();
    sk::barrier();
    const auto mine = sk::detail::running::current()->cluster->so_far();
    most_sent most;
    for (int rank = 0; rank < sk::ranks(); ++rank) {
        most.messages = std::max(most.messages, sk::agree(mine.messages_sent, rank));
        most.bytes = std::max(most.bytes, sk::agree(mine.bytes_sent, rank));
    }
    return most;
}

sk::detail::recording of_one_process(const std::string& file)
{
    setenv("SKELRT_CLUSTER", "off", 1);
    setenv("SKELRT_CALLS", file.c_str(), 1);
    {
        const sk::runtime rt;
        work();
    }
    unsetenv("SKELRT_CLUSTER");
    unsetenv("SKELRT_CALLS");
    return sk::detail::read_recording(file);
}

} // namespace

int main(int, char** argv)
{
    const auto ranks = static_cast<unsigned>(sk::ranks());
    const std::string file = argv[1] + std::to_string(sk::rank());
    const most_sent real = over_ranks();
    // Ranks that know nothing of their network make as many steps a pass as their caches like.
    sk::detail::network_peaks quick = made_up::network();
    quick.message_us.value = 1e-6;
    const auto said = sk::detail::replay(of_one_process(file), ranks, {"cpu", 1, quick});
    std::filesystem::remove(file);
    if (real.messages == said.sent_messages && static_cast<double>(real.bytes) == said.sent_bytes) return 0;
    std::fprintf(stderr, "%u ranks: %llu messages of %llu bytes instead of %llu of %.0f\n", ranks,
                 static_cast<unsigned long long>(real.messages), static_cast<unsigned long long>(real.bytes),
                 static_cast<unsigned long long>(said.sent_messages), said.sent_bytes);
    return 1;
}
