#pragma once

#include <atomic>
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

    /// The share has left its edges after so many passes.
    void arrive(std::size_t share, std::size_t passes) noexcept;
    /// Waits until the share has; false if it never will.
    bool wait_for(std::size_t share, std::size_t passes) const noexcept;
    /// A share failed: nobody waits any longer.
    void give_up() noexcept;

private:
    struct alignas(64) counter { ///< on a line of its own
        std::atomic<std::size_t> passes{0};
    };
    std::size_t depth_, edge_bytes_;
    std::unique_ptr<std::byte[]> memory_;
    std::unique_ptr<counter[]> counters_;
    std::atomic<bool> given_up_{false};
};

} // namespace skelrt::detail::cpu
