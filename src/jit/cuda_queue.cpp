#include "src/jit/cuda_queue.hpp"

#include <skelrt/error.hpp>

#include <cuda_runtime_api.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace skelrt::detail
{

namespace
{

constexpr int most_devices = 64;
constexpr std::size_t most_running = 16; ///< tasks whose kernels were left running: enough to keep a GPU busy

void check(cudaError_t result, const char* what)
{
    if (result != cudaSuccess) throw error(std::string("CUDA: ") + what + ": " + cudaGetErrorString(result));
}

/// Events that nobody waits for any more; making one takes some microseconds.
class event_pool
{
public:
    cudaEvent_t take()
    {
        {
            std::lock_guard lock(guard_);
            if (!idle_.empty()) {
                cudaEvent_t e = idle_.back();
                idle_.pop_back();
                return e;
            }
        }
        cudaEvent_t e = nullptr;
        check(cudaEventCreateWithFlags(&e, cudaEventDisableTiming), "no event");
        return e;
    }
    void give_back(cudaEvent_t e) noexcept
    {
        std::lock_guard lock(guard_);
        try {
            idle_.push_back(e);
        } catch (const std::bad_alloc&) {
            cudaEventDestroy(e);
        }
    }

private:
    std::mutex guard_;
    std::vector<cudaEvent_t> idle_;
};

/// The point in a stream that follows the kernels of a task.
class stream_point : public running_work
{
public:
    stream_point(event_pool& pool, cudaStream_t stream, const char* what)
        : pool_(pool), event_(pool.take()), what_(what)
    {
        const cudaError_t result = cudaEventRecord(event_, stream);
        if (result == cudaSuccess) return;
        pool.give_back(event_);
        check(result, "no event after a kernel");
    }
    stream_point(const stream_point&) = delete;
    stream_point& operator=(const stream_point&) = delete;
    ~stream_point() override { pool_.give_back(event_); }

    bool done() const noexcept override { return ended_with(cudaEventQuery(event_)); }
    void wait() const noexcept override { ended_with(cudaEventSynchronize(event_)); }
    std::exception_ptr fault() const noexcept override
    {
        const cudaError_t result = result_.load(std::memory_order_acquire);
        if (result == cudaSuccess) return nullptr;
        try {
            throw error(std::string(what_) +
                        ": its kernels, or others on the same CUDA device, failed: " + cudaGetErrorString(result));
        } catch (...) {
            return std::current_exception();
        }
    }
    cudaEvent_t event() const noexcept { return event_; }

private:
    /// An error ends the work, too, but it is no success.
    bool ended_with(cudaError_t result) const noexcept
    {
        if (result == cudaErrorNotReady) return false;
        if (result != cudaSuccess) result_.store(result, std::memory_order_release);
        return true;
    }

    event_pool& pool_;
    cudaEvent_t event_;
    const char* what_;
    mutable std::atomic<cudaError_t> result_{cudaSuccess};
};

/// What is known of one device. Guarded by its lock, but for the events.
struct queue {
    std::mutex guard;
    cudaStream_t stream = nullptr;
    cudaEvent_t kernels = nullptr; ///< recorded and waited for at once
    std::array<std::shared_ptr<const stream_point>, most_running> running;
    std::size_t next = 0; ///< in `running`, where the oldest is
    event_pool events;    ///< used by points that outlive the stream

    const std::shared_ptr<const stream_point>& newest() const
    {
        return running[(next + most_running - 1) % most_running];
    }
};

/// `device` is one that current_queue() has seen.
queue& queue_of(int device) noexcept
{
    static auto& all = *new std::array<queue, most_devices>; // never destroyed: points refer to them
    return all[static_cast<std::size_t>(device)];
}

queue& current_queue()
{
    int device = 0;
    check(cudaGetDevice(&device), "no current device");
    if (device >= most_devices) throw error("CUDA: more than " + std::to_string(most_devices) + " devices");
    queue& q = queue_of(device);
    std::lock_guard lock(q.guard);
    if (!q.stream) {
        check(cudaStreamCreate(&q.stream), "no stream");
        check(cudaEventCreateWithFlags(&q.kernels, cudaEventDisableTiming), "no event");
    }
    return q;
}

cudaStream_t stream_of(void* stream) { return static_cast<cudaStream_t>(stream); }

} // namespace

void* kernel_stream() { return current_queue().stream; }

void follow_kernels(void* stream) noexcept
{
    // A device that fails here has failed before: StarPU finds out as soon as it asks for the task's end.
    int device = 0;
    if (cudaGetDevice(&device) != cudaSuccess) return;
    queue& q = queue_of(device);
    std::lock_guard lock(q.guard);
    if (!q.stream) return; // no kernel has run
    cudaEventRecord(q.kernels, q.stream);
    cudaStreamWaitEvent(stream_of(stream), q.kernels, 0);
}

std::shared_ptr<const running_work> leave_running(const char* what)
{
    queue& q = current_queue();
    std::lock_guard lock(q.guard);
    auto& oldest = q.running[q.next];
    if (oldest && !oldest->done()) return nullptr;
    oldest = std::make_shared<const stream_point>(q.events, q.stream, what);
    std::shared_ptr<const running_work> mine = oldest;
    q.next = (q.next + 1) % most_running;
    return mine;
}

void order_copy(int device, void* stream) noexcept
{
    queue& q = queue_of(device);
    std::lock_guard lock(q.guard);
    const auto& last = q.newest();
    if (last && !last->done()) cudaStreamWaitEvent(stream_of(stream), last->event(), 0);
}

void wait_for_running(int device) noexcept
{
    std::shared_ptr<const stream_point> last;
    queue& q = queue_of(device);
    {
        std::lock_guard lock(q.guard);
        last = q.newest();
    }
    if (last) last->wait();
}

void release_cuda_queues() noexcept
{
    for (int d = 0; d < most_devices; ++d) {
        queue& q = queue_of(d);
        std::lock_guard lock(q.guard);
        if (!q.stream) continue;
        cudaStreamSynchronize(q.stream);
        q.running = {};
        cudaStreamDestroy(std::exchange(q.stream, nullptr));
        cudaEventDestroy(std::exchange(q.kernels, nullptr));
    }
}

} // namespace skelrt::detail
