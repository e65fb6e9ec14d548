#pragma once

#include "src/runtime/order/progress.hpp"

#include <cstddef>
#include <deque>
#include <memory>
#include <vector>

namespace skelrt::detail
{

class program;

/// What programs have given to each device and is not yet done, in microseconds that it takes there. A program's own
/// calls are not in its way: they follow each other, wherever they run.
///
/// Lifetime: the engine's. Used under the order's lock. Knows no device.
class load_board
{
public:
    explicit load_board(std::size_t targets) : lines_(targets) {}

    /// Work of `us` that is over when `until` is. Amortised O(programs).
    void add(std::size_t target, const program& by, double us, std::shared_ptr<const progress> until);
    /// What programs but this one have there. Amortised O(programs).
    double of_others(std::size_t target, const program& mine);
    /// Whether they have anything on any device.
    bool has_others(const program& mine);
    /// Whether anything was given to any device. Cheap.
    bool any() const noexcept { return entries_ > 0; }

private:
    static constexpr std::size_t few = 64;
    struct entry {
        const program* by;
        double us;
        std::shared_ptr<const progress> until;
    };
    struct share {
        const program* of;
        double us;
        std::size_t entries;
    };
    struct line {
        std::deque<entry> under_way; ///< in the order of submission; some may be done
        std::vector<share> shares;   ///< of those that have something there
        std::size_t sweep_at = few;  ///< as many entries are looked at one by one
    };

    void forget(line& l, const entry& e) noexcept;
    void forget_ended(line& l);

    std::vector<line> lines_;
    std::size_t entries_ = 0;
};

} // namespace skelrt::detail
