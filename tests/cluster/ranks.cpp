// SPDX-License-Identifier: BSD-3-Clause
/// What ranks know of each other: ranks NAME, under mpirun. Exit code 0, and nothing on stderr.

#include <skelrt/skelrt.hpp>

#include <chrono>
#include <cstdio>
#include <cstring>
#include <thread>

namespace sk = skelrt;

namespace
{

int wrong(const char* what, int rank)
{
    std::fprintf(stderr, "rank %d: wrong: %s\n", rank, what);
    return 1;
}

/// Three times in one process; the numbers are the same before, while, and after a runtime lives.
int begins_and_ends()
{
    const int rank = sk::rank(), ranks = sk::ranks();
    for (int round = 0; round < 3; ++round) {
        const sk::runtime rt;
        if (sk::rank() != rank || sk::ranks() != ranks) return wrong("rank while a runtime lives", rank);
        if (sk::agree(rank + round) != round) return wrong("rank 0's value", rank);
    }
    return sk::rank() == rank && sk::ranks() == ranks ? 0 : wrong("rank after the runtime", rank);
}

struct many {
    double values[5000];
};

/// Small and large values, of every rank.
int agrees()
{
    const sk::runtime rt;
    const int rank = sk::rank();
    for (int of = 0; of < sk::ranks(); ++of) {
        if (sk::agree(100 * rank + 7, of) != 100 * of + 7) return wrong("an int", rank);
        many m{};
        for (int k = 0; k < 5000; ++k) m.values[k] = rank * 0.5 + k;
        m = sk::agree(m, of);
        for (int k = 0; k < 5000; ++k)
            if (m.values[k] != of * 0.5 + k) return wrong("a large value", rank);
    }
    return 0;
}

/// Nobody is through before the last has come.
int barriers()
{
    const sk::runtime rt;
    using clock = std::chrono::steady_clock;
    const auto since = [] { return clock::now().time_since_epoch().count(); };
    for (int late = 0; late < sk::ranks(); ++late) {
        if (sk::rank() == late) std::this_thread::sleep_for(std::chrono::milliseconds(50));
        const auto came = since();
        sk::barrier();
        if (since() < sk::agree(came, late)) return wrong("through before the last came", sk::rank()); // one clock
    }
    return 0;
}

} // namespace

int main(int argc, char** argv)
{
    const char* name = argc > 1 ? argv[1] : "";
    if (std::strcmp(name, "begins_and_ends") == 0) return begins_and_ends();
    if (std::strcmp(name, "agrees") == 0) return agrees();
    if (std::strcmp(name, "barriers") == 0) return barriers();
    std::fprintf(stderr, "unknown: %s\n", name);
    return 2;
}
