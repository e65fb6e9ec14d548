// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "detail/items/items.hpp"
#include "item_error.hpp"

#include <exception>
#include <memory>
#include <string>
#include <utility>
#include <variant>

namespace skelrt
{

/// The result of what was started: of a farm, of an item of a group, of a task. Shared and cheap to copy; dropping it
/// waits for nothing. What went wrong and nobody asked for is a warning in the log.
///
/// Thread safety: any thread may call anything. A wait inside a user function or a task throws error: nothing may wait
/// there.
template <class R>
class future
{
public:
    using value_type = R;

    future() = default; ///< of nothing
    future(detail::run_handle run, std::shared_ptr<detail::run_result<R>> result)
        : run_(std::move(run)), result_(std::move(result))
    {
    }

    /// Until it has ended. The calling thread helps with items that have not begun.
    void wait() const { run_.wait(); }
    /// Whether it has ended.
    bool done() const noexcept { return run_.done(); }
    /// Waits. Throws item_error if an item threw, sk::cancelled if not all of them began. Of a task over several ranks
    /// all call it, and get what the rank that ran it has.
    const R& get() const&
    {
        run_.join();
        run_.check();
        return result_->result();
    }
    /// The same, and gives the result away: for the only holder of the future.
    R get() &&
    {
        run_.join();
        run_.check();
        return std::move(result_->result());
    }
    /// What has not begun never does, and ends as sk::cancelled; what runs sees its std::stop_token. Farms and groups
    /// that its items started are cancelled with it.
    void cancel() const noexcept { run_.cancel(); }
    /// What get() would throw; null while it runs, and if all went well.
    std::exception_ptr error() const { return run_.error(); }
    std::string name() const { return run_.name(); }

    /// For the library.
    const detail::run_handle& handle() const noexcept { return run_; }
    const std::shared_ptr<detail::run_result<R>>& place() const noexcept { return result_; }

private:
    detail::run_handle run_;
    std::shared_ptr<detail::run_result<R>> result_;
};

} // namespace skelrt
