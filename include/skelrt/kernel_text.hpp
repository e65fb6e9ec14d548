// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "block.hpp"
#include "detail/api.hpp"
#include "detail/caller.hpp"

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <type_traits>

/// Implementations of an sk::kernel as text of the device's own language, built on first use and kept on disk.
namespace skelrt
{

namespace detail
{

class text_program;

/// One argument of a kernel.
struct text_argument {
    const void* value;
    std::size_t size;
};

/// `language`: "cuda" or "opencl", which this library knows or not.
SKELRT_API std::shared_ptr<text_program> make_text_program(const char* language, std::string text, std::string name,
                                                           const caller& where);
/// Builds it for a device, by its number within its kind. Throws function_error with the compiler's words.
SKELRT_API void prepare_text(text_program& p, int number);
/// Compiles CUDA's text for an architecture, and no more. Throws function_error.
SKELRT_API void check_text(text_program& p, const std::string& architecture);
/// Enqueues so many threads of it.
SKELRT_API void launch_cuda_text(text_program& p, cuda_stream stream, std::size_t threads,
                                 const text_argument* arguments, std::size_t count);
SKELRT_API void launch_opencl_text(text_program& p, const opencl_queue& queue, std::size_t threads,
                                   const text_argument* arguments, std::size_t count);

template <class T>
T type_of_part(const volatile block<T>&);
template <class T>
T type_of_part(const volatile cl_block<T>&);
template <class A>
concept is_block = requires(const A& a)
{
    type_of_part(a);
};

/// The arguments of a text kernel: of a part where it begins, its rows, columns and ld; values as they are.
template <std::size_t Parts, std::size_t Values>
class text_arguments
{
public:
    template <class T>
    void add(const block<T>& b)
    {
        pointers_[next_pointer_] = const_cast<std::remove_const_t<T>*>(b.data());
        all_[count_++] = {&pointers_[next_pointer_++], sizeof(void*)};
        add_shape(b);
        note(b, std::is_const_v<T>);
    }
    template <class T>
    void add(const cl_block<T>& b)
    {
        pointers_[next_pointer_] = b.memory();
        all_[count_++] = {&pointers_[next_pointer_++], sizeof(void*)};
        add_number(b.offset());
        add_shape(b);
        note(b, std::is_const_v<T>);
    }
    template <class V>
        requires(!is_block<V>)
    void add(const V& value)
    {
        static_assert(std::is_trivially_copyable_v<V>, "skelrt: a kernel's values are trivially copyable");
        all_[count_++] = {&value, sizeof value};
    }

    /// Elements of the first part that is written; if none is, of the first.
    std::size_t threads() const noexcept { return threads_; }
    const text_argument* data() const noexcept { return all_.data(); }
    std::size_t count() const noexcept { return count_; }

private:
    template <class Block>
    void add_shape(const Block& b)
    {
        for (const std::size_t n : {b.rows(), b.cols(), b.ld()}) add_number(n);
    }
    void add_number(std::size_t n)
    {
        numbers_[next_number_] = n;
        all_[count_++] = {&numbers_[next_number_++], sizeof n};
    }
    template <class Block>
    void note(const Block& b, bool read_only)
    {
        if (!any_ || (!written_ && !read_only)) threads_ = b.size();
        any_ = true;
        written_ = written_ || !read_only;
    }

    std::array<void*, Parts + 1> pointers_{};
    std::array<std::size_t, 4 * Parts + 1> numbers_{};
    std::array<text_argument, 5 * Parts + Values + 1> all_{};
    std::size_t count_ = 0, next_pointer_ = 0, next_number_ = 0, threads_ = 0;
    bool any_ = false, written_ = false;
};

/// launch(threads, arguments, how many), if there is anything to do.
template <class Launch, class... Arguments>
void launch_text(const Launch& launch, const Arguments&... arguments)
{
    constexpr std::size_t parts = (std::size_t{0} + ... + (is_block<Arguments> ? 1 : 0));
    text_arguments<parts, sizeof...(Arguments) - parts> all;
    (all.add(arguments), ...);
    if (all.threads() > 0) launch(all.threads(), all.data(), all.count());
}

} // namespace detail

/// A kernel as CUDA C++ text, for sk::on_cuda. `name` is an extern "C" __global__ function. For each part it takes four
/// arguments: a pointer, rows, columns and ld (unsigned long long, elements); then the values, in the order of the
/// task's operands. It runs with one thread, rounded up to whole blocks, for each element of the first part that the
/// task writes: blockIdx.x * blockDim.x + threadIdx.x counts them.
///
///     sk::on_cuda(sk::cuda_text(R"(extern "C" __global__ void scale(float* x, unsigned long long rows,
///         unsigned long long cols, unsigned long long ld, float f) { ... })", "scale"))
///
/// Errors: what the compiler says reaches the caller of sk::task, as function_error.
class cuda_text
{
public:
    cuda_text(std::string text, std::string name, detail::caller where = detail::caller::here())
        : program_(detail::make_text_program("cuda", std::move(text), std::move(name), where))
    {
    }
    template <class... Arguments>
    void operator()(cuda_stream stream, const Arguments&... arguments) const
    {
        detail::launch_text([&](auto... all) { detail::launch_cuda_text(*program_, stream, all...); }, arguments...);
    }
    void prepare(int number) const { detail::prepare_text(*program_, number); }
    void check_for_cuda(const std::string& architecture) const { detail::check_text(*program_, architecture); }

private:
    std::shared_ptr<detail::text_program> program_;
};

/// The same as OpenCL C text, for sk::on_opencl. `name` is a __kernel function. For each part it takes five arguments:
/// a __global pointer, the offset of the part's first element behind it, rows, columns and ld (ulong, elements).
/// get_global_id(0) counts the elements; there are some more, for threads come in groups of 64.
class opencl_text
{
public:
    opencl_text(std::string text, std::string name, detail::caller where = detail::caller::here())
        : program_(detail::make_text_program("opencl", std::move(text), std::move(name), where))
    {
    }
    template <class... Arguments>
    void operator()(opencl_queue queue, const Arguments&... arguments) const
    {
        detail::launch_text([&](auto... all) { detail::launch_opencl_text(*program_, queue, all...); }, arguments...);
    }
    void prepare(int number) const { detail::prepare_text(*program_, number); }

private:
    std::shared_ptr<detail::text_program> program_;
};

} // namespace skelrt
