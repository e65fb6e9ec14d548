// SPDX-License-Identifier: BSD-3-Clause
#include "src/jit/timing/kernel_span.hpp"
#include "src/jit/current_device.hpp"

#include "src/trace/timeline.hpp"

#include <cuda_runtime.h>

#include <algorithm>
#include <array>
#include <deque>
#include <memory>
#include <mutex>
#include <utility>

namespace skelrt::detail
{

/// A moment on both clocks. Times of events behind it are exact to some microseconds for as long as it is young: CUDA
/// tells them as floats.
struct common_moment {
    cudaEvent_t event = nullptr;
    std::uint64_t host_ns = 0;
    common_moment() = default;
    common_moment(const common_moment&) = delete;
    common_moment& operator=(const common_moment&) = delete;
    ~common_moment()
    {
        if (event) cudaEventDestroy(event);
    }
};

namespace
{

/// Of a device. Its stream has nothing else, so that an event there is over at once.
struct device_clock {
    cudaStream_t stream = nullptr;
    std::shared_ptr<const common_moment> newest;
};

constexpr std::uint64_t young_ns = 1'000'000'000;

} // namespace

struct kernel_span {
    cudaEvent_t begin = nullptr, end = nullptr;
    std::shared_ptr<const common_moment> from;
    std::vector<spanned_record> records;
};

namespace
{

/// Never destroyed: threads may record while the process ends.
struct all_spans {
    std::mutex guard;
    std::array<device_clock, most_devices> clocks;
    std::vector<kernel_span*> idle; ///< making events takes some microseconds
    std::deque<kernel_span*> under_way;
};
all_spans& spans()
{
    static auto& all = *new all_spans;
    return all;
}

/// Of some tries the one that the host was least kept from.
std::shared_ptr<const common_moment> look_at_both_clocks(cudaStream_t stream)
{
    std::shared_ptr<const common_moment> best;
    std::uint64_t least_ns = ~std::uint64_t{0};
    for (int i = 0; i < 3; ++i) {
        auto m = std::make_shared<common_moment>();
        if (cudaEventCreate(&m->event) != cudaSuccess) return best;
        const std::uint64_t before = trace_now_ns();
        if (cudaEventRecord(m->event, stream) != cudaSuccess || cudaEventSynchronize(m->event) != cudaSuccess)
            return best;
        const std::uint64_t took = trace_now_ns() - before;
        m->host_ns = before + took / 2;
        if (took < least_ns) {
            least_ns = took;
            best = std::move(m);
        }
    }
    return best;
}

/// Of the calling thread's device; null: there is none.
std::shared_ptr<const common_moment> moment_now(all_spans& all)
{
    int device = 0;
    if (cudaGetDevice(&device) != cudaSuccess || device >= most_devices) return nullptr;
    device_clock& c = all.clocks[static_cast<std::size_t>(device)];
    if (c.newest && trace_now_ns() - c.newest->host_ns < young_ns) return c.newest;
    if (!c.stream && cudaStreamCreateWithFlags(&c.stream, cudaStreamNonBlocking) != cudaSuccess) return nullptr;
    if (auto m = look_at_both_clocks(c.stream)) c.newest = std::move(m);
    return c.newest;
}

kernel_span* take_idle(all_spans& all)
{
    if (all.idle.empty()) {
        auto s = std::make_unique<kernel_span>();
        if (cudaEventCreate(&s->begin) != cudaSuccess) return nullptr;
        if (cudaEventCreate(&s->end) != cudaSuccess) {
            cudaEventDestroy(s->begin);
            return nullptr;
        }
        return s.release();
    }
    kernel_span* const s = all.idle.back();
    all.idle.pop_back();
    return s;
}

/// 0: the device does not tell.
std::uint64_t host_ns(const kernel_span& s, cudaEvent_t e)
{
    float ms = 0;
    if (cudaEventElapsedTime(&ms, s.from->event, e) != cudaSuccess) return 0;
    return s.from->host_ns + static_cast<std::uint64_t>(std::max(0.0, static_cast<double>(ms) * 1e6));
}

/// With their times; without one they began when they were handed over, and nobody knows when they ended.
void write_records(const kernel_span& s)
{
    const std::uint64_t begin = host_ns(s, s.begin), end = host_ns(s, s.end);
    const bool known = begin > 0 && end >= begin;
    double from = 0;
    for (spanned_record r : s.records) {
        const double to = from + r.part, all = static_cast<double>(end - begin);
        if (known) {
            r.what.begin_ns = begin + static_cast<std::uint64_t>(from * all);
            r.what.end_ns = begin + static_cast<std::uint64_t>(to * all);
        }
        r.what.ends_unknown = !known;
        record(r.what);
        from = to;
    }
}

/// `waits`: for all of them.
void write_ended(all_spans& all, bool waits)
{
    while (!all.under_way.empty()) {
        kernel_span* const s = all.under_way.front();
        if (waits) cudaEventSynchronize(s->end);
        else if (cudaEventQuery(s->end) == cudaErrorNotReady) return;
        all.under_way.pop_front();
        if (tracing()) write_records(*s);
        s->records.clear();
        s->from.reset();
        all.idle.push_back(s);
    }
}

} // namespace

kernel_span* begin_kernel_span(void* stream) noexcept
{
    if (!tracing()) return nullptr;
    try {
        all_spans& all = spans();
        const std::lock_guard lock(all.guard);
        auto from = moment_now(all);
        kernel_span* const s = from ? take_idle(all) : nullptr;
        if (!s) return nullptr;
        s->from = std::move(from);
        cudaEventRecord(s->begin, static_cast<cudaStream_t>(stream));
        return s;
    } catch (...) { // without memory nobody knows
        return nullptr;
    }
}

void end_kernel_span(kernel_span* s, void* stream) noexcept
{
    if (s) cudaEventRecord(s->end, static_cast<cudaStream_t>(stream));
}

void record_kernels(kernel_span* s, std::vector<spanned_record> records) noexcept
{
    all_spans& all = spans();
    const std::lock_guard lock(all.guard);
    try {
        s->records = std::move(records);
        all.under_way.push_back(s);
        write_ended(all, false);
    } catch (...) { // without memory they are lost
    }
}

void finish_kernel_spans() noexcept
{
    all_spans& all = spans();
    const std::lock_guard lock(all.guard);
    try {
        write_ended(all, true);
    } catch (...) {
    }
    for (device_clock& c : all.clocks) {
        if (c.stream) cudaStreamDestroy(c.stream);
        c = {};
    }
}

} // namespace skelrt::detail
