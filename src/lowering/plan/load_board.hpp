// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/runtime/order/progress.hpp"

#include <cstddef>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

namespace skelrt::detail
{

class program;

/// What programs have given to each device and is not yet done, in microseconds that it takes there. A program's own
/// calls are not in its way: they follow each other, wherever they run. Calls and tasks are apart, for policies see
/// tasks by themselves.
///
/// Lifetime: the engine's. Used under the order's lock. Knows no device.
class load_board
{
public:
    explicit load_board(std::size_t targets) : calls_(targets), tasks_(targets) {}

    /// Work of `us` that is over when `until` is. Amortised O(programs).
    void add_call(std::size_t target, const program& by, double us, std::shared_ptr<const progress> until)
    {
        add(calls_[target], by, us, std::move(until));
    }
    void add_task(std::size_t target, const program& by, double us, std::shared_ptr<const progress> until)
    {
        add(tasks_[target], by, us, std::move(until));
    }
    /// What programs but this one have there. Amortised O(programs).
    double of_others(std::size_t target, const program& mine)
    {
        return calls_of_others(target, mine) + sum_but(tasks_[target], &mine);
    }
    double calls_of_others(std::size_t target, const program& mine) { return sum_but(calls_[target], &mine); }
    /// What all have there. Amortised O(programs).
    double of_all(std::size_t target) { return sum_but(calls_[target], nullptr) + sum_but(tasks_[target], nullptr); }
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

    void add(line& l, const program& by, double us, std::shared_ptr<const progress> until);
    double sum_but(line& l, const program* mine);
    void forget(line& l, const entry& e) noexcept;
    void forget_ended(line& l);

    std::vector<line> calls_, tasks_; ///< of each target
    std::size_t entries_ = 0;
};

} // namespace skelrt::detail
