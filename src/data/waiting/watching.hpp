// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/data/managed.hpp"
#include "src/data/parts/part_table.hpp"
#include "src/runtime/running.hpp"

#include <mutex>

namespace skelrt::detail
{

/// While it lives, a container's tiles stay as they are, although this thread does not hold the lock.
class watching
{
public:
    watching(managed_state& m, access how) : watched_(m)
    {
        running& e = *running::current();
        {
            const auto lock = e.order.lock_when_unused([&] { return m.is_worked_on(how != access::read); });
            e.order.flush_locked(m.batch);
            if (m.parts) give_tiles_back(m);
            ++watched_.watched;
        }
        e.order.flush(); // this thread will wait for the tiles
    }
    ~watching()
    {
        const std::lock_guard lock(running::current()->order);
        --watched_.watched;
    }
    watching(const watching&) = delete;
    watching& operator=(const watching&) = delete;

private:
    managed_state& watched_;
};

} // namespace skelrt::detail
