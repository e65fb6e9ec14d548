// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

namespace skelrt::schedulers
{

/// A queue for workers of several kinds. Tasks that the same kinds can run share a lane, so that nobody searches among
/// tasks of others: taking costs O(lanes), whatever waits. No lock of its own.
template <class Task>
class lanes
{
public:
    /// `kinds`: bits of the kinds of worker that can run the task.
    void push(std::uint32_t kinds, Task task)
    {
        lane_of(kinds).waiting.push_back({arrivals_++, std::move(task)});
        ++size_;
    }

    /// The task that has waited longest, or shortest, of those that a worker of this kind can run. `may_run(task)`:
    /// what the kind does not tell; it is rarely false.
    template <class MayRun>
    std::optional<Task> take_oldest(std::uint32_t kind, MayRun may_run)
    {
        return take(kind, may_run, true);
    }
    template <class MayRun>
    std::optional<Task> take_newest(std::uint32_t kind, MayRun may_run)
    {
        return take(kind, may_run, false);
    }

    std::size_t size() const noexcept { return size_; }

private:
    struct entry {
        std::uint64_t arrival;
        Task task;
    };
    struct lane {
        std::uint32_t kinds;
        std::deque<entry> waiting;
    };

    lane& lane_of(std::uint32_t kinds)
    {
        for (lane& l : lanes_)
            if (l.kinds == kinds) return l;
        return lanes_.emplace_back(lane{kinds, {}});
    }

    template <class MayRun>
    std::optional<Task> take(std::uint32_t kind, MayRun may_run, bool oldest)
    {
        lane* from = nullptr;
        std::size_t at = 0;
        const auto better = [&](const entry& e) {
            if (!from) return true;
            const std::uint64_t best = from->waiting[at].arrival;
            return oldest ? e.arrival < best : e.arrival > best;
        };
        for (lane& l : lanes_) {
            if (!(l.kinds & kind)) continue;
            const std::size_t n = l.waiting.size();
            for (std::size_t i = 0; i < n; ++i) {
                const std::size_t k = oldest ? i : n - 1 - i;
                if (!better(l.waiting[k])) break; // those behind it are worse
                if (!may_run(l.waiting[k].task)) continue;
                from = &l;
                at = k;
                break;
            }
        }
        if (!from) return {};
        Task taken = std::move(from->waiting[at].task);
        from->waiting.erase(from->waiting.begin() + static_cast<std::ptrdiff_t>(at));
        --size_;
        return taken;
    }

    std::vector<lane> lanes_;
    std::uint64_t arrivals_ = 0;
    std::size_t size_ = 0;
};

} // namespace skelrt::schedulers
