// SPDX-License-Identifier: BSD-3-Clause
#include "device.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

using namespace skelrt::detail;
using namespace skelrt::detail::opencl::test;
namespace sk = skelrt;

SKELRT_SHARED(struct ranked {
    int rank, number;
    int more[6];
};)

namespace
{

const auto by_rank = SKELRT_FN((ranked a, ranked b) { return a.rank < b.rank; });
const auto descending = SKELRT_FN((int a, int b) { return b < a; });

std::size_t sizes() { return GENERATE(1, 2, 7, 8, 9, 511, 513, 2047, 2048, 2049, 4097, 50'021, 200'003); }

template <class T>
void sort_recipe(recipe& r, std::string_view type, const function_source* less)
{
    r.kind = skeleton::sort;
    r.name = "test";
    r.slots = {slot<T>(slot_kind::element, type), slot<T>(slot_kind::element, type)};
    r.root = {argument_kind::slot, 0};
    r.combine = less;
    r.result = type;
    r.result_size = sizeof(T);
    r.result_align = alignof(T);
}

/// The same with values of type double in slots 1 and 2.
template <class T>
void key_recipe(recipe& r, std::string_view type, const function_source* less)
{
    sort_recipe<T>(r, type, less);
    r.slots.insert(r.slots.begin() + 1,
                   {slot<double>(slot_kind::element, "double"), slot<double>(slot_kind::output, "double")});
}

std::vector<ranked> ranks(std::size_t n)
{
    std::vector<ranked> all(n);
    std::uint32_t state = 1;
    for (std::size_t i = 0; i < n; ++i) {
        state = state * 1664525u + 1013904223u;
        all[i] = {static_cast<int>(state >> 16) % 301, static_cast<int>(i), {}};
    }
    return all;
}

std::vector<unsigned char> room(const recipe& r, std::size_t n)
{
    return std::vector<unsigned char>(opencl::scratch_bytes(r, n, n));
}

/// [0, n) in pieces of very different sizes.
template <class Add>
std::vector<segment> pieces_of(std::size_t n, Add add)
{
    std::vector<segment> all;
    for (std::size_t first = 0; first < n; first += all.back().cols) {
        const std::size_t size = std::min(n - first, all.size() * all.size() % 3011 + 17);
        all.push_back({1, size, 0, first});
        add(first, size);
    }
    return all;
}

} // namespace

TEST_CASE("a sort is stable, whatever the segments", "[opencl][sort]")
{
    recipe r;
    sort_recipe<ranked>(r, "ranked", &by_rank.source());
    const std::size_t n = sizes();
    auto values = ranks(n);
    const on_device<ranked> x(values, 3), y(std::vector<ranked>(n), 1);
    const on_device<unsigned char> scratch(room(r, n), 256);
    std::vector<slot_view> slots;
    const auto segments = pieces_of(n, [&](std::size_t first, std::size_t size) {
        slots.push_back(x.view(1, size, size, 1, first));
        slots.push_back(y.view(1, size, size, 1, first));
    });
    run({r, false, n, segments, slots, {}, nullptr, scratch.row()});
    std::stable_sort(values.begin(), values.end(), [](auto a, auto b) { return a.rank < b.rank; });
    const auto got = y.read();
    CHECK(std::equal(got.begin(), got.end(), values.begin(),
                     [](const ranked& a, const ranked& b) { return a.rank == b.rank && a.number == b.number; }));
}

TEST_CASE("a sort of floats in place: numbers, infinities, NaN behind them", "[opencl][sort]")
{
    recipe r;
    sort_recipe<float>(r, "float", nullptr);
    const std::size_t n = sizes();
    std::vector<float> values(n);
    for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<float>(i * 7919 % 1013) - 500;
    values[n / 2] = -std::numeric_limits<float>::infinity();
    for (std::size_t i = 10; i < n; i += 10) values[i] = std::numeric_limits<float>::quiet_NaN();
    const on_device<float> x(values);
    const on_device<unsigned char> scratch(room(r, n));
    const std::vector<segment> segments{{1, n, 0, 0}};
    const std::vector<slot_view> slots{x.row(), x.row()};
    run({r, false, n, segments, slots, {}, nullptr, scratch.row()});
    const auto last = std::remove_if(values.begin(), values.end(), [](float f) { return f != f; });
    std::sort(values.begin(), last);
    const auto got = x.read();
    CHECK(std::equal(values.begin(), last, got.begin()));
    CHECK(std::all_of(got.begin() + (last - values.begin()), got.end(), [](float f) { return f != f; }));
}

TEST_CASE("a sort by key moves the values along, also strided", "[opencl][sort]")
{
    recipe r;
    key_recipe<int>(r, "int", &descending.source());
    const std::size_t n = sizes();
    std::vector<int> keys(2 * n), number(n);
    std::vector<double> values(3 * n);
    for (std::size_t i = 0; i < n; ++i) {
        number[i] = static_cast<int>(i);
        keys[2 * i] = static_cast<int>(i * 7919 % 509);
        values[3 * i] = static_cast<double>(i) + 0.5;
    }
    const on_device<int> k(keys);
    const on_device<double> v(values);
    const on_device<unsigned char> scratch(room(r, n));
    std::vector<slot_view> slots;
    const auto segments = pieces_of(n, [&](std::size_t first, std::size_t size) {
        const auto key = k.view(1, size, 2 * size, 2, 2 * first), value = v.view(1, size, 3 * size, 3, 3 * first);
        slots.insert(slots.end(), {key, value, value, key});
    });
    run({r, false, n, segments, slots, {}, nullptr, scratch.row()});
    std::stable_sort(number.begin(), number.end(),
                     [&](int a, int b) { return keys[2 * std::size_t(b)] < keys[2 * std::size_t(a)]; });
    const auto got_k = k.read();
    const auto got_v = v.read();
    bool equal = true;
    for (std::size_t i = 0; i < n; ++i)
        equal = equal && got_k[2 * i] == keys[2 * std::size_t(number[i])] && got_v[3 * i] == number[i] + 0.5;
    CHECK(equal);
}
