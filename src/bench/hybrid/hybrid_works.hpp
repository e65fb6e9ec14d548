// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/bench/shared/race/rival_team.hpp"

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

namespace bench
{

/// Data, and one step of work on it that can be made again and again.
class hybrid_work
{
public:
    virtual ~hybrid_work() = default;
    /// From now on all data is in the host's memory, and nowhere else.
    virtual void go_home() = 0;
    /// Asynchronous, on the devices that this thread may use.
    virtual void step() = 0;
    /// Until all steps are done.
    virtual void wait() = 0;
    /// The results of the last step, on the host; waits for them.
    virtual void read() = 0;
};

struct hybrid_kind {
    std::string_view name;
    bool bound_by_transfers;       ///< on data that is in the host's memory: a GPU has to wait for it
    std::size_t bytes_per_element; ///< of all containers
    double seconds_per_element;    ///< on one core, about: where it takes too long, a size is left out
    std::unique_ptr<hybrid_work> (*make)(std::size_t elements, rival_team& helpers);
};

std::span<const hybrid_kind> hybrid_kinds();

} // namespace bench
