// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <cstddef>
#include <memory>

namespace skelrt::detail::cpu
{

/// How far each share of a call has come: passes, tiles, whatever it counts. Others wait for it. Thread-safe.
class share_progress
{
public:
    explicit share_progress(std::size_t shares) : counters_(std::make_unique<counter[]>(shares)) {}

    /// The share's first `steps` steps are done.
    void arrive(std::size_t share, std::size_t steps) noexcept;
    /// Waits until they are; false if they never will be.
    bool wait_for(std::size_t share, std::size_t steps) const noexcept;
    /// A share failed: nobody waits any longer.
    void give_up() noexcept;

private:
    struct alignas(64) counter { ///< on a line of its own
        std::atomic<std::size_t> steps{0};
    };
    std::unique_ptr<counter[]> counters_;
    std::atomic<bool> given_up_{false};
};

} // namespace skelrt::detail::cpu
