// SPDX-License-Identifier: BSD-3-Clause
#include "src/jit/nvrtc.hpp"
#include "src/tasks/text/text_program.hpp"

#include <skelrt/error.hpp>

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <utility>
#include <vector>

namespace skelrt::detail
{

namespace
{

class cuda_text_program final : public text_program
{
public:
    using text_program::text_program;
    void prepare(int number) override { static_cast<void>(kernel(number)); }
    void check(const std::string& architecture) override
    {
        const std::lock_guard lock(guard_);
        if (checked_) return;
        static_cast<void>(compile_cuda(text, architecture, title));
        checked_ = true;
    }

    const void* kernel(int number)
    {
        const std::lock_guard lock(guard_);
        const auto known = by_device_.find(number);
        if (known != by_device_.end()) return known->second;
        const void* const built = load_kernel(compile_cuda(text, cuda_arch(number), title), name.c_str());
        return by_device_[number] = built;
    }

private:
    std::mutex guard_;
    std::map<int, const void*> by_device_;
    bool checked_ = false; ///< well
};

} // namespace

std::shared_ptr<text_program> make_cuda_text(std::string text, std::string name, const caller& where)
{
    return std::make_shared<cuda_text_program>(std::move(text), std::move(name), where);
}

void launch_cuda_text(text_program& p, cuda_stream stream, std::size_t threads, const text_argument* arguments,
                      std::size_t count)
{
    constexpr unsigned block = 256;
    int number = 0;
    cudaGetDevice(&number);
    std::vector<void*> values(count);
    for (std::size_t i = 0; i < count; ++i) values[i] = const_cast<void*>(arguments[i].value);
    const auto blocks = static_cast<unsigned>((threads + block - 1) / block);
    const cudaError_t result = cudaLaunchKernel(static_cast<cuda_text_program&>(p).kernel(number), dim3{blocks, 1, 1},
                                                dim3{block, 1, 1}, values.data(), 0, stream);
    if (result != cudaSuccess) throw error(fmt::format("{}: CUDA: {}", p.title, cudaGetErrorString(result)));
}

} // namespace skelrt::detail
