// SPDX-License-Identifier: BSD-3-Clause
#include "src/tasks/text/text_program.hpp"

#include "src/config.hpp"

#include <skelrt/error.hpp>

#include <fmt/format.h>

#include <cstring>
#include <utility>

namespace skelrt::detail
{

namespace
{

/// Of a library that was built without the language: tasks go to other devices.
class unknown_text final : public text_program
{
public:
    using text_program::text_program;
    void prepare(int) override { throw_not_built(*this, "the language of its text"); }
    void check(const std::string&) override { throw_not_built(*this, "the language of its text"); }
};

} // namespace

void throw_not_built(const text_program& p, const char* language)
{
    throw error(fmt::format("{}: this skelrt was built without {}", p.title, language));
}

std::shared_ptr<text_program> make_text_program([[maybe_unused]] const char* language, std::string text,
                                                std::string name, const caller& where)
{
#if SKELRT_HAVE_CUDA
    if (std::strcmp(language, "cuda") == 0) return make_cuda_text(std::move(text), std::move(name), where);
#endif
#if SKELRT_HAVE_OPENCL
    if (std::strcmp(language, "opencl") == 0) return make_opencl_text(std::move(text), std::move(name), where);
#endif
    return std::make_shared<unknown_text>(std::move(text), std::move(name), where);
}

void prepare_text(text_program& p, int number) { p.prepare(number); }
void check_text(text_program& p, const std::string& architecture) { p.check(architecture); }

#if !SKELRT_HAVE_CUDA
void launch_cuda_text(text_program& p, cuda_stream, std::size_t, const text_argument*, std::size_t)
{
    throw_not_built(p, "CUDA");
}
#endif
#if !SKELRT_HAVE_OPENCL
void launch_opencl_text(text_program& p, const opencl_queue&, std::size_t, const text_argument*, std::size_t)
{
    throw_not_built(p, "OpenCL");
}
#endif

} // namespace skelrt::detail
