// SPDX-License-Identifier: BSD-3-Clause
#include "src/tasks/checks/futures.hpp"

#include "src/tasks/task_end.hpp"

#include <skelrt/error.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace skelrt::detail
{

void check_futures(const task_request& r, const caller& where)
{
    const auto title = [&] { return task_title(r.what, r.wishes.name, where); };
    const auto is_of_nothing = [](const dependence& d) { return !d.work; };
    if (std::ranges::any_of(r.futures, [](const run_handle& f) { return !f.work(); }) ||
        std::ranges::any_of(r.wishes.after, is_of_nothing))
        throw error(fmt::format("{}: one of its futures is of nothing: made by its default constructor", title()));
    for (const run_handle& f : r.futures) {
        if (f.work()->is_spread())
            throw error(fmt::format("{}: one of its futures is of {}, whose results lie on several ranks until the "
                                    "program waits for it; call wait() before the task",
                                    title(), f.work()->title()));
    }
}

} // namespace skelrt::detail
