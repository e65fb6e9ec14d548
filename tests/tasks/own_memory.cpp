// SPDX-License-Identifier: BSD-3-Clause
#include "src/config.hpp"
#include "tests/message_of.hpp"
#include "tests/tasks/add_kernel.hpp"
#include "tests/tasks/own_memory_kernels.hpp"
#include "tests/tasks/values_of.hpp"

#include <skelrt/skelrt.hpp>

#include <catch2/catch.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <span>
#include <stdexcept>
#include <vector>

#if SKELRT_HAVE_OPENCL
#include "codelets/opencl/opencl.hpp"
#endif

/// Memory that tasks do not share, on each kind of device: private values of reductions, workspaces, opaque pointers.

namespace sk = skelrt;
using Catch::Contains;
using own_memory_kernels::add_by_way;
using own_memory_kernels::sum_into;

namespace
{

sk::vector<int> counted(std::size_t n)
{
    sk::vector<int> x(n);
    const auto h = sk::host_write(x);
    std::iota(h.begin(), h.end(), 1);
    return x;
}

/// For each kind of device that is there.
void on_each_device(const sk::runtime& rt, const std::function<void(const sk::how&)>& test)
{
    for (const sk::device_info& d : rt.devices()) {
        INFO("device: " << d.name);
        test({.on = d.kind});
    }
}

#if SKELRT_HAVE_OPENCL
/// value *= 10, then += 1, by a host function: it finds there what the value begins as.
void ten_times_and_one(sk::opencl_queue q, sk::cl_block<int> value)
{
    auto* const memory = static_cast<cl_mem>(value.memory());
    auto* const queue = static_cast<cl_command_queue>(q.get());
    int v = 0;
    sk::detail::opencl::read_and_wait(&v, memory, value.offset() * sizeof v, sizeof v, queue);
    v = 10 * v + 1;
    sk::detail::opencl::write(memory, value.offset() * sizeof v, &v, sizeof v, queue);
}
#endif

/// Texts of CUDA are compiled where a task is made, GPU or not.
struct compiled_for_cuda {
    compiled_for_cuda() { ::setenv("SKELRT_CHECK_CUDA", "compute_90", 1); }
    ~compiled_for_cuda() { ::unsetenv("SKELRT_CHECK_CUDA"); }
};

} // namespace

TEST_CASE("kernels add to private values, and these to the total", "[task]")
{
    const skelrt::runtime rt;
    for (const std::size_t n : {1u, 2u, 257u, 1000u})
        on_each_device(rt, [&](const sk::how& there) {
            sk::vector<int> x = counted(n);
            sk::scalar<int> total(5), smallest(1000);
            for (std::size_t k = 0; k < 3; ++k) {
                sk::task(there, sum_into(), sk::in(x), sk::reduction(sk::plus, total));
                sk::task(there, add_kernel::add_number(), sk::inout(x), 1);
                sk::task(there, sum_into(), sk::in(x.range(n / 2, 1)), sk::reduction(sk::minimum, 0, smallest));
            }
            const int sum = static_cast<int>(n * (n + 1) / 2);
            CHECK(total.get() == 5 + 3 * sum + 3 * static_cast<int>(n));
            CHECK(smallest.get() == static_cast<int>(n / 2) + 2);
        });
}

TEST_CASE("kernels read parts with gaps, and of no elements, into private values", "[task]")
{
    const skelrt::runtime rt;
    on_each_device(rt, [&](const sk::how& there) {
        sk::matrix<int> m(5, 7, 2);
        sk::vector<int> none;
        sk::scalar<int> total(0), untouched(3);
        for (std::size_t c = 0; c < 6; ++c)
            sk::task(there, sum_into(), sk::in(m.sub(1, c, 3, 2)), sk::reduction(sk::plus, total));
        sk::task(there, sum_into(), sk::in(none), sk::reduction(sk::plus, untouched));
        sk::task(there, add_by_way(), sk::inout(m.sub(1, 1, 2, 3)), sk::scratch<int>(6), 4);
        CHECK(total.get() == 6 * 12);
        CHECK(untouched.get() == 3);
        CHECK(sk::host_read(m)(2, 3) == 6);
        CHECK(sk::host_read(m)(2, 4) == 2);
    });
}

TEST_CASE("a private value begins as the neutral one for each kind of function", "[task]")
{
    const skelrt::runtime rt;
    const auto on_core = [](int& v) { v = 10 * v + 1; };
#if SKELRT_HAVE_OPENCL
    static const sk::kernel ten_times("ten times and one", sk::on_cpu(on_core), sk::on_opencl(ten_times_and_one));
#else
    static const sk::kernel ten_times("ten times and one", sk::on_cpu(on_core));
#endif
    for (const sk::device_info& d : rt.devices()) {
        if (d.kind == sk::device::cuda) continue;
        sk::scalar<int> product(1);
        for (int neutral = 1; neutral < 4; ++neutral)
            sk::task({.on = d.kind}, ten_times, sk::reduction(sk::multiplies, neutral, product));
        CHECK(product.get() == 11 * 21 * 31);
    }
}

TEST_CASE("workspaces lie where the task runs", "[task]")
{
    const skelrt::runtime rt;
    for (const std::size_t n : {0u, 1u, 255u, 1001u})
        on_each_device(rt, [&](const sk::how& there) {
            sk::vector<int> x = counted(n);
            for (int k = 0; k < 4; ++k) sk::task(there, add_by_way(), sk::inout(x), sk::scratch<int>(n), k);
            std::vector<int> right(n);
            std::iota(right.begin(), right.end(), 1 + 6);
            CHECK(values_of(x) == right);
        });
}

TEST_CASE("workspaces of several types and sizes at once", "[task]")
{
    const skelrt::runtime rt;
    sk::scalar<int> sizes(0);
    const auto t = sk::task(
        [](int& sum, std::span<double> a, std::span<char> none, sk::block<float> b, std::span<char> c) {
            a.back() = 1, b(0, 4) = 2, c.front() = 3;
            sum += static_cast<int>(a.size() + none.size() + b.size() + c.size());
            return reinterpret_cast<std::uintptr_t>(a.data()) % alignof(double);
        },
        sk::inout(sizes), sk::scratch<double>(3), sk::scratch<char>(0), sk::scratch<float>(5), sk::scratch<char>(1));
    CHECK(t.get() == 0);
    CHECK(sizes.get() == 9);
}

TEST_CASE("opaque pointers go to cores as they are", "[task]")
{
    const skelrt::runtime rt;
    static const sk::kernel count(
        "count", sk::on_cpu([](std::span<const int> x, int* n, int k) { *n += static_cast<int>(x.size()) + k; }),
        sk::on_opencl([](sk::opencl_queue, sk::cl_block<const int>, int*, int) {
            throw std::runtime_error("the host's pointer on a device");
        }));
    const sk::vector<int> x(7, 1);
    int mine = 0;
    const auto first = sk::task(count, sk::in(x), sk::opaque(&mine), 2);
    sk::task({.after = {first}}, count, sk::in(x), sk::opaque(&mine), 3).wait(); // nothing else says so
    CHECK(mine == 7 + 2 + 7 + 3);
    const int fixed = 4;
    CHECK(sk::task([](const int* v) { return v ? *v : 0; }, sk::opaque(&fixed)).get() == 4);
    CHECK(sk::task([](const int* v) { return v ? *v : 0; }, sk::opaque(static_cast<const int*>(nullptr))).get() == 0);
    for (const sk::device_info& d : rt.devices())
        if (d.kind == sk::device::opencl)
            CHECK_THAT(
                message_of([&] { sk::task({.on = sk::device::opencl}, count, sk::in(x), sk::opaque(&mine), 0); }),
                Contains("own_memory.cpp:") && Contains("sk::opaque pointers are the host's"));
}

TEST_CASE("a failed task adds nothing, and who reads the total hears of it", "[task][errors]")
{
    const skelrt::runtime rt;
    sk::scalar<int> total(1);
    const auto add = [&](int k) {
        return sk::task(
            [k](int& mine) {
                if (k == 2) throw std::runtime_error("no second");
                mine += k;
            },
            sk::reduction(sk::plus, total));
    };
    for (int k = 1; k < 4; ++k) add(k);
    CHECK_THAT(message_of([&] { static_cast<void>(total.get()); }), Contains("no second"));
    total = 1;
    add(3);
    CHECK(total.get() == 4);
}

#if SKELRT_HAVE_CUDA
TEST_CASE("texts of tasks are compiled for SKELRT_CHECK_CUDA", "[task][errors]")
{
    const compiled_for_cuda checks;
    const skelrt::runtime rt;
    sk::vector<int> x(3, 1);
    sk::scalar<int> total(0);
    const sk::how on_cores{.on = sk::device::cpu};
    sk::task(on_cores, sum_into(), sk::in(x), sk::reduction(sk::plus, total));
    sk::task(on_cores, add_by_way(), sk::inout(x), sk::scratch<int>(3), 1);
    sk::task(on_cores, add_kernel::add_number(), sk::inout(x), 1);
    sk::task(on_cores, add_kernel::add_first(), sk::in(total), sk::inout(x));
    CHECK(values_of(x) == std::vector(3, 6));
    static const sk::kernel wrong("wrong for CUDA", sk::on_cpu([](std::span<int>) {}),
                                  sk::on_cuda(sk::cuda_text("extern \"C\" __global__ void f(int* x) { y = 1; }", "f")));
    for (int again = 0; again < 2; ++again)
        CHECK_THAT(message_of([&] { sk::task(on_cores, wrong, sk::inout(x)); }),
                   Contains("own_memory.cpp:") && Contains("y"));
    CHECK(values_of(x) == std::vector(3, 6));
}
#endif
