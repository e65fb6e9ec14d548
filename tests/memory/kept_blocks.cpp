// SPDX-License-Identifier: BSD-3-Clause
// Memory of containers that were let go of: what is kept for the next ones, and what is not.
#include "src/data/memory/blocks_at_start.hpp"
#include "src/data/memory/host_storage.hpp"
#include "src/data/memory/memory.hpp"
#include "src/runtime/running.hpp"

#include <skelrt/skelrt.hpp>

#include <catch2/catch.hpp>

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
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

// The first case: what others copy would be ready before its block.
TEST_CASE("what a GPU copied is pinned already in the next runtime")
{
    char folder[] = "/tmp/skelrt-blocks-XXXXXX";
    REQUIRE(mkdtemp(folder) != nullptr);
    const char* const before = std::getenv("SKELRT_MODELS");
    const std::string usual = before ? before : "";
    setenv("SKELRT_MODELS", folder, 1);
    const auto doubled = skelrt::map(SKELRT_FN((float x) { return 2 * x; }));
    constexpr std::size_t n = 1'500'000;
    for (int run = 0; run < 2; ++run) {
        const skelrt::runtime rt;
        if (!running::current()->devices().has_cuda()) break; // the case is for who has one
        const skelrt::vector<float> x(n, 1.0f);
        if (run == 1) CHECK(host_part(*x.storage()).memory.pinned);
        const skelrt::only gpu(skelrt::device::cuda);
        const skelrt::vector<float> y = doubled(x);
        CHECK(skelrt::host_read(y)[n - 1] == 2.0f);
    }
    if (before) setenv("SKELRT_MODELS", usual.c_str(), 1);
    else unsetenv("SKELRT_MODELS");
    std::filesystem::remove_all(folder);
}

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

TEST_CASE("counts of blocks are read as they were written, and nothing else")
{
    const block_counts counts{{2 * mib, 3}, {20 * mib, 1}};
    CHECK(block_counts_in(text_of(counts)) == counts);
    CHECK(block_counts_in("").empty());
    CHECK(block_counts_in("nothing\n7\n\n" + text_of(counts)) == counts);
}

TEST_CASE("as many blocks of a size are counted as were in use when one was copied")
{
    skelrt::options cores;
    cores.cpu_cores = 1;
    const skelrt::runtime rt(cores);
    constexpr std::size_t bytes = 31 * mib; // of no other test
    memory_block blocks[3];
    for (memory_block& b : blocks) b = allocate_block(bytes);
    const std::size_t size = blocks[0].bytes;
    CHECK_FALSE(copied_blocks().contains(size));
    pin_block(blocks[1]);
    CHECK(copied_blocks()[size] == 2);
    pin_block(blocks[0]);
    pin_block(blocks[1]);
    CHECK(copied_blocks()[size] == 2);
    for (const memory_block& b : blocks) free_block(b);
}

TEST_CASE("a fresh block that is kept needs no pages any more")
{
    constexpr std::size_t bytes = 20 * mib;
    const memory_block old = allocate_block(bytes);
    free_block(old);
    drop_kept_blocks();
    keep_fresh_block(old.bytes);
    REQUIRE(is_block_kept(bytes));
    const memory_block b = allocate_block(bytes);
    CHECK(b.bytes == old.bytes);
    CHECK_FALSE(is_untouched(b, bytes));
    free_block(b);
    drop_kept_blocks();
}
