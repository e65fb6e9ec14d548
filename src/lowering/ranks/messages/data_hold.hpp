// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/data/managed_state.hpp"

#include <atomic>
#include <memory>
#include <vector>

namespace skelrt::detail
{

/// Data that stays until messages and copies of no call are done with it; calls that look whether it is idle find that
/// it is not. Made under the order's lock; goes on any thread.
class data_hold
{
public:
    data_hold() = default;
    ~data_hold();
    data_hold(const data_hold&) = delete;
    data_hold& operator=(const data_hold&) = delete;

    void add(managed_state& m);

private:
    struct use {
        std::shared_ptr<std::atomic<long>> users;
        storage* data;
    };
    std::vector<use> uses_;
};

/// Holds it until all that was submitted so far on its one tile is done. Nothing waits.
void hold_until_idle(managed_state& m);

} // namespace skelrt::detail
