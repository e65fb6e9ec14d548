// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <skelrt/skelrt.hpp>

#include <catch2/catch.hpp>

#include <cstddef>
#include <type_traits>
#include <vector>

/// What the conformance cases share. They know no device, no number of tiles and no policy: the run decides these.
namespace sk = skelrt;

namespace test
{

/// The kinds of device that this run is for: those of SKELRT_TEST_DEVICE that are in use.
sk::device_set devices();
/// Whether that is a single device: then a call that is made twice goes the same way.
bool one_device();

/// Restricts the calls of this thread to devices(). The main thread has one; a case that starts threads makes them
/// there.
class on_devices
{
    sk::only only_{devices()};
};

/// Small whole numbers, exact in every arithmetic type, without a short period.
template <class T>
std::vector<T> numbers(std::size_t n, unsigned seed = 1)
{
    std::vector<T> v(n);
    unsigned state = seed * 2654435761u + 12345u;
    for (auto& x : v) {
        state = state * 1664525u + 1013904223u;
        x = static_cast<T>((state >> 16) % 10);
    }
    return v;
}

template <class T>
sk::vector<T> vector_of(const std::vector<T>& v)
{
    return sk::vector<T>(v.begin(), v.end());
}
template <class T>
sk::matrix<T> matrix_of(std::size_t rows, std::size_t cols, const std::vector<T>& v)
{
    return sk::matrix<T>(rows, cols, v.begin());
}

/// The elements, waited for.
template <class Container>
auto values(const Container& x)
{
    const auto h = sk::host_read(x);
    return std::vector<typename Container::value_type>(h.begin(), h.end());
}

/// As REQUIRE(got == want), but names the first place that differs instead of printing everything.
template <class T>
void check_equal(const std::vector<T>& got, const std::vector<T>& want)
{
    REQUIRE(got.size() == want.size());
    for (std::size_t i = 0; i < got.size(); ++i)
        if (!(got[i] == want[i])) {
            CAPTURE(i, got.size());
            REQUIRE(got[i] == want[i]);
        }
}
template <class Container, class T>
void check_equal(const Container& got, const std::vector<T>& want)
{
    check_equal(values(got), want);
}

/// f(i) for i in 0 .. n: what a result should be.
template <class F>
auto expected(std::size_t n, F f)
{
    std::vector<std::remove_cvref_t<decltype(f(std::size_t{}))>> v;
    v.reserve(n);
    for (std::size_t i = 0; i < n; ++i) v.push_back(f(i));
    return v;
}

/// Sizes around everything that can go wrong: nothing, fewer elements than tiles, odd tails, several blocks.
inline auto sizes() { return GENERATE(as<std::size_t>(), 0, 1, 2, 3, 63, 64, 65, 1000, 4099, 50021); }

} // namespace test
