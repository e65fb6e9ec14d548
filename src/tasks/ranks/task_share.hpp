// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/data/parts/dealt_part.hpp"

#include <skelrt/detail/items/task_call.hpp>

#include <optional>
#include <string>
#include <vector>

namespace skelrt::detail
{

/// Which rank runs a task, and where its parts lie: what it writes is its guide; without anything dealt out that it
/// writes, the first that it reads; without any, every rank runs it. All ranks come to the same answer.
///
/// Lifetime: the request outlives it.
class task_share
{
public:
    /// Throws error, on all ranks alike, for what no rank can run. `title`: the task's.
    task_share(const task_request& r, const std::string& title);

    static constexpr int everybody = -1;
    int runner() const noexcept { return runner_; }
    /// Of a part that is dealt out; none: every rank has it, or it is memory of the task's own.
    const std::optional<dealt_part>& place(std::size_t part) const noexcept { return places_[part]; }
    /// Whether every rank has it, and its runner alone writes it.
    bool is_shared_result(std::size_t part) const noexcept;

private:
    void find_runner();
    void check_views(const std::vector<rectangle>& where) const;
    void check_places() const;
    std::string text_of_part(std::size_t part) const;

    const task_request& request_;
    const std::string& title_;
    std::vector<std::optional<dealt_part>> places_;
    int runner_ = everybody;
};

} // namespace skelrt::detail
