// SPDX-License-Identifier: BSD-3-Clause
#include "src/runtime/cores/compute_right.hpp"

#include <utility>

namespace skelrt::detail
{

namespace
{
thread_local compute_right* of_this_thread = nullptr;
}

std::atomic<unsigned> compute_right::in_use{0};

compute_right* compute_right::current() noexcept { return of_this_thread; }
compute_right* compute_right::set(compute_right* right) noexcept { return std::exchange(of_this_thread, right); }

compute_right* compute_right::give_up() noexcept
{
    compute_right* const right = set(nullptr);
    if (right) right->sleeps();
    return right;
}

void compute_right::take_back(compute_right* right) noexcept
{
    if (!right) return;
    right->goes_on();
    set(right);
}

unsigned compute_right::others() noexcept
{
    const unsigned all = in_use.load(std::memory_order_relaxed);
    return current() && all > 0 ? all - 1 : all;
}

unsigned compute_right::cores_left(unsigned all) noexcept { return others() < all ? all - others() : 1; }

} // namespace skelrt::detail
