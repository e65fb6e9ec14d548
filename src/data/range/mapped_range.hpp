// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/data/range/page_blocks.hpp"
#include "src/data/range/page_source.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace skelrt::detail
{

/// What becomes of memory that no tile lies in any more.
enum class unused_pages : bool { go, stay };

/// The addresses of a container's tiles on one device, and the memory behind those of the tiles that are there. One
/// thread at a time.
class mapped_range
{
public:
    mapped_range(std::unique_ptr<page_source> from, std::size_t bytes, std::size_t tile_bytes);
    mapped_range(const mapped_range&) = delete;
    mapped_range& operator=(const mapped_range&) = delete;
    /// No tile has memory any more.
    ~mapped_range();

    /// Memory for a tile, which may have been taken before: it is given back as often. Where it lies; 0: there is no
    /// memory.
    std::uintptr_t take(std::size_t tile) noexcept;
    void give_back(std::size_t tile, unused_pages how) noexcept;

    /// Of memory that stayed.
    std::size_t unused_bytes() const noexcept;
    /// Lets it go; so many bytes.
    std::size_t drop_unused() noexcept;

private:
    struct counted {
        std::size_t tiles = 0; ///< that have taken it
        std::optional<std::uint64_t> memory;
    };
    bool is_unused(std::size_t block) const noexcept { return of_block_[block].memory && of_block_[block].tiles == 0; }
    bool provide(std::size_t block) noexcept;
    void withdraw(std::size_t block) noexcept;
    void let_go(std::size_t first, std::size_t end, unused_pages how) noexcept;

    std::unique_ptr<page_source> from_;
    page_blocks blocks_;
    std::uintptr_t begin_ = 0; ///< 0: no addresses yet
    std::vector<counted> of_block_;
};

} // namespace skelrt::detail
