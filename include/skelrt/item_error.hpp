// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "error.hpp"

#include <cstddef>
#include <exception>
#include <memory>
#include <string>
#include <vector>

namespace skelrt
{

/// What an item of a farm, a group or a pipeline threw, or a task. The message names the farm with its line, the item,
/// and what was thrown; std::rethrow_if_nested gives that itself. Of several it is the first in the order of the items.
class SKELRT_API item_error : public error, public std::nested_exception
{
public:
    /// Within a handler of what the first item threw.
    item_error(const std::string& message, std::vector<std::exception_ptr> all);
    ~item_error() override;

    /// How many items threw.
    std::size_t count() const noexcept { return all_->size(); }
    /// What they threw, in the order of the items.
    const std::vector<std::exception_ptr>& all() const noexcept { return *all_; }

private:
    std::shared_ptr<const std::vector<std::exception_ptr>> all_; // copies of exceptions must not throw
};

/// The result of something that was cancelled before it had begun all of its items.
class SKELRT_API cancelled : public error
{
public:
    using error::error;
    ~cancelled() override;
};

/// A task that did not run, because what it reads or waits for has failed. The message tells of that.
class SKELRT_API skipped : public error
{
public:
    using error::error;
    ~skipped() override;
};

} // namespace skelrt
