// SPDX-License-Identifier: BSD-3-Clause
#include "src/data/range/mapped_range.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>
#include <random>
#include <vector>

using namespace skelrt::detail;

namespace
{

/// What a device's driver would have of it.
struct books {
    std::size_t room = ~std::size_t{0};                      ///< bytes of memory that are left
    std::size_t created = 0, used = 0;                       ///< allocations in all; bytes in use
    std::map<std::uintptr_t, std::size_t> addresses, mapped; ///< bytes from each on
    std::map<std::uint64_t, std::size_t> memory;             ///< bytes of each allocation
    std::uint64_t next = 1;
};

constexpr std::size_t page = 64;

class fake_pages final : public page_source
{
public:
    explicit fake_pages(books& b) : books_(b) {}
    std::size_t page_bytes() const noexcept override { return page; }
    std::uintptr_t reserve(std::size_t bytes) noexcept override
    {
        const std::uintptr_t begin = 1024 * page * (books_.addresses.size() + 1);
        books_.addresses[begin] = bytes;
        return begin;
    }
    void leave(std::uintptr_t begin, std::size_t bytes) noexcept override
    {
        CHECK(books_.addresses.at(begin) == bytes);
        books_.addresses.erase(begin);
    }
    std::optional<std::uint64_t> create(std::size_t bytes) noexcept override
    {
        CHECK(bytes % page == 0);
        if (books_.used + bytes > books_.room) return {};
        books_.used += bytes;
        ++books_.created;
        books_.memory[books_.next] = bytes;
        return books_.next++;
    }
    void release(std::uint64_t memory, std::size_t bytes) noexcept override
    {
        CHECK(books_.memory.at(memory) == bytes);
        books_.memory.erase(memory);
        books_.used -= bytes;
    }
    bool map(std::uintptr_t begin, std::size_t bytes, std::uint64_t memory) noexcept override
    {
        CHECK(books_.memory.at(memory) == bytes);
        CHECK(begin % page == 0);
        books_.mapped[begin] = bytes;
        return true;
    }
    void unmap(std::uintptr_t begin, std::size_t bytes) noexcept override
    {
        CHECK(books_.mapped.at(begin) == bytes);
        books_.mapped.erase(begin);
    }

private:
    books& books_;
};

bool is_mapped(const books& b, std::uintptr_t at)
{
    return std::ranges::any_of(b.mapped, [&](const auto& m) { return m.first <= at && at < m.first + m.second; });
}

/// So many bytes of it, all of which have to be there.
bool has(const books& b, std::uintptr_t begin, std::size_t bytes)
{
    for (std::size_t at = 0; at < bytes; at += page / 2)
        if (!is_mapped(b, begin + at)) return false;
    return is_mapped(b, begin + bytes - 1);
}

std::size_t bytes_of_tile(std::size_t t, std::size_t bytes, std::size_t tile)
{
    return std::min(tile, bytes - t * tile);
}

} // namespace

TEST_CASE("blocks of pages are all of a range, one behind the other", "[range]")
{
    for (const std::size_t tile : {page, page + 1, 3 * page, 3 * page - 7, 5 * page / 2, std::size_t{5}, page / 2})
        for (const std::size_t bytes : {2 * tile, 2 * tile + 1, 5 * tile, 5 * tile + tile / 2, 7 * tile - 1}) {
            const page_blocks blocks(bytes, tile, page);
            std::size_t at = 0;
            for (std::size_t b = 0; b < blocks.count(); ++b) {
                const page_block where = blocks.block(b);
                REQUIRE(where.bytes > 0);
                REQUIRE(where.begin == at);
                REQUIRE(where.bytes % page == 0);
                at += where.bytes;
            }
            REQUIRE(at == blocks.bytes());
            REQUIRE(at >= bytes);
            REQUIRE(at < bytes + page);
        }
}

TEST_CASE("tiles follow each other in a range, and come and go by themselves", "[range]")
{
    std::mt19937 random(7);
    for (const std::size_t tile : {page, 2 * page, 2 * page + 5, 3 * page - 9, page / 2 + 3, std::size_t{6}}) {
        const std::size_t tiles = 6, bytes = tile * tiles - tile / 3;
        books b;
        {
            mapped_range range(std::make_unique<fake_pages>(b), bytes, tile);
            CHECK(b.addresses.empty()); // nobody wants it yet
            const std::uintptr_t begin = range.take(0);
            range.give_back(0, unused_pages::go);
            REQUIRE(b.used == 0);
            std::vector<int> taken(tiles, 0);
            for (int step = 0; step < 300; ++step) {
                const std::size_t t = random() % tiles;
                if (taken[t] > 0 && random() % 2) {
                    range.give_back(t, unused_pages::go);
                    --taken[t];
                } else if (taken[t] < 2) {
                    REQUIRE(range.take(t) == begin + t * tile);
                    ++taken[t];
                }
                std::size_t most = 0;
                for (std::size_t k = 0; k < tiles; ++k) {
                    if (taken[k] == 0) continue;
                    REQUIRE(has(b, begin + k * tile, bytes_of_tile(k, bytes, tile)));
                    most += bytes_of_tile(k, bytes, tile) + 2 * page;
                }
                REQUIRE(b.used <= most);
            }
            for (std::size_t t = 0; t < tiles; ++t)
                for (; taken[t] > 0; --taken[t]) range.give_back(t, unused_pages::go);
            REQUIRE(b.used == 0);
            REQUIRE(b.mapped.empty());
        }
        REQUIRE(b.addresses.empty());
    }
}

TEST_CASE("a tile for which there is no memory takes none", "[range]")
{
    books b;
    const std::size_t tile = 2 * page + 5;
    mapped_range range(std::make_unique<fake_pages>(b), 4 * tile, tile);
    REQUIRE(range.take(1) != 0);
    b.room = b.used + page; // the next one wants more
    const std::size_t before = b.used;
    REQUIRE(range.take(2) == 0);
    REQUIRE(b.used == before);
    range.give_back(1, unused_pages::go);
    REQUIRE(range.take(2) != 0);
    range.give_back(2, unused_pages::go);
    REQUIRE(b.used == 0);
}

TEST_CASE("memory that stays is taken again", "[range]")
{
    books b;
    const std::size_t tile = 2 * page + 5, tiles = 4;
    {
        mapped_range range(std::make_unique<fake_pages>(b), tiles * tile, tile);
        for (int round = 0; round < 3; ++round) {
            for (std::size_t t = 0; t < tiles; ++t) REQUIRE(range.take(t) != 0);
            REQUIRE(range.unused_bytes() == 0);
            for (std::size_t t = 0; t < tiles; ++t) range.give_back(t, unused_pages::stay);
            REQUIRE(range.unused_bytes() == b.used);
        }
        REQUIRE(b.created == 2 * tiles - 1);
    }
    REQUIRE(b.used == 0);
    REQUIRE(b.mapped.empty());
}

TEST_CASE("memory that no tile lies in goes when others want it, whoever may have it next", "[range]")
{
    books b;
    const std::size_t tile = 2 * page + 5, tiles = 4;
    mapped_range later(std::make_unique<fake_pages>(b), tiles * tile, tile);
    for (std::size_t t = 0; t < tiles; ++t) REQUIRE(later.take(t) != 0);
    for (std::size_t t = 0; t < tiles; ++t) later.give_back(t, unused_pages::stay);
    b.room = b.used + page;
    mapped_range now(std::make_unique<fake_pages>(b), tiles * tile, tile);
    REQUIRE(now.take(0) == 0);
    const std::uintptr_t second = later.take(1); // which shares pages with others
    const std::size_t before = b.used, unused = later.unused_bytes();
    CHECK(later.drop_unused() == unused);
    CHECK(b.used == before - unused);
    CHECK(has(b, second, tile));
    CHECK(later.drop_unused() == 0);
    REQUIRE(now.take(0) != 0);
    now.give_back(0, unused_pages::go);
    REQUIRE(later.take(0) == second - tile);
    for (std::size_t t = 0; t < 2; ++t) later.give_back(t, unused_pages::go);
    CHECK(b.used == 0);
}
