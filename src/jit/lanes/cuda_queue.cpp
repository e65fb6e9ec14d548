// SPDX-License-Identifier: BSD-3-Clause
#include "src/jit/lanes/cuda_queue.hpp"

#include "src/jit/current_device.hpp"
#include "src/jit/lanes/device_lanes.hpp"

#include <skelrt/error.hpp>

#include <array>
#include <atomic>
#include <cstddef>
#include <mutex>
#include <string>
#include <vector>

namespace skelrt::detail
{

namespace
{

std::atomic<std::size_t> wanted_lanes{1};

cudaStream_t stream_of(void* stream) { return static_cast<cudaStream_t>(stream); }

/// `device` is one that current_lanes() has seen.
device_lanes& lanes_of(int device) noexcept
{
    static auto& all = *new std::array<device_lanes, most_devices>; // never destroyed: points refer to them
    return all[static_cast<std::size_t>(device)];
}

device_lanes& current_lanes()
{
    const int device = device_now();
    if (device >= most_devices) throw error("CUDA: more than " + std::to_string(most_devices) + " devices");
    device_lanes& d = lanes_of(device);
    std::lock_guard lock(d.guard);
    d.start(wanted_lanes.load(std::memory_order_relaxed));
    return d;
}

} // namespace

void set_cuda_lanes(std::size_t lanes) noexcept { wanted_lanes.store(lanes, std::memory_order_relaxed); }

void* kernel_stream()
{
    device_lanes& d = current_lanes();
    std::lock_guard lock(d.guard);
    return d.stream_behind_all();
}

void follow_kernels(void* stream) noexcept
{
    // A device that fails here has failed before: StarPU finds out as soon as it asks for the task's end.
    int device = 0;
    if (cudaGetDevice(&device) != cudaSuccess) return;
    device_lanes& d = lanes_of(device);
    std::lock_guard lock(d.guard);
    if (d.has_started()) d.follow(stream_of(stream)); // else no kernel has run
}

std::shared_ptr<const running_work> leave_running(const char* what)
{
    device_lanes& d = current_lanes();
    std::lock_guard lock(d.guard);
    return d.leave(what);
}

entered_lane enter_lane(const lane_wish& w)
{
    device_lanes& d = current_lanes();
    std::lock_guard lock(d.guard);
    return d.enter(w);
}

left_lane leave_lane(const entered_lane& l, const lane_wish& w, const char* what, void* stream)
{
    device_lanes& d = current_lanes();
    std::lock_guard lock(d.guard);
    return d.leave_task(l, w, what, stream_of(stream));
}

void order_copy(int device, const memory_use& m, void* stream) noexcept
{
    device_lanes& d = lanes_of(device);
    std::lock_guard lock(d.guard);
    for (const shared_point& p : d.in_use(m)) p->go_before(stream_of(stream));
}

void wait_for_memory(int device, const memory_use& m) noexcept
{
    std::vector<shared_point> all;
    device_lanes& d = lanes_of(device);
    {
        std::lock_guard lock(d.guard);
        all = d.in_use(m);
    }
    for (const shared_point& p : all) p->wait();
}

void wait_for_running(int device) noexcept
{
    std::vector<shared_point> all;
    device_lanes& d = lanes_of(device);
    {
        std::lock_guard lock(d.guard);
        all = d.all_running();
    }
    for (const shared_point& p : all) p->wait();
}

void release_cuda_queues() noexcept
{
    for (int number = 0; number < most_devices; ++number) {
        device_lanes& d = lanes_of(number);
        std::lock_guard lock(d.guard);
        d.stop();
    }
}

} // namespace skelrt::detail
