// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/data/managed.hpp"
#include "src/lowering/ranks/messages/data_hold.hpp"
#include "src/lowering/run/submitted_call.hpp"

#include <starpu.h>

#include <memory>

namespace skelrt::detail
{

class engine;

/// A task of no call that gathers elements from several handles in one. Made, given its sources and submitted under the
/// order's lock; it goes with its task, and holds the data that it uses until then.
class element_copy
{
public:
    element_copy(starpu_data_handle_t to, std::size_t element_size);
    element_copy(const element_copy&) = delete;
    element_copy& operator=(const element_copy&) = delete;

    /// The next elements of the copy. Of data, it may lie in several tiles.
    void add(managed_state& from, std::size_t first, std::size_t count);
    void add(starpu_data_handle_t from, std::size_t first, std::size_t count);
    /// The data stays until the copy is done, and calls that look whether it is idle find that it is not.
    void hold(managed_state& m) { held_.add(m); }
    /// On a device that has most of it. Returns where the copy is then.
    static node_mask submit(engine& e, std::unique_ptr<element_copy> copy, int priority = 0);

private:
    static void is_done(void* copy) noexcept;

    halo what_;
    node_mask valid_ = ~node_mask{0}; ///< nodes that have all sources, as far as is known
    data_hold held_;
};

} // namespace skelrt::detail
