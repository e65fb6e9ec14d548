// SPDX-License-Identifier: BSD-3-Clause
#include "src/jit/lanes/point_table.hpp"

#include <algorithm>
#include <iterator>

namespace skelrt::detail
{

/// The first piece that ends behind it.
point_table::pieces::const_iterator point_table::first_behind(std::uintptr_t address) const
{
    const auto next = pieces_.upper_bound(address);
    if (next == pieces_.begin()) return next;
    const auto before = std::prev(next);
    return before->second.end > address ? before : next;
}

points point_table::before(const memory_use& m) const
{
    points all{};
    if (m.begin >= m.end) return all;
    for (auto at = first_behind(m.begin); at != pieces_.end() && at->first < m.end; ++at) {
        add_to(all, at->second.writer);
        if (m.writes) add_to(all, at->second.readers);
    }
    return all;
}

/// So that no piece has it inside.
void point_table::cut_at(std::uintptr_t address)
{
    const auto at = first_behind(address);
    if (at == pieces_.end() || at->first >= address) return;
    piece& left = pieces_.at(at->first);
    pieces_.emplace_hint(std::next(at), address, left);
    left.end = address;
}

void point_table::add(const memory_use& m, const point& by)
{
    if (m.begin >= m.end) return;
    cut_at(m.begin);
    cut_at(m.end);
    auto at = pieces_.lower_bound(m.begin);
    if (m.writes) {
        while (at != pieces_.end() && at->first < m.end) at = pieces_.erase(at);
        pieces_.emplace_hint(at, m.begin, piece{m.end, by, {}});
        return;
    }
    for (std::uintptr_t begin = m.begin; begin < m.end;) {
        const std::uintptr_t next = at == pieces_.end() ? m.end : std::min(at->first, m.end);
        if (begin < next) at = pieces_.emplace_hint(at, begin, piece{next, {}, {}}); // nobody has used these yet
        add_to(at->second.readers, by);
        begin = at->second.end;
        ++at;
    }
}

void point_table::forget(const points& passed)
{
    if (pieces_.size() < much_) return;
    std::erase_if(pieces_, [&](const auto& p) {
        const piece& one = p.second;
        bool over = one.writer.number <= passed[one.writer.lane];
        for (std::size_t lane = 0; lane < most_lanes; ++lane) over = over && one.readers[lane] <= passed[lane];
        return over;
    });
    much_ = std::max(few, 2 * pieces_.size());
}

} // namespace skelrt::detail
