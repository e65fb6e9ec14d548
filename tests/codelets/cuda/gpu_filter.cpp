// SPDX-License-Identifier: BSD-3-Clause
#include "../recipes.hpp"
#include "device.hpp"
#include "types.hpp"

#include <cstdint>
#include <cstring>
#include <random>

using namespace recipes;
using device::buffer;
using device::call;
using device::flat;

namespace
{

template <class T>
std::vector<T> random_values(std::size_t n)
{
    std::mt19937 random{11};
    std::vector<T> all(n);
    for (T& v : all) {
        unsigned char bytes[sizeof(T)];
        for (unsigned char& b : bytes) b = static_cast<unsigned char>(random());
        std::memcpy(static_cast<void*>(&v), bytes, sizeof(T));
    }
    return all;
}

enum class left_out { dropped, behind };

template <class T, class F>
void make_filter(builder& b, const F& predicate, left_out others = left_out::dropped)
{
    const_cast<recipe&>(b.get()).keeps_others = others == left_out::behind;
    b.slots({element<T>(), element<T>()}).template call<bool>(predicate, {operand(0)}).template result<T>();
    const_cast<recipe&>(b.get()).root = operand(0);
}

/// Cut into parts of such sizes in turn; their results follow each other through all parts.
template <class T, class F>
void check_filter(const char* name, const F& predicate, std::size_t n, const std::vector<std::size_t>& sizes,
                  std::size_t shift, left_out others = left_out::dropped)
{
    CAPTURE(name, n, sizes.size(), shift, others == left_out::behind);
    builder b(skeleton::filter, name);
    make_filter<T>(b, predicate, others);
    const auto x = random_values<T>(n);
    const buffer<T> dx(x, shift), dy(random_values<T>(n), 0);
    std::vector<std::size_t> lengths;
    call c(b.get(), n);
    for (std::size_t first = 0, k = 0; first < n; ++k) {
        const std::size_t size = std::min(n - first, sizes[k % sizes.size()]);
        c.add({1, size, 0, first}, {flat(dx.data() + first, size), flat(dy.data() + first, size)});
        lengths.push_back(size);
        first += size;
    }
    const buffer<std::uint64_t> counts(lengths.size(), 77);
    c.run(counts.data());
    std::vector<T> want;
    for (const T& v : x)
        if (predicate.call(v)) want.push_back(v);
    std::size_t left = want.size();
    const auto got_counts = counts.read();
    for (std::size_t k = 0; k < lengths.size(); ++k) {
        REQUIRE(got_counts[k] == std::min(left, lengths[k]));
        left -= std::min(left, lengths[k]);
    }
    if (others == left_out::behind)
        for (const T& v : x)
            if (!predicate.call(v)) want.push_back(v);
    const auto got = dy.read();
    CHECK(std::memcmp(static_cast<const void*>(got.data()), static_cast<const void*>(want.data()),
                      want.size() * sizeof(T)) == 0);
}

const auto odd = USER_FUNCTION((unsigned v) { return v % 2 != 0; });
const auto dark = USER_FUNCTION((rgb c) { return c.r < 100; });
const auto positive = USER_FUNCTION((body b) { return b.id[0] > 0; });
const auto small = USER_FUNCTION((unsigned char v) { return v < 20; });
const auto always = USER_FUNCTION((double) { return true; });
const auto never = USER_FUNCTION((double) { return false; });

} // namespace

TEST_CASE("filter: sizes, types, alignments", "[cuda][gpu]")
{
    for (const std::size_t n : {1, 2, 31, 33, 255, 4096, 4099, 100003, 3000017})
        for (const std::size_t shift : {0, 1}) {
            check_filter<unsigned>("odd", odd, n, {n}, shift);
            check_filter<unsigned char>("small", small, n, {n}, shift);
            check_filter<double>("always", always, n, {n}, shift);
            check_filter<double>("never", never, n, {n}, shift);
        }
    for (const std::size_t n : {1, 257, 50021}) {
        check_filter<rgb>("dark", dark, n, {n}, 0);
        check_filter<body>("positive", positive, n, {n}, 0);
    }
}

TEST_CASE("filter: others behind what is kept", "[cuda][gpu]")
{
    for (const std::size_t n : {1, 2, 33, 1023, 1024, 1025, 4099, 100003, 3000017})
        for (const std::size_t part : {n, n / 3 + 1, std::size_t{1021} + n / 500}) {
            check_filter<unsigned>("odd", odd, n, {n, part}, 0, left_out::behind);
            check_filter<unsigned char>("small", small, n, {part}, 1, left_out::behind);
            check_filter<double>("always", always, n, {part}, 0, left_out::behind);
            check_filter<double>("never", never, n, {part}, 0, left_out::behind);
        }
    for (const std::size_t n : {1, 257, 50021}) {
        check_filter<rgb>("dark", dark, n, {n, 100}, 0, left_out::behind);
        check_filter<body>("positive", positive, n, {n}, 0, left_out::behind);
    }
}

TEST_CASE("filter: around the sizes of tiles", "[cuda][gpu]")
{
    // 256 threads with one to four packs of one to sixteen elements.
    for (const std::size_t tile : {1024, 2048, 4096, 8192})
        for (const std::size_t n : {tile - 1, tile, tile + 1, 2 * tile, 5 * tile + 1})
            for (const std::size_t shift : {0, 1}) {
                check_filter<unsigned>("odd", odd, n, {n}, shift);
                check_filter<unsigned char>("small", small, n, {n}, shift);
                check_filter<double>("always", always, n, {n}, shift);
            }
    for (const std::size_t n : {1023, 1024, 2049}) {
        check_filter<rgb>("dark", dark, n, {n}, 0);
        check_filter<body>("positive", positive, n, {n}, 0);
    }
    // More tiles than one look back sees, and more segments than a block keeps at hand.
    check_filter<unsigned>("odd", odd, 20'000'003, {20'000'003}, 0);
    check_filter<unsigned>("odd", odd, 64'000, {1000, 1, 64}, 0);
}

TEST_CASE("filter: results go on in the next segment, through several launches", "[cuda][gpu]")
{
    check_filter<unsigned>("odd", odd, 1000003, {4096}, 0);
    check_filter<unsigned>("odd", odd, 1000003, {1, 5000, 17, 30000}, 0);
    check_filter<unsigned char>("small", small, 500009, {333, 2000}, 1);
    check_filter<body>("positive", positive, 20011, {100, 1, 999}, 0);
    check_filter<double>("always", always, 300007, {1001}, 0);
}

TEST_CASE("filter: the same every time", "[cuda][gpu]")
{
    for (int i = 0; i < 50; ++i) check_filter<unsigned>("odd", odd, 700001, {250000}, 0);
}
