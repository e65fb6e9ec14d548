// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "api.hpp"

namespace skelrt::detail
{

/// Marks the calling thread as running user functions, for a task, inline, or for a value, while it lives: there, calls
/// of the library that might wait throw.
class SKELRT_API in_user_code
{
public:
    in_user_code() noexcept;
    ~in_user_code();
    in_user_code(const in_user_code&) = delete;
    in_user_code& operator=(const in_user_code&) = delete;

private:
    bool before_;
};

} // namespace skelrt::detail
