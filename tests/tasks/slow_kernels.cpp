// SPDX-License-Identifier: BSD-3-Clause
#include <skelrt/skelrt.hpp>

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstddef>
#include <random>
#include <span>
#include <vector>

/// Kernels that read and write late, in random programs: what does not wait for them finds, or leaves, wrong values.

namespace sk = skelrt;

namespace
{

/// c = 3 a + b, by way of a workspace, each step after some thousand cycles of a GPU.
void combine(std::span<const unsigned> a, std::span<const unsigned> b, std::span<unsigned> c, std::span<unsigned> work,
             int)
{
    for (std::size_t i = 0; i < c.size(); ++i) work[i] = 3 * a[i];
    for (std::size_t i = 0; i < c.size(); ++i) c[i] = work[i] + b[i];
}

const auto& slow_combine()
{
    static const sk::kernel k("slow combine", sk::on_cpu(combine),
                              sk::on_cuda(sk::cuda_text(R"(
typedef unsigned long long size;
__device__ void rest(int cycles)
{
    const long long begin = clock64();
    while (clock64() - begin < cycles) {}
}
extern "C" __global__ void slow_combine(const unsigned* a, size, size n, size, const unsigned* b, size, size, size,
                                        unsigned* c, size, size, size, unsigned* work, size, size, size, int cycles)
{
    const size first = blockIdx.x * (size)blockDim.x + threadIdx.x;
    rest(cycles);
    for (size i = first; i < n; i += gridDim.x * (size)blockDim.x) work[i] = 3 * a[i];
    rest(cycles);
    for (size i = first; i < n; i += gridDim.x * (size)blockDim.x) c[i] = work[i] + b[i];
}
)",
                                                        "slow_combine")));
    return k;
}

/// x += k, late.
const auto& slow_add()
{
    static const sk::kernel k("slow add", sk::on_cpu([](std::span<unsigned> x, unsigned by, int) {
                                  for (unsigned& v : x) v += by;
                              }),
                              sk::on_cuda(sk::cuda_text(R"(
typedef unsigned long long size;
extern "C" __global__ void slow_add(unsigned* x, size, size n, size, unsigned by, int cycles)
{
    const long long begin = clock64();
    while (clock64() - begin < cycles) {}
    for (size i = blockIdx.x * (size)blockDim.x + threadIdx.x; i < n; i += gridDim.x * (size)blockDim.x) x[i] += by;
}
)",
                                                        "slow_add")));
    return k;
}

struct checked {
    sk::vector<unsigned> real; ///< as numbers that wrap around
    std::vector<unsigned> right;
    explicit checked(std::size_t n) : real(n, 1), right(n, 1) {}
};

/// Only such tasks leave kernels running. Where there is no GPU, all kinds.
sk::device_set gpus_of(const sk::runtime& rt)
{
    const auto devices = rt.devices();
    const bool any = std::ranges::any_of(devices, [](const auto& d) { return d.kind == sk::device::cuda; });
    return any ? sk::device_set(sk::device::cuda) : sk::device_set::all();
}

const auto twice = sk::map(SKELRT_FN((unsigned x) { return 2 * x + 1; }));

class program
{
public:
    program(unsigned seed, sk::device_set gpus, std::size_t parts, std::size_t elements)
        : random_(seed), gpus_(gpus), parts_(parts), size_(elements)
    {
        constexpr int containers = 6;
        for (int i = 0; i < containers; ++i) all_.emplace_back(parts * elements);
    }

    void step()
    {
        switch (below(20)) {
        case 0:
            return call();
        case 1:
            return read();
        case 2:
            return write();
        default:
            return below(3) > 0 ? combine_parts() : add();
        }
    }
    bool is_right()
    {
        return std::ranges::all_of(all_, [](const checked& c) { return is_right(c); });
    }

private:
    static bool is_right(const checked& c)
    {
        const auto h = sk::host_read(c.real);
        return std::equal(h.begin(), h.end(), c.right.begin());
    }
    std::size_t below(std::size_t n) { return random_() % n; }
    checked& any() { return all_[below(all_.size())]; }
    std::size_t any_part() { return size_ * below(parts_); }
    int cycles() { return below(3) == 0 ? 0 : static_cast<int>(below(300000)); }
    sk::how how()
    {
        sk::how h;
        h.priority = static_cast<int>(below(4));
        if (below(4) > 0) h.on = gpus_;
        return h;
    }

    void combine_parts()
    {
        checked &a = any(), &b = any(), &c = any();
        const std::size_t i = any_part(), j = any_part(), k = any_part();
        if ((&a == &c && i == k) || (&b == &c && j == k)) return;
        sk::task(how(), slow_combine(), sk::in(a.real.range(i, size_)), sk::in(b.real.range(j, size_)),
                 sk::out(c.real.range(k, size_)), sk::scratch<unsigned>(size_), cycles());
        for (std::size_t e = 0; e < size_; ++e) c.right[k + e] = 3 * a.right[i + e] + b.right[j + e];
    }

    void add()
    {
        checked& c = any();
        const std::size_t k = any_part();
        const auto by = static_cast<unsigned>(below(100));
        sk::task(how(), slow_add(), sk::inout(c.real.range(k, size_)), by, cycles());
        for (std::size_t e = 0; e < size_; ++e) c.right[k + e] += by;
    }

    void call()
    {
        checked& c = any();
        c.real = twice(c.real);
        for (unsigned& v : c.right) v = 2 * v + 1;
    }
    void read() { CHECK(is_right(any())); }
    void write()
    {
        checked& c = any();
        const auto h = sk::host(c.real);
        const std::size_t k = any_part();
        for (std::size_t e = 0; e < size_; ++e) h[k + e] = c.right[k + e] = static_cast<unsigned>(below(50));
    }

    std::mt19937 random_;
    sk::device_set gpus_;
    std::size_t parts_, size_;
    std::vector<checked> all_;
};

} // namespace

TEST_CASE("kernels that take their time are waited for", "[task][lanes]")
{
    const skelrt::runtime rt;
    const auto seed = GENERATE(range(1u, 7u));
    const bool large = seed % 2 == 0;
    program p(seed, gpus_of(rt), 8, large ? 400000 : 1000);
    for (int i = 0; i < (large ? 150 : 500); ++i) p.step();
    CHECK(p.is_right());
}

TEST_CASE("a future is of kernels that have ended, and so is what comes after it", "[task][lanes]")
{
    const skelrt::runtime rt;
    sk::vector<unsigned> x(5000, 1u), y(5000, 0u);
    for (int i = 0; i < 30; ++i) {
        auto slow = sk::task({.on = gpus_of(rt)}, slow_add(), sk::inout(x), 1u, 1000000);
        auto next = sk::task(
            {.after = {slow}}, [](std::span<unsigned> v) { v.front() += 1; }, sk::inout(y));
        if (i % 3 == 0) next.wait();
        if (i % 3 == 1) slow.wait();
    }
    sk::wait(x);
    CHECK(sk::host_read(x)[4999] == 31);
    CHECK(sk::host_read(y)[0] == 30);
}
