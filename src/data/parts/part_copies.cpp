// SPDX-License-Identifier: BSD-3-Clause
#include "src/data/parts/part_copies.hpp"

#include "src/cluster/peers.hpp"
#include "src/data/memory/host_storage.hpp"
#include "src/runtime/running.hpp"

#include <algorithm>
#include <mutex>
#include <unordered_set>

namespace skelrt::detail
{

namespace
{

std::mutex live_guard;
std::unordered_set<part_copies*>& live()
{
    static auto& all = *new std::unordered_set<part_copies*>; // storages may outlive statics
    return all;
}

/// Of a row of ranks and of a column of them.
std::size_t elements_of_row_and_column(const parting& p)
{
    const std::size_t all = p.rows.extent * p.cols.extent;
    return std::min(all, all / p.rows.parts + all / p.cols.parts);
}

} // namespace

part_copies::part_copies(const parting& dealt, unsigned rank)
    : most_(elements_of_row_and_column(dealt)), rank_(rank), ranks_(dealt.ranks())
{
    const std::lock_guard lock(live_guard);
    live().insert(this);
}

part_copies::~part_copies()
{
    const std::lock_guard lock(live_guard);
    live().erase(this);
}

bool part_copies::use(const rectangle& part, unsigned rank)
{
    const place key = place_of(part);
    copy& c = copies_[key];
    const auto [mine, is_new] = c.used.try_emplace(rank, 0);
    at_rank& here = ranks_[rank];
    if (is_new) here.elements += part.size();
    else here.by_age.erase(mine->second);
    mine->second = ++now_;
    here.by_age[now_] = key;
    highest_ = std::max(highest_, part.rows);
    make_room(rank);
    return !is_new;
}

/// But for the newest.
void part_copies::make_room(unsigned rank)
{
    at_rank& here = ranks_[rank];
    while (here.elements > most_ && here.by_age.size() > 1) drop(copies_.find(here.by_age.begin()->second), rank);
}

storage_ref& part_copies::mine(const rectangle& part) { return copies_.at(place_of(part)).mine; }

/// Parts that reach into the written rows begin in these, or at most as many rows above as any part has.
void part_copies::forget(const rectangle& written)
{
    const std::size_t above = written.row < highest_ ? 0 : written.row - highest_ + 1;
    auto at = copies_.lower_bound({{above, 0}, {0, 0}});
    while (at != copies_.end() && at->first.first.first < written.row_end())
        at = overlap(rectangle_of(at->first), written) ? drop_all(at) : std::next(at);
}

void part_copies::forget_all() noexcept
{
    copies_.clear();
    for (at_rank& r : ranks_) r = {};
}

/// A rank's copy goes.
void part_copies::drop(copies::iterator at, unsigned rank)
{
    at_rank& there = ranks_[rank];
    const auto mine = at->second.used.find(rank);
    there.by_age.erase(mine->second);
    there.elements -= rectangle_of(at->first).size();
    at->second.used.erase(mine);
    if (rank == rank_) at->second.mine = {};
    if (at->second.used.empty()) copies_.erase(at);
}

part_copies::copies::iterator part_copies::drop_all(copies::iterator at)
{
    for (const auto& [rank, when] : at->second.used) {
        ranks_[rank].by_age.erase(when);
        ranks_[rank].elements -= rectangle_of(at->first).size();
    }
    return copies_.erase(at);
}

part_copies& copies_of(storage& s)
{
    host_storage& h = host_part(s);
    if (!h.copies_of_parts)
        h.copies_of_parts =
            std::make_shared<part_copies>(*s.dealt, static_cast<unsigned>(running::current()->cluster->rank()));
    return *h.copies_of_parts;
}

void part_changes(storage& s, const rectangle& written)
{
    host_storage& h = host_part(s);
    h.copies.reset();
    if (h.copies_of_parts) h.copies_of_parts->forget(written);
}

void forget_all_copies() noexcept
{
    std::vector<part_copies*> all;
    {
        const std::lock_guard lock(live_guard);
        all.assign(live().begin(), live().end());
    }
    for (part_copies* c : all) c->forget_all();
}

} // namespace skelrt::detail
