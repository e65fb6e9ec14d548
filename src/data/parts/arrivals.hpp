// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <starpu.h>

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <span>

namespace skelrt::detail
{

/// Data that StarPU was asked for, and that comes when its last users are done. All is asked for at once, in the order
/// of submission: each piece travels as soon as it can, and what is submitted later goes behind.
///
/// Lifetime: of the thread that waits, which calls wait() before it ends.
class arrivals
{
public:
    /// What has come is held until somebody releases it, on that node.
    void ask(std::span<const starpu_data_handle_t> handles, int node, starpu_data_access_mode how);
    /// Until all is there.
    void wait() noexcept;

private:
    static void one_arrived(void* all) noexcept;

    std::mutex guard_;
    std::condition_variable done_;
    std::size_t missing_ = 0;
};

} // namespace skelrt::detail
