// SPDX-License-Identifier: BSD-3-Clause
#include "misuse.hpp"

#include <cstdlib>
#include <functional>
#include <new>

/// Each allocation that a call makes, in its turn, finds no memory. The call throws, or does without; afterwards all is
/// as usable as before, and nobody waits for what never came.

namespace
{

constexpr long never = -1;
thread_local long left = never; ///< allocations of this thread before the one that fails

} // namespace

void* operator new(std::size_t bytes)
{
    if (left != never && left-- == 0) throw std::bad_alloc();
    void* const p = std::malloc(bytes > 0 ? bytes : 1);
    if (!p) throw std::bad_alloc();
    return p;
}

void* operator new(std::size_t bytes, std::align_val_t align)
{
    if (left != never && left-- == 0) throw std::bad_alloc();
    const auto a = static_cast<std::size_t>(align);
    void* const p = std::aligned_alloc(a, (bytes + a - 1) / a * a);
    if (!p) throw std::bad_alloc();
    return p;
}

void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }

namespace
{

/// Whether `act` came through although one allocation failed, or because none was left to.
bool fails_nth(long n, const std::function<void()>& act)
{
    left = n;
    try {
        act();
    } catch (const std::bad_alloc&) {
        left = never;
        return false;
    } catch (...) {
        left = never;
        throw;
    }
    const bool spared = left >= 0;
    left = never;
    return spared;
}

const auto blur = sk::stencil(SKELRT_FN((sk::hood1<int> u) { return u(-1) + u(0) + u(1); }), sk::border::constant(0));
const auto running = sk::scan(sk::plus);
const auto evens = sk::filter(SKELRT_FN((int a) { return a % 2 == 0; }));
const auto count = sk::for_each(SKELRT_FN((int a, sk::accumulator<int> out) { out.add(0, a); }));

struct data {
    sk::vector<int> x, y, counts;
    sk::scalar<int> s;
    explicit data(std::size_t n) : x(n, 1), y(n, 0), counts(1, 0) {}
};

} // namespace

TEST_CASE("no memory in the midst of a call", "[throw]")
{
    const with_variable inline_limit("SKELRT_INLINE_US", GENERATE("0", "10"));
    const with_variable batch("SKELRT_BATCH", GENERATE("1", "4"));
    const int kind = GENERATE(0, 1, 2, 3, 4, 5, 6);
    sk::options o;
    o.cuda_devices = o.opencl_devices = 0;
    o.tiles = GENERATE(1u, 3u);
    sk::runtime rt(o);
    constexpr std::size_t n = 1000;
    const std::function<void(data&)> kinds[] = {
        [](data& d) { d.y = twice(d.x); },
        [](data& d) { d.s = sum(d.x); },
        [](data& d) { static_cast<void>(sum(d.x).get()); },
        [](data& d) { d.y = blur.iterate(3, d.x); },
        [](data& d) { d.y = running(d.x); },
        [](data& d) { d.y = evens(d.x); },
        [](data& d) { count(d.x, d.counts); },
    };
    const auto& call = kinds[kind];
    {
        data warm(n);
        for (int k = 0; k < 3; ++k) call(warm);
        rt.wait();
    }
    constexpr long most = 400;
    bool spared = false;
    for (long k = 0; k < most && !spared; ++k) {
        data d(n);
        spared = fails_nth(k, [&] { call(d); });
        try {
            sk::wait(d.y);
        } catch (const std::bad_alloc&) { // its data says so, too
        }
        d.y = twice(d.x);
        REQUIRE(values(d.y) == std::vector<int>(n, 2));
        REQUIRE(sum(d.x).get() == static_cast<int>(n));
        rt.wait();
    }
    REQUIRE(spared);
}
