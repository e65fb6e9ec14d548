#pragma once

#include <atomic>
#include <cstddef>
#include <memory>

namespace skelrt::detail::cpu
{

/// How far each band of a wavefront has come. A band waits for the one above it, tile by tile.
class band_progress
{
public:
    explicit band_progress(std::size_t bands) : counters_(std::make_unique<counter[]>(bands)) {}

    /// The band's first `tiles` tiles are done.
    void arrive(std::size_t band, std::size_t tiles) noexcept;
    /// Waits until they are; false if they never will be.
    bool wait_for(std::size_t band, std::size_t tiles) const noexcept;
    /// A band failed: nobody waits any longer.
    void give_up() noexcept;

private:
    struct alignas(64) counter { ///< on a line of its own
        std::atomic<std::size_t> tiles{0};
    };
    std::unique_ptr<counter[]> counters_;
    std::atomic<bool> given_up_{false};
};

} // namespace skelrt::detail::cpu
