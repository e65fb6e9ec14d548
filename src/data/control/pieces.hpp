// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/data/managed_state.hpp"
#include "src/data/parts/rectangle.hpp"

#include <starpu.h>

#include <atomic>
#include <cstddef>
#include <memory>
#include <vector>

namespace skelrt::detail
{

/// A tile of a container, or an atom where tasks use it in parts.
struct piece {
    starpu_data_handle_t handle;
    node_mask* valid; ///< managed_state's note of it
    std::size_t bytes;
};

/// Those that have elements of a part, which may be cut only where tasks cut it. Caller holds the order's lock.
std::vector<piece> pieces_under(managed_state& m, const rectangle& part);

/// What is done with a piece once the calls before are done with it: until then the container counts as used.
struct awaited_piece {
    starpu_data_handle_t handle;
    unsigned node; ///< where it is wanted
    std::shared_ptr<std::atomic<long>> users;
};
/// Asks StarPU for each of the pieces, in this mode, to call `is_ready` with an awaited_piece of its own, which it
/// deletes. Caller holds the order's lock.
void await_pieces(managed_state& m, const std::vector<piece>& pieces, unsigned node, int acquired_on,
                  starpu_data_access_mode how, void (*is_ready)(void*));
/// The last thing that `is_ready` does, which has given the handle back by then.
void has_done_with(awaited_piece* a) noexcept;

} // namespace skelrt::detail
