// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <starpu.h>

#include <cstddef>
#include <memory>

namespace skelrt::detail
{

class tile_range;

/// Throws error for more elements than StarPU's handles hold.
void check_handle_size(std::size_t count);

/// Registers elements that follow each other with StarPU, as a vector whose copies from and to GPUs go behind the
/// kernels that were left running there. All handles are made here: memory of one may become another's. `data` null: no
/// home, StarPU allocates where the data is written first.
void register_handle(starpu_data_handle_t& handle, void* data, std::size_t count, std::size_t element_size);

/// The same of a container's tile, whose memory on devices lies in the container's range where that covers them.
void register_tile(starpu_data_handle_t& handle, void* data, std::size_t count, std::size_t element_size,
                   const std::shared_ptr<tile_range>& range, std::size_t tile);
/// Whether the handle is that tile of that range.
bool is_tile_of(starpu_data_handle_t handle, const tile_range& range, std::size_t tile) noexcept;

/// Whether a memory node has the data, or it is on its way there.
bool is_valid_on(starpu_data_handle_t handle, unsigned node) noexcept;

/// The host is about to use, in this mode, what is in its memory: StarPU is to know that copies elsewhere are old.
void claim_for_host(starpu_data_handle_t handle, starpu_data_access_mode mode) noexcept;

} // namespace skelrt::detail
