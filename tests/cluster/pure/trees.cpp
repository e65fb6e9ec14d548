// SPDX-License-Identifier: BSD-3-Clause
#include "tests/cluster/pure/fake_peers.hpp"

#include "src/cluster/trees.hpp"

#include <catch2/catch.hpp>

#include <cstring>
#include <random>
#include <string>

using namespace skelrt::detail;

namespace
{

/// Function composition does not commute: x -> a x + b, modulo 2^32.
struct line {
    std::uint32_t a = 1, b = 0;
    friend bool operator==(const line&, const line&) = default;
};
line then(line f, line g) { return {f.a * g.a, f.b * g.a + g.b}; }

void combine_lines(std::span<std::byte> left, std::span<const std::byte> right)
{
    line f, g;
    std::memcpy(&f, left.data(), sizeof f);
    std::memcpy(&g, right.data(), sizeof g);
    f = then(f, g);
    std::memcpy(left.data(), &f, sizeof f);
}

std::vector<line> random_lines(int n, unsigned seed)
{
    std::mt19937 random(seed);
    std::vector<line> all(static_cast<std::size_t>(n));
    for (line& l : all) l = {static_cast<std::uint32_t>(random()), static_cast<std::uint32_t>(random())};
    return all;
}

template <class T>
std::span<std::byte> bytes_of(T& value)
{
    return std::as_writable_bytes(std::span(&value, 1));
}

} // namespace

TEST_CASE("values of ranks are combined in the order of the ranks, and all get the same bits", "[trees]")
{
    std::mt19937 random(1);
    for (const int ranks : {1, 2, 3, 4, 5, 7, 8, 9, 16, 31, 33, 64, 70}) {
        const std::vector<line> lines = random_lines(ranks, static_cast<unsigned>(ranks));
        for (const unsigned filled_of_8 : {8u, 6u, 1u, 0u}) { // the others are empty
            std::vector<char> has(lines.size());
            for (char& h : has) h = random() % 8 < filled_of_8;
            line expected;
            bool any = false;
            for (std::size_t r = 0; r < lines.size(); ++r)
                if (has[r]) expected = any ? then(expected, lines[r]) : lines[r], any = true;
            std::atomic<int> wrong{0};
            const bool all_taken = fake::run_ranks(ranks, [&](peers& others) {
                const auto me = static_cast<std::size_t>(others.rank());
                line mine = lines[me];
                const bool there = reduce_to_all(others, bytes_of(mine), has[me], &combine_lines);
                if (there != any || (any && mine != expected)) ++wrong;
            });
            INFO(ranks << " ranks, " << filled_of_8 << " of 8 have a value");
            CHECK(wrong == 0);
            CHECK(all_taken);
        }
    }
}

TEST_CASE("every rank can tell its value to all", "[trees]")
{
    for (const int ranks : {1, 2, 3, 6, 8, 13, 70})
        for (const int root : {0, ranks / 2, ranks - 1}) {
            std::atomic<int> wrong{0};
            const bool all_taken = fake::run_ranks(ranks, [&](peers& others) {
                int value = 10 * others.rank();
                broadcast(others, bytes_of(value), root);
                if (value != 10 * root) ++wrong;
                // From the root to the last: at most one message in, and one round of messages out.
                if (others.so_far().values_sent > 2) ++wrong;
            });
            INFO(ranks << " ranks, root " << root);
            CHECK(wrong == 0);
            CHECK(all_taken);
        }
}

TEST_CASE("all values come to all ranks", "[trees]")
{
    for (const int ranks : {1, 2, 3, 5, 8, 12, 64, 70})
        for (const std::size_t bytes : {0, 1, 24}) {
            std::atomic<int> wrong{0};
            const bool all_taken = fake::run_ranks(ranks, [&](peers& others) {
                const std::vector<std::byte> mine(bytes, std::byte(others.rank()));
                const std::vector<std::byte> all = all_gather(others, mine);
                if (all.size() != bytes * static_cast<std::size_t>(ranks)) ++wrong;
                for (std::size_t k = 0; k < all.size(); ++k)
                    if (all[k] != std::byte(k / bytes)) ++wrong;
            });
            INFO(ranks << " ranks, " << bytes << " bytes");
            CHECK(wrong == 0);
            CHECK(all_taken);
        }
}

TEST_CASE("values of several lengths come to all ranks", "[trees]")
{
    for (int ranks = 1; ranks <= 9; ++ranks) {
        std::atomic<int> wrong{0};
        std::vector<std::size_t> sizes;
        for (int rank = 0; rank < ranks; ++rank) sizes.push_back(static_cast<std::size_t>(rank * 5 % 7));
        const bool all_taken = fake::run_ranks(ranks, [&](peers& others) {
            const auto me = static_cast<std::size_t>(others.rank());
            const std::vector<std::byte> all = all_gather(others, std::vector(sizes[me], std::byte(me)), sizes);
            std::vector<std::byte> right;
            for (std::size_t rank = 0; rank < sizes.size(); ++rank)
                right.insert(right.end(), sizes[rank], std::byte(rank));
            if (all != right) ++wrong;
        });
        INFO(ranks << " ranks");
        CHECK(wrong == 0);
        CHECK(all_taken);
    }
}
