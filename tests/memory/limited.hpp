// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "run_cases.hpp"

#include <skelrt/skelrt.hpp>

#include <catch2/catch.hpp>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

/// Test cases on a device whose memory is limited to 64 MiB (STARPU_LIMIT_CUDA_MEM, STARPU_LIMIT_OPENCL_MEM).
namespace limited
{

constexpr std::size_t memory = std::size_t{64} << 20;
constexpr std::size_t n = std::size_t{24} << 20;    ///< ints: 96 MiB, more than the device has
constexpr std::size_t rows = 6144, cols = n / rows; ///< the same as a matrix

/// SKELRT_TEST_DEVICE: cuda or opencl.
inline skelrt::device wanted_kind()
{
    const char* const wanted = std::getenv("SKELRT_TEST_DEVICE");
    return wanted && std::string(wanted) == "cuda" ? skelrt::device::cuda : skelrt::device::opencl;
}
inline const skelrt::device kind = wanted_kind();

inline skelrt::options with_device()
{
    skelrt::options o;
    o.opencl_on_cpu = true;
    return o;
}

/// Cases in a runtime with that device; 77 without. What is printed is seen at once: a case may wait for ever.
inline int run(int argc, char** argv)
{
    std::setvbuf(stdout, nullptr, _IONBF, 0);
    const skelrt::runtime rt(with_device());
    for (const skelrt::device_info& d : rt.devices()) {
        if (d.kind != kind) continue;
        if (d.memory > 0 && d.memory <= memory) return test::run_cases(argc, argv);
        std::printf("the device has %zu MiB: set the limit\n", d.memory >> 20);
        return 1;
    }
    std::printf("skipped: no such device\n");
    return 77;
}

/// Some number for each position, small enough for sums of thousands.
inline int number(std::size_t i) { return static_cast<int>(i * 7919 % 1009); }

template <class Container>
void fill(Container& x)
{
    const auto view = skelrt::host(x);
    int* const to = view.data();
    for (std::size_t i = 0; i < x.size(); ++i) to[i] = number(i);
}

inline std::vector<int> numbers(std::size_t count = n)
{
    std::vector<int> all(count);
    for (std::size_t i = 0; i < count; ++i) all[i] = number(i);
    return all;
}

/// How many elements are not what they should be.
template <class Container, class Expected>
std::size_t wrong(const Container& x, const Expected& expected)
{
    const auto view = skelrt::host_read(x);
    const auto* const values = view.data();
    std::size_t count = 0;
    for (std::size_t i = 0; i < x.size(); ++i) count += values[i] != expected(i);
    return count;
}

/// On the device it is an error that tells sizes; anywhere, the cores do it.
template <class Call, class Check>
void check_too_large(const Call& call, const Check& check)
{
    {
        const skelrt::only there(kind);
        CHECK_THROWS_AS(call(), skelrt::error);
        CHECK_THROWS_WITH(call(), Catch::Contains("MiB"));
    }
    call();
    check();
}

} // namespace limited
