// SPDX-License-Identifier: BSD-3-Clause
#include "src/lowering/ranks/reductions/scalar_reduction.hpp"

#include "src/cluster/faults.hpp"
#include "src/cluster/peers.hpp"
#include "src/data/managed.hpp"
#include "src/data/memory/host_storage.hpp"
#include "src/data/parting/held.hpp"
#include "src/lowering/engine.hpp"
#include "src/lowering/ranks/call_share.hpp"
#include "src/lowering/ranks/messages/transfer.hpp"
#include "src/lowering/ranks/reductions/recipes.hpp"
#include "src/lowering/ranks/reductions/tree_place.hpp"

#include <algorithm>
#include <vector>

namespace skelrt::detail
{

namespace
{

/// Ranks that have a partial result come first, in their order; then the others, who only get the value.
class order_of_ranks
{
public:
    order_of_ranks(const call_share& share, unsigned ranks) : order_(share.sharers()), sharers_(order_.size())
    {
        for (unsigned rank = 0; rank < ranks; ++rank)
            if (std::find(order_.begin(), order_.begin() + static_cast<std::ptrdiff_t>(sharers_), rank) ==
                order_.begin() + static_cast<std::ptrdiff_t>(sharers_))
                order_.push_back(rank);
    }
    std::size_t place_of(unsigned rank) const
    {
        return static_cast<std::size_t>(std::ranges::find(order_, rank) - order_.begin());
    }
    unsigned parent(std::size_t place) const { return order_[parent_in_tree(place)]; }
    /// Of those that have a partial result; of all.
    std::vector<unsigned> sharing_children(std::size_t place) const { return children(place, sharers_); }
    std::vector<unsigned> all_children(std::size_t place) const { return children(place, order_.size()); }

private:
    std::vector<unsigned> children(std::size_t place, std::size_t places) const
    {
        std::vector<unsigned> all;
        for (const std::size_t child : children_in_tree(place, places)) all.push_back(order_[child]);
        return all;
    }

    std::vector<unsigned> order_;
    std::size_t sharers_;
};

/// The one value of a container goes to these ranks.
passage one_to(const std::vector<unsigned>& ranks)
{
    passage x;
    for (const unsigned rank : ranks) x.out.push_back({rank, {{0, 1}}});
    return x;
}
/// One of each comes, behind these that are here.
passage one_from(const std::vector<unsigned>& ranks, std::size_t own)
{
    passage x;
    if (own > 0) x.pieces.push_back({passage::own, 0, own});
    for (const unsigned rank : ranks) {
        x.pieces.push_back({x.in.size(), 0, 1});
        x.in.push_back({rank, 1});
    }
    return x;
}

/// The way of one such call on this rank.
class way_to_scalar
{
public:
    way_to_scalar(engine& e, const call& c, const call_share& share, const run_local& run)
        : engine_(e), call_(c), share_(share), run_(run), messages_(e), order_(share, ranks()),
          place_(order_.place_of(rank()))
    {
    }

    void go()
    {
        if (!share_.empty()) go_up();
        else mine_ = values(0);
        if (place_ > 0) take_result();
        messages_.send(*call_.result.data, one_to(order_.all_children(place_)));
    }

private:
    unsigned rank() const { return static_cast<unsigned>(engine_.cluster->rank()); }
    unsigned ranks() const { return static_cast<unsigned>(engine_.cluster->size()); }
    storage_ref values(std::size_t count) const
    {
        return create_held(all_held(1, count), call_.site->what.result_size, false);
    }
    static operand one(storage& s) { return {&s, nullptr, 0, 1, 1, 1, 1}; }

    /// The first rank's last result is that of all.
    void go_up()
    {
        const std::vector<unsigned> children = order_.sharing_children(place_);
        call mine = share_.mine();
        if (!share_.is_first()) mine.start = nullptr; // in front of the whole
        if (place_ > 0 || !children.empty()) mine.result = one(*(mine_ = values(1)));
        run_for_results(engine_, mine, run_);
        if (!children.empty()) combine_with(children);
        if (place_ > 0) messages_.send(*mine_, one_to({order_.parent(place_)}));
    }

    void combine_with(const std::vector<unsigned>& children)
    {
        const storage_ref all = values(1 + children.size());
        messages_.fill(*all, *mine_, one_from(children, 1));
        const operand operands[] = {{all.get(), nullptr, 0, 1, all->count(), all->count(), 1}};
        call sum;
        sum.site = &reduction_of_results(call_.site->what);
        sum.set_space({1, 1, all->count()});
        sum.operands = operands;
        sum.result = place_ > 0 ? one(*(mine_ = values(1))) : call_.result;
        run_for_results(engine_, sum, run_);
    }

    /// With what went wrong here.
    void take_result()
    {
        storage& to = *call_.result.data;
        {
            const std::lock_guard lock(engine_.order);
            managed_state& m = manage_pinned(to);
            engine_.order.flush_locked(m.batch);
            heal(m, ++engine_.order.calls_made);
        }
        messages_.fill(to, *mine_, one_from({order_.parent(place_)}, 0));
    }

    engine& engine_;
    const call& call_;
    const call_share& share_;
    const run_local& run_;
    transfer messages_;
    const order_of_ranks order_;
    const std::size_t place_;
    storage_ref mine_; ///< what this rank has of the value, and the ranks behind it in the tree
};

} // namespace

bool reduces_to_scalar(const call& c) noexcept { return c.site->what.kind == skeleton::reduce && !c.value; }

void run_to_scalar(engine& e, const call& c, const call_share& share, const run_local& run)
{
    peers& others = *e.cluster;
    const recipe& r = c.site->what;
    others.calls.record(r.key, r.name.c_str(), r.first_at, c.rows, c.cols); // its messages are beside the operands'
    or_tell([&] { way_to_scalar(e, c, share, run).go(); });
}

} // namespace skelrt::detail
