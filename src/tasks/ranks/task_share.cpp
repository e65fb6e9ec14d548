// SPDX-License-Identifier: BSD-3-Clause
#include "src/tasks/ranks/task_share.hpp"

#include "src/data/parts/open_parts.hpp"
#include "src/tasks/place_parts.hpp"

#include <skelrt/error.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace skelrt::detail
{

namespace
{

bool has_elements(const task_part& p) { return p.data && p.place.rows * p.place.cols > 0; }

std::string text_of_ranks(const std::vector<unsigned>& ranks)
{
    constexpr std::size_t most = 8;
    std::string text;
    for (std::size_t k = 0; k < std::min(ranks.size(), most); ++k)
        text += fmt::format("{}{}", k == 0 ? "" : k + 1 == ranks.size() ? " and " : ", ", ranks[k]);
    return ranks.size() > most ? text + " and others" : text;
}

} // namespace

task_share::task_share(const task_request& r, const std::string& title) : request_(r), title_(title)
{
    std::vector<rectangle> where;
    for (const task_part& p : r.parts) {
        where.push_back(p.data ? rectangle_among(whole_of(*p.data), p) : rectangle{});
        places_.emplace_back();
        if (p.data && p.data->dealt && where.back().size() > 0)
            places_.back() = find_part(*p.data->dealt, where.back());
    }
    check_shared_elements(r.parts, where);
    check_views(where);
    check_places();
    find_runner();
}

bool task_share::is_shared_result(std::size_t part) const noexcept
{
    const task_part& p = request_.parts[part];
    return runner_ != everybody && writes(p.use) && has_elements(p) && !p.data->dealt;
}

std::string task_share::text_of_part(std::size_t part) const
{
    const task_part& p = request_.parts[part];
    const rectangle& w = places_[part]->whole;
    return fmt::format("part {} ({} x {} at ({}, {}) of a container of {} x {})", part + 1, w.rows, w.cols, w.row,
                       w.col, p.data->shape_rows, p.data->shape_cols);
}

/// Views are open on all ranks.
void task_share::check_views(const std::vector<rectangle>& where) const
{
    for (std::size_t k = 0; k < where.size(); ++k) {
        const task_part& p = request_.parts[k];
        if (!has_elements(p)) continue;
        const rectangle used = where[k].size() > 0 ? where[k] : whole_of(*p.data);
        if (is_viewed_anywhere(*p.data, used, writes(p.use)))
            throw error(fmt::format("{}: a host view of one of its containers ({} x {} elements) is open; let it go "
                                    "out of scope before the task",
                                    title_, p.data->shape_rows, p.data->shape_cols));
    }
}

void task_share::check_places() const
{
    for (std::size_t k = 0; k < places_.size(); ++k)
        if (places_[k] && !places_[k]->lies_with_one_rank())
            throw error(fmt::format(
                "{}: its {} lies with ranks {}, and one rank runs a task; use parts that end where the ranks' do, or "
                "deal the container out as the tasks cut it: sk::distribute(x, "
                "sk::distribution::grid().cyclic(rows, cols))",
                title_, text_of_part(k), text_of_ranks(places_[k]->owners)));
}

void task_share::find_runner()
{
    std::optional<std::size_t> guide;
    for (std::size_t k = 0; k < places_.size(); ++k) {
        if (!places_[k] || !writes(request_.parts[k].use)) continue;
        if (guide && places_[*guide]->owner() != places_[k]->owner())
            throw error(fmt::format(
                "{}: it writes its {}, which rank {} holds, and its {}, which rank {} holds; a task "
                "runs where what it writes lies, so make one for each",
                title_, text_of_part(*guide), places_[*guide]->owner(), text_of_part(k), places_[k]->owner()));
        guide = k;
    }
    for (std::size_t k = 0; k < places_.size() && !guide; ++k)
        if (places_[k]) guide = k;
    if (guide) runner_ = static_cast<int>(places_[*guide]->owner());
}

} // namespace skelrt::detail
