// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/cpu/share_progress.hpp"

#include <cstddef>
#include <memory>

namespace skelrt::detail
{
struct work;
}

namespace skelrt::detail::cpu
{

/// Where the shares of an iteration leave copies of their first and last rows for their neighbours. There are two
/// copies of each, so that a share may leave the next ones while a neighbour still reads: it waits for its neighbours
/// before every pass.
class row_exchange
{
public:
    row_exchange(const work& w, std::size_t shares);

    /// Steps of a pass, at most: as many rows has an edge.
    std::size_t depth() const noexcept { return depth_; }
    /// Rows at the beginning (side 0) or the end (side 1) of a share, after an even or odd number of passes.
    std::byte* edge(std::size_t share, int side, std::size_t passes) const noexcept
    {
        return memory_.get() + ((share * 2 + static_cast<std::size_t>(side)) * 2 + passes % 2) * edge_bytes_;
    }

    /// After how many passes each share has left its edges.
    share_progress& progress() noexcept { return progress_; }
    const share_progress& progress() const noexcept { return progress_; }

private:
    std::size_t depth_, edge_bytes_;
    std::unique_ptr<std::byte[]> memory_;
    share_progress progress_;
};

} // namespace skelrt::detail::cpu
