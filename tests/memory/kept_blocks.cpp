// SPDX-License-Identifier: BSD-3-Clause
// Memory of containers that were let go of: what is kept for the next ones, and what is not.
#include "src/data/memory/memory.hpp"

#include <catch2/catch.hpp>

#include <cstddef>
#include <cstring>
#include <vector>

#include <sys/resource.h>

using namespace skelrt::detail;

namespace
{

constexpr std::size_t kib = 1024, mib = 1024 * kib;

long page_faults()
{
    rusage now;
    getrusage(RUSAGE_SELF, &now);
    return now.ru_minflt;
}

/// Takes, fills and lets go of a block, again and again.
long page_faults_of(std::size_t bytes, int times)
{
    const auto once = [&] {
        const memory_block b = allocate_block(bytes);
        std::memset(b.data, 1, bytes);
        free_block(b);
    };
    once();
    const long before = page_faults();
    for (int i = 0; i < times; ++i) once();
    return page_faults() - before;
}

} // namespace

TEST_CASE("memory that comes and goes keeps its pages")
{
    for (const std::size_t bytes : {4 * kib, 64 * kib, 240 * kib, 1000 * kib, 1 * mib, 5 * mib}) {
        CAPTURE(bytes);
        CHECK(page_faults_of(bytes, 100) < 50); // one for each page and time would be thousands
    }
    drop_kept_blocks();
}

TEST_CASE("a block of another size is not taken")
{
    const memory_block first = allocate_block(100 * kib);
    free_block(first);
    const memory_block second = allocate_block(200 * kib);
    CHECK(second.bytes >= 200 * kib);
    const memory_block third = allocate_block(100 * kib);
    CHECK(third.data == first.data);
    free_block(second);
    free_block(third);
    drop_kept_blocks();
}

TEST_CASE("what is in use is counted, what is kept is not")
{
    const std::size_t before = bytes_in_use();
    std::vector<memory_block> all;
    for (int i = 0; i < 200; ++i) all.push_back(allocate_block(900 * kib)); // more than is kept of small ones
    CHECK(bytes_in_use() - before >= 200 * 900 * kib);
    for (const memory_block& b : all) free_block(b);
    CHECK(bytes_in_use() == before);
    drop_kept_blocks();
}
