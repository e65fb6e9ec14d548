// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/data/memory/memory.hpp"

#include <string>
#include <string_view>
#include <thread>

namespace skelrt::detail
{

/// A size and a number a line; what is no such line is left out.
std::string text_of(const block_counts& counts);
block_counts block_counts_in(std::string_view text);

/// Host memory that GPUs copied to or from in an earlier process of this program, ready when the runtime is: pages are
/// taken while the drivers start, and pinned after. The first calls would wait for both, 0.3 to 0.5 ms a MiB.
///
/// Lifetime: made before StarPU starts, gone when it has ended. One thread's.
class blocks_at_start
{
public:
    /// Begins to take pages, for an eighth of the machine's memory at most.
    blocks_at_start();

    /// Takes no more than it has begun with, and pins them. While StarPU runs.
    void pin() noexcept;
    /// The same without devices that copy: gives them back.
    void drop() noexcept;

private:
    std::jthread takes_;
};

/// Leaves the counts of this process to the next one, if a GPU has copied any.
void keep_block_counts() noexcept;

} // namespace skelrt::detail
