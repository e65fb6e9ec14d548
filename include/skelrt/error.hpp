// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "detail/api.hpp"

#include <stdexcept>
#include <string>

namespace skelrt
{

/// Every error of the library. The message names the call, what was asked, the sizes, and the way out.
class SKELRT_API error : public std::runtime_error
{
public:
    using std::runtime_error::runtime_error;
    ~error() override;
};

/// A user function that a device's compiler refused; the message holds the compiler's own text with the user's file and
/// line.
class SKELRT_API function_error : public error
{
public:
    using error::error;
    ~function_error() override;
};

/// An index that asks for an element which is not there, in a user function or a host view: with SKELRT_CHECK=bounds.
/// The message names the function with its line, the index, the size, and the position for which the function was
/// called.
class SKELRT_API bounds_error : public error
{
public:
    using error::error;
    ~bounds_error() override;
};

} // namespace skelrt
