// SPDX-License-Identifier: BSD-3-Clause
#include "src/runtime/running.hpp"

#include "src/runtime/visit.hpp"

#include <starpu.h>

#include <utility>

namespace skelrt::detail
{

namespace
{

std::uint64_t last_number = 0; // one runtime starts at a time

} // namespace

running::running(settings wanted_, submitted_calls& calls, knowledge& learnt_, peers* cluster_)
    : wanted(std::move(wanted_)), number(++last_number), order(calls), learnt(learnt_), cluster(cluster_),
      devices_(std::make_unique<starpu_devices>(wanted))
{
}

running::~running()
{
    stop_devices();
    life::ending.store(false, std::memory_order_release);
}

void running::open() noexcept
{
    prepare_visits();
    life::current.store(this, std::memory_order_release);
    life::for_visitors.store(this, std::memory_order_release);
}

void running::close_to_visitors() noexcept
{
    life::ending.store(true, std::memory_order_release);
    life::for_visitors.store(nullptr, std::memory_order_release);
    starpu_resume(); // a paused StarPU would never finish
    wait_for_visitors();
}

void running::hide() noexcept { life::current.store(nullptr, std::memory_order_release); }

} // namespace skelrt::detail
