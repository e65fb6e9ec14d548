// SPDX-License-Identifier: BSD-3-Clause
#include "src/runtime/running.hpp"

#include "src/runtime/lookout/lookout.hpp"
#include "src/runtime/visit.hpp"

#include <fmt/format.h>
#include <starpu.h>

#include <string>
#include <utility>

namespace skelrt::detail
{

namespace
{

std::uint64_t last_number = 0; // one runtime starts at a time

} // namespace

std::vector<std::string> names_of_workers()
{
    std::vector<std::string> names;
    for (unsigned w = 0; w < starpu_worker_get_count(); ++w) {
        const int worker = static_cast<int>(w), number = starpu_worker_get_devid(worker);
        const starpu_worker_archtype type = starpu_worker_get_type(worker);
        const char* const kind = type == STARPU_CPU_WORKER ? "core" : type == STARPU_CUDA_WORKER ? "CUDA" : "OpenCL";
        names.push_back(fmt::format("{} {}", kind, number));
    }
    return names;
}

running::running(settings wanted_, submitted_calls& calls, knowledge& learnt_, peers* cluster_)
    : wanted(std::move(wanted_)), number(++last_number), order(calls), learnt(learnt_), cluster(cluster_),
      lookout_(wanted.tells_progress ? std::make_unique<lookout>() : nullptr), devices_(start_devices(wanted))
{
    if (lookout_) lookout_->devices_are_up(names_of_workers());
}

/// The first time StarPU measures the machine's links, which takes seconds.
std::unique_ptr<starpu_devices> running::start_devices(const settings& s)
{
    static const std::string name = "start of the devices";
    const doing now(deed::wait, &name);
    return std::make_unique<starpu_devices>(s);
}

void running::stop_devices() noexcept
{
    if (lookout_) lookout_->devices_are_up({});
    devices_.reset();
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
