// SPDX-License-Identifier: BSD-3-Clause
/// What sk::evict leaves on a device, by StarPU's own count of its memory: nothing.

#include "limited.hpp"

#include <starpu.h>

#include <chrono>
#include <thread>

namespace sk = skelrt;
using namespace limited;

namespace
{

constexpr std::size_t fits = memory / sizeof(int) / 2, bytes = fits * sizeof(int); ///< half of the device's memory

const auto twice = sk::map(SKELRT_FN((int x) { return 2 * x; }));

std::size_t used_there()
{
    const auto type = kind == sk::device::cuda ? STARPU_CUDA_WORKER : STARPU_OPENCL_WORKER;
    const int worker = starpu_worker_get_by_type(type, 0);
    return starpu_memory_get_used(starpu_worker_get_memory_node(static_cast<unsigned>(worker)));
}

std::size_t bytes_there(const sk::vector<int>& x)
{
    std::size_t count = 0;
    for (const sk::residence& r : sk::where(x))
        if (r.kind == kind) count += r.bytes;
    return count;
}

} // namespace

TEST_CASE("evicted data leaves no memory behind", "[evict]")
{
    sk::vector<int> x(fits);
    fill(x);
    {
        const sk::only there(kind);
        x = twice(x);
    }
    REQUIRE(bytes_there(x) == bytes);
    REQUIRE(used_there() >= bytes);
    const std::size_t before = used_there();
    sk::evict(x);
    REQUIRE(bytes_there(x) == 0); // waits, but not for the device, which gives back memory that nobody uses any more
    for (int ms = 0; ms < 5000 && used_there() + bytes > before; ++ms)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    REQUIRE(used_there() + bytes <= before);
    CHECK(wrong(x, [](std::size_t i) { return 2 * number(i); }) == 0);
}

TEST_CASE("more than there is room for is prefetched as far as it fits", "[evict]")
{
    sk::vector<int> x(n);
    fill(x);
    for (int k = 0; k < 3; ++k) {
        sk::prefetch(x, kind);
        const sk::only there(kind);
        x = twice(x);
    }
    CHECK(wrong(x, [](std::size_t i) { return 8 * number(i); }) == 0);
    sk::evict(x);
    REQUIRE(bytes_there(x) == 0);
}

int main(int argc, char** argv) { return run(argc, argv); }
