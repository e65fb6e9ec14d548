// SPDX-License-Identifier: BSD-3-Clause
#include "device.hpp"

#include <algorithm>
#include <cstdint>

using namespace skelrt::detail;
using namespace skelrt::detail::opencl::test;

namespace
{

const auto odd = SKELRT_FN((int v) { return v % 2 != 0; });

void describe_filter(recipe& r)
{
    fill<int, int>(r, skeleton::filter, "int", "int", &odd.source(), 1);
    r.calls.back().result = "bool";
    r.calls.back().result_size = 1;
    r.root = {argument_kind::slot, 0};
    r.slots.push_back(slot<int>(slot_kind::element, "int"));
}

std::vector<int> numbers(std::size_t n)
{
    std::vector<int> values(n);
    std::uint32_t state = 1;
    for (int& v : values) {
        state = state * 1664525u + 1013904223u;
        v = static_cast<int>(state >> 9);
    }
    return values;
}

/// A filter of a vector in parts, and what it gives.
struct filtered_parts {
    std::vector<int> values;
    std::vector<segment> segments;
    std::vector<int> results;
    std::vector<std::uint64_t> counts;
};

filtered_parts filter_in_parts(const recipe& r, std::size_t n, std::size_t parts)
{
    filtered_parts all{numbers(n), {}, {}, {}};
    const on_device<int> x(all.values, 5), y(std::vector<int>(n, -1), 3);
    const on_device<std::uint64_t> counts(std::vector<std::uint64_t>(parts, 77), 1);
    const on_device<std::uint64_t> scratch(std::vector<std::uint64_t>(opencl::scratch_bytes(r, n, n) / 8), 1);
    std::vector<slot_view> slots;
    for (std::size_t p = 0; p < parts; ++p) {
        const std::size_t first = n * p / parts, size = n * (p + 1) / parts - first;
        all.segments.push_back({1, size, 0, first});
        slots.push_back(x.view(1, size, size, 1, first));
        slots.push_back(y.view(1, size, size, 1, first));
    }
    run({r, false, n, all.segments, slots, counts.row(), nullptr, scratch.row()});
    all.results = y.read();
    all.counts = counts.read();
    return all;
}

} // namespace

TEST_CASE("a filter keeps the order, at the beginning of each segment", "[opencl][filter]")
{
    recipe r;
    describe_filter(r);
    const std::size_t n = GENERATE(1, 2, 255, 2049, 100003, 1 << 20), parts = GENERATE(1, 3);
    const auto [values, segments, got, count] = filter_in_parts(r, n, parts);
    for (std::size_t p = 0; p < parts; ++p) {
        std::vector<int> want;
        const std::size_t first = segments[p].col0;
        for (std::size_t i = first; i < first + segments[p].cols; ++i)
            if (odd(values[i])) want.push_back(values[i]);
        REQUIRE(count[p] == want.size());
        const auto begin = got.begin() + static_cast<std::ptrdiff_t>(first);
        CHECK(std::vector<int>(begin, begin + static_cast<std::ptrdiff_t>(want.size())) == want);
    }
}

TEST_CASE("a filter that keeps others has them behind, segment by segment", "[opencl][filter]")
{
    recipe r;
    r.keeps_others = true;
    describe_filter(r);
    const std::size_t n = GENERATE(1, 2, 255, 2049, 100003, 1 << 20), parts = GENERATE(1, 3);
    const auto [values, segments, got, counts] = filter_in_parts(r, n, parts);
    auto want = values;
    std::vector<std::uint64_t> kept;
    for (const segment& s : segments) {
        const auto begin = want.begin() + static_cast<std::ptrdiff_t>(s.col0);
        const auto end = begin + static_cast<std::ptrdiff_t>(s.cols);
        kept.push_back(static_cast<std::uint64_t>(std::stable_partition(begin, end, odd) - begin));
    }
    CHECK(counts == kept);
    CHECK(got == want);
}

TEST_CASE("a filter of part of a matrix", "[opencl][filter]")
{
    recipe r;
    describe_filter(r);
    const std::size_t rows = 301, cols = 57, ld = 64;
    const auto values = numbers(rows * ld);
    const on_device<int> x(values), y(std::vector<int>(rows * cols, -1));
    const on_device<std::uint64_t> counts({0});
    const on_device<std::uint64_t> scratch(std::vector<std::uint64_t>(opencl::scratch_bytes(r, rows * cols, cols) / 8));
    const std::vector<segment> segments{{rows, cols, 0, 0}};
    const std::vector<slot_view> slots{x.view(rows, cols, ld, 1, 3), y.view(rows, cols, cols)};
    run({r, true, cols, segments, slots, counts.row(), nullptr, scratch.row()});
    std::vector<int> want;
    for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t j = 0; j < cols; ++j)
            if (odd(values[i * ld + 3 + j])) want.push_back(values[i * ld + 3 + j]);
    REQUIRE(counts.read()[0] == want.size());
    auto got = y.read();
    got.resize(want.size());
    CHECK(got == want);
}
