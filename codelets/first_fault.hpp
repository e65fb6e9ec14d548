// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <exception>
#include <mutex>
#include <utility>

namespace skelrt::detail
{

/// The first of what threads throw. set() any thread; get() when they are done.
class first_fault
{
public:
    void set(std::exception_ptr what)
    {
        std::lock_guard lock(guard_);
        if (!what_) what_ = std::move(what);
    }
    std::exception_ptr get() const { return what_; }

private:
    std::mutex guard_;
    std::exception_ptr what_;
};

} // namespace skelrt::detail
