// SPDX-License-Identifier: BSD-3-Clause
#include "src/data/parting/gathered.hpp"

#include "src/cluster/peers.hpp"
#include "src/data/parting/held.hpp"

#include <cstring>
#include <list>
#include <span>
#include <vector>

namespace skelrt::detail
{

namespace
{

using numbered_runs = std::vector<numbered_run>;

numbered_runs shared_elements(const element_grid& one, const element_grid& other)
{
    if (one == other && one.count() > 0) return {{0, 0, one.count()}};
    return common_elements(one, other);
}

void copy_runs(std::byte* to, const std::byte* from, const numbered_runs& from_one_to_other, std::size_t size)
{
    for (const numbered_run& r : from_one_to_other)
        std::memcpy(to + r.in_other * size, from + r.in_one * size, r.count * size);
}

/// What a rank holds of them, as it sends it.
element_grid sent_by(const gathered& g, unsigned rank)
{
    const element_grid held = held_grid(*g.of.dealt, rank);
    const auto both = [](const position_runs& a, const position_runs& b) {
        position_runs runs;
        for (const common_run& r : common_runs(a, b)) runs.push_back({r.first, r.count});
        return runs;
    };
    return {both(held.rows, g.elements.rows), both(held.cols, g.elements.cols)};
}

/// This rank's elements, one behind the other: where they lie, if they do so there.
class leaving_elements
{
public:
    leaving_elements(const gathered& g, const element_grid& sent) : bytes_(sent.count() * g.of.element_size)
    {
        if (bytes_ == 0) return;
        const numbered_runs runs = shared_elements(grid_of(g.of), sent);
        from_ = g.of.data + runs[0].in_one * g.of.element_size;
        if (runs.size() == 1) return;
        room_.resize(bytes_);
        copy_runs(room_.data(), g.of.data, runs, g.of.element_size);
        from_ = room_.data();
    }
    std::span<const std::byte> bytes() const noexcept { return {from_, bytes_}; }

private:
    std::size_t bytes_;
    const std::byte* from_ = nullptr;
    std::vector<std::byte> room_;
};

/// Another rank's elements on their way: straight to their places, if these follow each other.
class arriving_elements
{
public:
    arriving_elements(const gathered& g, const element_grid& sent)
        : to_(g.to), size_(g.of.element_size), bytes_(sent.count() * size_), runs_(shared_elements(sent, g.room))
    {
        if (runs_.size() > 1) room_.resize(bytes_);
    }
    bool is_empty() const noexcept { return bytes_ == 0; }
    std::span<std::byte> room()
    {
        return runs_.size() > 1 ? std::span(room_) : std::span(to_ + runs_[0].in_other * size_, bytes_);
    }
    void settle() const
    {
        if (runs_.size() > 1) copy_runs(to_, room_.data(), runs_, size_);
    }

private:
    std::byte* to_;
    std::size_t size_, bytes_;
    numbered_runs runs_;
    std::vector<std::byte> room_;
};

} // namespace

void gather(peers& others, const gathered& g, int seen_by)
{
    const int me = others.rank();
    const leaving_elements mine(g, sent_by(g, static_cast<unsigned>(me)));
    std::vector<outgoing> out;
    std::vector<incoming> in;
    std::list<arriving_elements> arriving;
    for (int rank = 0; rank < others.size(); ++rank) {
        if (rank == me) continue;
        if ((seen_by == all_ranks || seen_by == rank) && !mine.bytes().empty()) out.push_back({rank, mine.bytes()});
        if (!g.to) continue;
        arriving_elements& theirs = arriving.emplace_back(g, sent_by(g, static_cast<unsigned>(rank)));
        if (!theirs.is_empty()) in.push_back({rank, theirs.room()});
    }
    if (g.to && !g.holds_own_part)
        copy_runs(g.to, g.of.data, shared_elements(grid_of(g.of), g.room), g.of.element_size);
    others.swap_values(out, in);
    for (const arriving_elements& a : arriving) a.settle();
}

void keep_own_elements(const gathered& g) noexcept
{
    if (!g.holds_own_part) copy_runs(g.of.data, g.to, shared_elements(g.room, grid_of(g.of)), g.of.element_size);
}

} // namespace skelrt::detail
