// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "schedulers/hint.hpp"
#include "src/data/managed.hpp"
#include "src/runtime/order/ended.hpp"
#include "src/runtime/starpu_task.hpp"
#include "src/tasks/kernel_record.hpp"
#include "src/tasks/task_end.hpp"

#include <skelrt/detail/items/task_call.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace skelrt::detail
{

class program;
struct kernel_span;

/// A part of a task, once it is known which buffer of StarPU's has it.
struct placed_part {
    static constexpr std::size_t none = ~std::size_t{0}; ///< of no elements
    static constexpr std::size_t host =
        ~std::size_t{0} - 1; ///< of several buffers: host memory, where all lie together
    std::size_t buffer = none;
    std::size_t row = 0, col = 0;           ///< behind the buffer's first element
    std::size_t rows = 0, cols = 0, ld = 0; ///< ld: in the host's memory
    std::size_t element_size = 0;
    std::byte* at_home = nullptr;
    bool is_out = false; ///< sk::out
};

/// The private value of a reduction and where it goes: a task of its own adds it, in the order of the tasks.
struct private_value {
    class task_record* owner;
    starpu_data_handle_t value = nullptr;
    placed_part total;
    void (*combine)(void* total, const void* value);
    const void* neutral;    ///< in the body
    std::size_t size, part; ///< part: number among the task's
};

/// A task from its submission to the end of the last of StarPU's tasks that it comes to.
///
/// Lifetime: counted, as submitted_call: one count for each of StarPU's tasks. When the last one lets it go it has
/// ended, and waits until a thread of the program clears it: workers free nothing. Its memory goes on to a later task.
/// Threads: built by the submitting thread under the order's lock; afterwards it belongs to the worker that runs it.
class task_record
{
public:
    /// The caller has the only hold.
    static task_record& make(kernel_record& k, std::shared_ptr<task_body> body, program& by);
    task_record(const task_record&) = delete;
    task_record& operator=(const task_record&) = delete;

    void hold() noexcept { holders_.fetch_add(1, std::memory_order_relaxed); }
    /// One of StarPU's tasks has ended; see task_end.
    void drop(std::shared_ptr<const running_work> left = nullptr) noexcept;
    /// The storage lives until the task is cleared, and counts as used so long if it is managed.
    void keep(const storage_ref& s);
    void use(managed_state& m);

    /// Throws what keeps it from running: it was cancelled, or what it reads or waits for has failed.
    void check_may_run();
    /// What is caught just now is the task's error: its future's, and of all who read what it was to write.
    void fail_here() noexcept;
    void fail(const std::exception_ptr& why) noexcept;

    kernel_record* what = nullptr;
    std::shared_ptr<task_body> body;
    program* by = nullptr;
    std::shared_ptr<task_end> end;
    std::uint64_t number = 0;
    double work = 0; ///< what its times are kept under
    task_size size;
    std::vector<placed_part> parts;
    std::vector<listed_handle> listed; ///< what StarPU's task lists, as it is put together
    std::vector<private_value> privates;
    std::vector<std::shared_ptr<started_work>> needs; ///< futures whose values it takes
    std::vector<fault_window> reads;
    std::vector<std::shared_ptr<fault_log>> writes;
    schedulers::placement_hint hint;
    std::vector<schedulers::worker_cost> costs;                                  ///< of each target that may run it
    std::vector<std::pair<std::shared_ptr<moved_tiles>, std::uint64_t>> movable; ///< notes of where results are
    std::shared_ptr<const running_work> left; ///< CUDA: its kernels, if it ends before them
    void* timer = nullptr;                    ///< CUDA: events around what it enqueues, if it ends with that
    std::uint64_t started_ns = 0;             ///< OpenCL: when it enqueued
    std::uint64_t traced_ns = 0;              ///< SKELRT_TRACE, CUDA: the same
    kernel_span* span = nullptr;              ///< SKELRT_TRACE, CUDA: around what it enqueues

private:
    task_record() = default;
    ~task_record() = default;
    void clear() noexcept;

    std::vector<storage_ref> kept_;
    std::vector<managed_state*> used_;
    std::atomic<unsigned> holders_{1};
    ended_link ended_{nullptr, this, [](void* r) noexcept { static_cast<task_record*>(r)->clear(); }};
};

} // namespace skelrt::detail
