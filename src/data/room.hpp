// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/data/managed_state.hpp"

/// A filter's result begins in room for all elements, and is cut when their number is known. The tiles that it does not
/// need stay with it, so that whoever takes the storage over for another filter's result finds room with its handles
/// and memory on devices.
namespace skelrt::detail
{

/// Keeps the first n > 0 elements as a vector, and the tiles that are full. Returns the handle of what was the tile in
/// which they end, whose part that stays is the last tile now: the caller copies it there. Null: they end where a tile
/// does. Nobody uses the data.
starpu_data_handle_t cut_managed(storage& s, std::size_t n);

/// Makes it as long as it was before it was cut; what it holds is nobody's. Waits for those who read the last tile.
void restore_room(storage& s) noexcept;

/// Gives the tiles that the result does not need back to StarPU, as soon as no task uses them.
void drop_room(managed_state& m) noexcept;
/// The same of all that is beside the result's tiles: the copy in one piece, too, that whole operands are read from.
void drop_besides(managed_state& m) noexcept;

} // namespace skelrt::detail
