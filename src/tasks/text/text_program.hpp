// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/program/place_text.hpp"

#include <skelrt/kernel_text.hpp>

#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace skelrt::detail
{

/// A kernel that is text of a device's own language. Built once a device, and never unloaded.
/// Thread-safe.
class text_program
{
public:
    text_program(std::string text_, std::string name_, const caller& where)
        : text(std::move(text_)), name(std::move(name_)), title(place_text(where) + name)
    {
    }
    virtual ~text_program() = default;
    text_program(const text_program&) = delete;
    text_program& operator=(const text_program&) = delete;

    /// Throws function_error.
    virtual void prepare(int number) = 0;
    /// Of CUDA's text: for an architecture, and not loaded. Throws function_error.
    virtual void check([[maybe_unused]] const std::string& architecture) {}

    const std::string text, name, title;
};

std::shared_ptr<text_program> make_cuda_text(std::string text, std::string name, const caller& where);
std::shared_ptr<text_program> make_opencl_text(std::string text, std::string name, const caller& where);

/// Of a build without that language.
[[noreturn]] void throw_not_built(const text_program& p, const char* language);

} // namespace skelrt::detail
