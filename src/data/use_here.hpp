// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/data/managed.hpp"
#include "src/runtime/memory/small_array.hpp"

#include <cstddef>
#include <cstdint>

namespace skelrt::detail
{

/// Containers that tasks know and that the calling thread works on itself, without the lock, while this lives: user
/// functions run then. Whoever wants one of them otherwise waits: lock_when_unused(), below. Workers never do.
class use_here
{
public:
    /// Room for so many.
    explicit use_here(std::size_t most) : marked_(most) {}
    ~use_here() { end(); }
    use_here(const use_here&) = delete;
    use_here& operator=(const use_here&) = delete;

    /// Caller holds the order's lock, and found that the data is_unused().
    void add(managed_state& m, bool written) noexcept;
    /// Before its time. Whoever waits goes on. Needs no lock.
    void end() noexcept;

private:
    struct mark {
        managed_state* data;
        bool written;
    };
    small_array<mark, few_slots> marked_;
    std::size_t count_ = 0;
};

} // namespace skelrt::detail
