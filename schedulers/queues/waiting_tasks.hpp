// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <utility>

namespace skelrt::schedulers
{

/// Where a task stands among those that wait.
struct standing {
    bool aged; ///< it has waited for too long, and goes before all that have not
    int priority;
    double since_us;
};

/// Whether `a` goes first; of equal ones neither does.
inline bool goes_before(const standing& a, const standing& b) noexcept
{
    if (a.aged != b.aged) return a.aged;
    if (!a.aged && a.priority != b.priority) return a.priority > b.priority;
    return a.since_us < b.since_us;
}

/// Tasks that wait: the highest priority first, among equal ones as they came. So that nothing starves, the oldest of
/// all goes first when it has waited for 100 ms, whatever its priority; but once, and priorities count for the next 100
/// ms: a queue that is longer than that would lose them otherwise. Pure: knows no clock. No lock of its own. Taking
/// costs O(priorities) at most.
template <class Task>
class waiting_tasks
{
public:
    static constexpr double long_us = 100'000;

    void push(int priority, double now_us, Task task)
    {
        if (size_ == 0 && !by_priority_.contains(priority)) by_priority_.clear();
        by_priority_[priority].push_back({now_us, std::move(task)});
        ++size_;
    }

    std::size_t size() const noexcept { return size_; }

    /// Of the task that goes first.
    std::optional<standing> first(double now_us) const
    {
        if (size_ == 0) return {};
        const auto oldest = aged(now_us), lane = oldest == by_priority_.end() ? by_priority_.begin() : oldest;
        return standing{oldest != by_priority_.end(), lane->first, lane->second.front().since_us};
    }

    /// The first for which may_take(task).
    template <class MayTake>
    std::optional<Task> take_first(double now_us, MayTake may_take)
    {
        if (size_ == 0) return {};
        if (const auto lane = aged(now_us); lane != by_priority_.end() && may_take(lane->second.front().task)) {
            next_aged_us_ = now_us + long_us;
            return remove(lane, 0);
        }
        for (auto lane = by_priority_.begin(); lane != by_priority_.end(); ++lane)
            for (std::size_t i = 0; i < lane->second.size(); ++i)
                if (may_take(lane->second[i].task)) return remove(lane, i);
        return {};
    }

    /// The last for which wanted(task), among the last `most`.
    template <class Wanted>
    std::optional<Task> take_last(std::size_t most, Wanted wanted)
    {
        for (auto lane = by_priority_.end(); lane != by_priority_.begin();) {
            --lane;
            for (std::size_t i = lane->second.size(); i-- > 0; --most) {
                if (most == 0) return {};
                if (wanted(lane->second[i].task)) return remove(lane, i);
            }
        }
        return {};
    }

    /// The first for which is(task), among the first `most`, in the order of priorities; null: none. Valid until the
    /// next change.
    template <class Is>
    Task* find(std::size_t most, Is is)
    {
        for (auto& [priority, tasks] : by_priority_)
            for (entry& e : tasks) {
                if (most-- == 0) return nullptr;
                if (is(e.task)) return &e.task;
            }
        return nullptr;
    }

private:
    struct entry {
        double since_us;
        Task task;
    };
    using lanes = std::map<int, std::deque<entry>, std::greater<>>; ///< none is empty, but for the only one

    /// Where the oldest task is, if it goes first for its age alone; else the end.
    typename lanes::const_iterator aged(double now_us) const
    {
        if (by_priority_.size() < 2 || now_us < next_aged_us_) return by_priority_.end();
        const auto since = [](const auto& lane) { return lane.second.front().since_us; };
        const auto oldest = std::ranges::min_element(by_priority_, {}, since);
        const bool goes = oldest != by_priority_.begin() && now_us - since(*oldest) >= long_us;
        return goes ? oldest : by_priority_.end();
    }

    Task remove(typename lanes::const_iterator where, std::size_t i)
    {
        const auto lane = by_priority_.find(where->first);
        Task taken = std::move(lane->second[i].task);
        lane->second.erase(lane->second.begin() + static_cast<std::ptrdiff_t>(i));
        // An empty queue keeps its memory: most have one priority, and are filled again.
        if (lane->second.empty() && by_priority_.size() > 1) by_priority_.erase(lane);
        --size_;
        return taken;
    }

    lanes by_priority_;
    std::size_t size_ = 0;
    double next_aged_us_ = 0;
};

} // namespace skelrt::schedulers
