// SPDX-License-Identifier: BSD-3-Clause
// Memory of containers that were let go of: what is kept for the next ones, and what is not.
#include "src/data/memory/memory.hpp"

#include <skelrt/skelrt.hpp>

#include <catch2/catch.hpp>

#include <cstddef>
#include <cstdlib>
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

TEST_CASE("a block that is a little larger is taken")
{
    for (const std::size_t bytes : {100 * kib, 900 * kib, 20 * mib}) {
        CAPTURE(bytes);
        const memory_block first = allocate_block(bytes);
        free_block(first);
        CHECK(is_block_kept(bytes / 10 * 9));
        CHECK(!is_block_kept(bytes / 2));
        const memory_block second = allocate_block(bytes / 10 * 9);
        CHECK(second.data == first.data);
        CHECK(second.bytes == first.bytes);
        free_block(second);
        drop_kept_blocks();
    }
}

/// Of so many rounds in each of which containers are made, used by tasks, and let go of.
template <class Round>
long page_faults_of_rounds(int rounds, const Round& round)
{
    for (int k = 0; k < 20; ++k) round(k);
    const long before = page_faults();
    for (int k = 20; k < 20 + rounds; ++k) round(k);
    return page_faults() - before;
}

TEST_CASE("containers that come and go keep their pages")
{
    setenv("SKELRT_INLINE_US", "0", 1);
    const skelrt::runtime rt;
    const auto twice = skelrt::map(SKELRT_FN((int a) { return 2 * a; }));
    const std::vector<int> values(100'000, 1); // a hundred pages
    const skelrt::vector<int> all(values.begin(), values.end());
    // From the host's data, with a result.
    CHECK(page_faults_of_rounds(100, [&](int) {
              const skelrt::vector<int> x(values.begin(), values.end()), y = twice(x);
              REQUIRE(skelrt::host_read(y)[7] == 2);
          }) < 1000);
    // Growing: the sizes on the way have 175 000 pages.
    const long before = page_faults();
    skelrt::vector<int> grows;
    for (int k = 0; k < 500; ++k) grows.append(all.range(0, 1400));
    REQUIRE(skelrt::host_read(grows)[7] == 1);
    CHECK(page_faults() - before < 40'000);
    // Shrinking.
    CHECK(page_faults_of_rounds(300, [&](int k) {
              const skelrt::vector<int> y = twice(all.range(0, values.size() - static_cast<std::size_t>(100 * k)));
              REQUIRE(skelrt::host_read(y)[7] == 2);
          }) < 3000);
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
