// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <exception>
#include <memory>

/// Errors of calls lie with the data that the calls should have written, until somebody who waits for it is told. One
/// that nobody was told of is logged when the last data that has it goes.
namespace skelrt::detail
{

/// One error, however many containers have it. Thread-safe.
class unread_error;
struct log_if_unread {
    void operator()(unread_error* e) const noexcept;
};
using noted_error = std::shared_ptr<unread_error>;

/// The same for the same exception as long as anybody holds it. Throws std::bad_alloc.
noted_error note_error(const std::exception_ptr& what);
const std::exception_ptr& exception_of(const noted_error& e) noexcept;

/// Somebody was told of it in another way.
void note_read(const std::exception_ptr& what) noexcept;
/// For who waits: throws it, and it counts as read.
[[noreturn]] void throw_noted(const std::exception_ptr& what);
[[noreturn]] void throw_noted(const noted_error& e);

} // namespace skelrt::detail
