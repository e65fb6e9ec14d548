// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/accumulated.hpp"
#include "device.hpp"

#include <skelrt/for_each.hpp>

#include <cmath>
#include <cstdint>
#include <cstring>

using namespace skelrt::detail;
using namespace skelrt::detail::opencl::test;

namespace
{

const auto gather = SKELRT_FN((unsigned v, unsigned bins, skelrt::accumulator<unsigned> counts,
                               skelrt::max_accumulator<float> highest, skelrt::accumulator<double> sums) {
    counts.add(v % bins, 1u);
    highest.max(v % 3u, (float)v - 5.0e5f);
    sums.add(0, (double)v);
});

using all_views = type_list<skelrt::accumulator<unsigned>, skelrt::max_accumulator<float>, skelrt::accumulator<double>>;

template <class View>
slot_type changed(std::string_view type)
{
    slot_type s = slot<typename View::value_type>(slot_kind::accumulator, type);
    s.rule = View::rule;
    return s;
}

void describe_gather(recipe& r)
{
    r.kind = skeleton::accumulate;
    r.name = "gather";
    r.slots = {slot<unsigned>(slot_kind::element, "unsigned"), slot<unsigned>(slot_kind::uniform, "unsigned"),
               changed<skelrt::accumulator<unsigned>>("unsigned"), changed<skelrt::max_accumulator<float>>("float"),
               changed<skelrt::accumulator<double>>("double")};
    function_call call{&gather.source(), "void", 0, {}};
    for (unsigned k = 0; k < r.slots.size(); ++k) call.arguments.push_back({argument_kind::slot, k});
    r.calls.push_back(call);
    r.root = {argument_kind::call, 0};
    r.result = "unsigned";
    r.result_size = r.result_align = sizeof(unsigned);
    r.rule = accumulate_rule::add;
    r.cpu.clear = &accumulating<all_views>::clear;
}

struct gathered {
    std::vector<unsigned> counts;
    std::vector<float> highest;
    double sum = 0;

    explicit gathered(std::size_t bins) : counts(bins), highest(3, -INFINITY) {}
    bool operator==(const gathered&) const = default;
};

/// `ld` over `cols`: gaps between rows.
gathered gather_on_device(const recipe& r, const std::vector<unsigned>& v, std::size_t rows, std::size_t cols,
                          std::size_t ld, std::size_t parts, std::size_t bins)
{
    std::vector<std::size_t> offsets;
    const std::size_t counts_of[] = {bins, 3, 1};
    const std::size_t bytes = for_each_accumulated(
        r, [&](std::size_t slot) { return counts_of[slot - 2]; },
        [&](const accumulated_part& part) { offsets.push_back(part.offset); });
    const std::size_t values = (bytes + 3) / 4;
    const on_device<unsigned> x(v, 3), result(std::vector<unsigned>(values + 1, 0xdeadbeefu));
    const on_device<std::uint64_t> scratch(std::vector<std::uint64_t>(opencl::scratch_bytes(r, rows * cols, cols) / 8));
    const auto divisor = static_cast<unsigned>(bins);
    std::vector<segment> segments;
    std::vector<slot_view> slots;
    for (std::size_t p = 0; p < parts; ++p) {
        const std::size_t first = rows * p / parts, lines = rows * (p + 1) / parts - first;
        segments.push_back({lines, cols, first, 0});
        slots.push_back(x.view(lines, cols, ld, 1, first * ld));
        slots.push_back({const_cast<unsigned*>(&divisor), 0, 1, 1, 1, 1});
        for (std::size_t k = 0; k < 3; ++k) {
            slots.push_back(result.view(1, counts_of[k], counts_of[k]));
            slots.back().offset += offsets[k];
        }
    }
    slot_view whole = result.row();
    whole.cols = values;
    run({r, true, cols, segments, slots, whole, nullptr, scratch.row()});

    const std::vector<unsigned> raw = result.read();
    CHECK(raw.back() == 0xdeadbeefu);
    gathered g(bins);
    const auto* const from = reinterpret_cast<const std::byte*>(raw.data());
    std::memcpy(g.counts.data(), from + offsets[0], bins * sizeof(unsigned));
    std::memcpy(g.highest.data(), from + offsets[1], 3 * sizeof(float));
    std::memcpy(&g.sum, from + offsets[2], sizeof(double));
    return g;
}

} // namespace

TEST_CASE("accumulators of several kinds, in groups' local memory and in global memory", "[opencl][accumulate]")
{
    recipe r;
    describe_gather(r);
    const auto [rows, cols, ld, parts] = GENERATE(table<std::size_t, std::size_t, std::size_t, std::size_t>(
        {{1, 1, 1, 1}, {1, 700, 700, 1}, {3, 257, 257, 2}, {301, 57, 64, 1}, {1000, 1000, 1003, 3}, {2, 0, 4, 1}}));
    const std::size_t bins = GENERATE(1, 2, 64, 1000, 40'000);
    CAPTURE(rows, cols, ld, parts, bins);
    std::vector<unsigned> v(rows * ld);
    gathered expected(bins);
    std::uint32_t state = 7;
    for (unsigned& x : v) x = (state = state * 1664525u + 1013904223u) >> 12;
    for (std::size_t row = 0; row < rows; ++row)
        for (std::size_t col = 0; col < cols; ++col) {
            const unsigned x = v[row * ld + col];
            ++expected.counts[x % bins];
            expected.highest[x % 3] = std::max(expected.highest[x % 3], static_cast<float>(x) - 5.0e5f);
            expected.sum += x; // whole numbers below 2^53: in any order
        }
    CHECK(gather_on_device(r, v, rows, cols, ld, parts, bins) == expected);
}
