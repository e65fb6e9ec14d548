// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../conformance/monoids.hpp"

#include <skelrt/algorithms.hpp>

#include <random>

namespace test
{

/// Around everything that can go wrong: nothing, primes, several tiles and blocks.
inline auto lengths() { return GENERATE(as<std::size_t>(), 0, 1, 2, 3, 61, 1009, 4099, 100'003); }

/// Random numbers 0 .. below - 1, the same everywhere.
template <class T>
std::vector<T> random_numbers(std::size_t n, unsigned below, unsigned seed = 1)
{
    std::mt19937 random(seed);
    return expected(n, [&](std::size_t) { return static_cast<T>(random() % below); });
}

/// Keys in runs of random lengths, up to `longest`; neighbours differ, keys come again.
inline std::vector<int> runs(std::size_t n, unsigned longest, unsigned seed = 1)
{
    std::mt19937 random(seed);
    std::vector<int> keys;
    for (int key = 0; keys.size() < n; key = (key + 1) % 5)
        keys.insert(keys.end(), std::min<std::size_t>(n - keys.size(), 1 + random() % longest), key);
    return keys;
}

/// Ascending offsets from 0 to n, with segments of no elements among them.
inline std::vector<unsigned> random_offsets(std::size_t n, unsigned longest, unsigned seed = 1)
{
    std::mt19937 random(seed);
    std::vector<unsigned> offsets{0, 0};
    while (offsets.back() < n)
        offsets.push_back(std::min<unsigned>(static_cast<unsigned>(n), offsets.back() + random() % (longest + 1)));
    offsets.push_back(static_cast<unsigned>(n));
    return offsets;
}

} // namespace test
