// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../../block.hpp"
#include "../../error.hpp"
#include "../../runtime.hpp"
#include "../../view.hpp"
#include "../storage.hpp"
#include "items.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

/// What tasks hand to the library: the parts that they use, and a body that runs an implementation on them.
namespace skelrt
{

namespace detail
{

/// Of something that was started: what a task waits for.
class dependence
{
public:
    template <class Future>
        requires requires(const Future& f) { f.handle(); }
    dependence(const Future& f) : work(f.handle().work()) {} // NOLINT: futures are dependences
    std::shared_ptr<started_work> work;
};

} // namespace detail

/// How a task is to be done: sk::task({.name = "potrf", .priority = 3, .after = {ready}}, f, ...).
struct how {
    std::string name = {};                      ///< for messages and traces; empty: the kernel's
    int priority = 0;                           ///< higher ones first, among tasks that could begin
    std::vector<detail::dependence> after = {}; ///< futures that must have ended, well or not
    /// What models count: operations, say. 0: bytes of all parts.
    double work = 0;
    device_set on = device_set::all(); ///< kinds of device that may run it
};

namespace detail
{

enum class part_use : std::uint8_t { in, out, inout, commute, scratch, reduction };

/// A part as a task names it.
struct task_part {
    storage_ref data; ///< none: scratch, or a container of no elements
    placement place;  ///< scratch: one row
    part_use use = part_use::in;
    std::uint32_t element_size = 0;
    caller where{};
    /// reduction: adds a value to the total; what the private value begins as.
    void (*combine)(void* total, const void* value) = nullptr;
    const void* neutral = nullptr;
};

/// A part where the task runs.
struct part_memory {
    void* data = nullptr;   ///< OpenCL: a cl_mem
    std::size_t offset = 0; ///< OpenCL: bytes
    std::size_t rows = 0, cols = 0, ld = 0;
};

/// Where the task runs.
struct task_place {
    device kind = device::cpu;
    const part_memory* parts = nullptr;
    void *queue = nullptr, *context = nullptr, *id = nullptr; ///< CUDA: the stream; OpenCL: all three
};

/// An implementation with its values. Alive until the task has ended, and its result is wanted no more.
class SKELRT_API task_body
{
public:
    task_body() = default;
    virtual ~task_body();
    task_body(const task_body&) = delete;
    task_body& operator=(const task_body&) = delete;
    /// Before the first task on a device, by its number within its kind. Throws error if that cannot run it.
    virtual void prepare(device kind, int number) const = 0;
    /// Compiles text for an architecture of CUDA's, and no more: SKELRT_CHECK_CUDA. Throws function_error.
    virtual void check_for_cuda(const std::string& architecture) const = 0;
    /// On a worker; may throw. On GPUs it only enqueues.
    virtual void run(const task_place& here) = 0;
    /// Bytes of the result, for other ranks; nothing: it cannot go there.
    virtual std::optional<std::size_t> result_size() const noexcept = 0;
    /// Of a task that has ended, or never runs here: where the result lies, made now if it was not. Of what can go.
    virtual std::byte* result_place() = 0;
};

/// What the library keeps of an operation: its name, its models. Lives as long as the process.
class kernel_record;
/// Kernels of one name share their models: they are one operation.
SKELRT_API kernel_record& record_of_kernel(const std::string& name, device_set implementations);
/// Of a plain function, where its first task stands.
SKELRT_API kernel_record& record_of_function(const char* type, const caller& first);

struct task_request {
    kernel_record& what;
    const how& wishes;
    std::shared_ptr<task_body> body;
    std::span<const task_part> parts;
    std::span<const run_handle> futures; ///< whose values the body takes
    bool on_cores_only = false;          ///< it has pointers that nobody looks after
};

/// Submits it. Throws error if no device may run it, and for parts that cannot be used as asked.
SKELRT_API run_handle submit_task(const task_request& r);

/// Cuts a container that tasks will use in blocks of this size, before they do; nothing where no runtime lives.
SKELRT_API void cut_into_blocks(storage& s, std::size_t rows, std::size_t cols);

/// "x.cpp:12: sk::task: ..."
[[noreturn]] SKELRT_API void throw_gaps(std::size_t rows, std::size_t cols, std::size_t ld);
[[noreturn]] SKELRT_API void throw_no_element();

/// What an implementation gets of a part: it may take it as a block, as a span, or as its only element.
template <class T>
class part_ref : public block<T>
{
    using element = std::remove_const_t<T>;

public:
    using block<T>::block;
    operator std::span<T>() const { return all(); }
    operator std::span<const T>() const requires(!std::is_const_v<T>) { return all(); }
    operator T&() const
    {
        if (this->size() == 0) throw_no_element();
        return *this->data();
    }

private:
    std::span<T> all() const
    {
        if (this->rows() > 1 && this->ld() != this->cols()) throw_gaps(this->rows(), this->cols(), this->ld());
        return {this->data(), this->size()};
    }
};

} // namespace detail

} // namespace skelrt
