// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../api.hpp"
#include "../caller.hpp"
#include "../storage.hpp"

#include <cstddef>
#include <cstdint>

/// How containers are dealt out to the ranks of a program. One process that runs alone has all of every container.
namespace skelrt::detail
{

/// What sk::distribution says of ranks.
struct dealing {
    enum class form : std::uint8_t {
        as_it_is, ///< only how a rank cuts its part
        lines,    ///< elements of a vector, rows, planes
        grid,
        copy ///< every rank has all of it
    };
    form how = form::as_it_is;
    std::size_t grid_rows = 0, grid_cols = 0; ///< 0: chosen
    bool in_turn = false;                     ///< blocks of block_rows x block_cols elements, one after the other
    std::size_t block_rows = 0, block_cols = 0;
};

/// A container's elements dealt out as `wish` says, and cut into so many tiles (0: the runtime's choice); `rank`: 1 for
/// vectors, 2 for matrices. What has to travel does so while the program goes on. `s` itself if it lies so; null where
/// one process runs alone. Throws error, on all ranks alike, for what no grid or block can be.
SKELRT_API storage_ref deal_out(storage& s, const dealing& wish, int rank, std::size_t tiles, const caller& where);

struct recipe;
struct operand;
/// As create_result(), for a new result of a call: dealt out as the first whole container of its shape that the call
/// reads element by element.
SKELRT_API storage* create_result_beside(const recipe& what, const operand* operands, std::size_t inputs,
                                         std::size_t rows, std::size_t cols, std::uint32_t element_size,
                                         bool whole_rows);

/// The same for a result of all_pairs: dealt out as the container that it takes the place of, if that is of its shape
/// (or null), else over the grid of the first matrix that the call reads and that lies in one.
SKELRT_API storage* create_product(const recipe& what, const operand* operands, const storage* instead,
                                   std::size_t rows, std::size_t cols);

/// Which positions of a container's axis this rank holds: blocks of `block`, of which `turn` positions lie from the
/// start of one to that of the next; one block: 0.
struct local_axis {
    std::size_t first = 0, block = 0, turn = 0;
    /// The number in the whole container of the i-th that lies here.
    std::size_t number(std::size_t i) const noexcept
    {
        return block == 0 ? first + i : first + i / block * turn + i % block;
    }
};
struct local_axes {
    local_axis rows, cols;
};
/// Null: there are no elements.
SKELRT_API local_axes axes_of(const storage* s) noexcept;

} // namespace skelrt::detail
