// SPDX-License-Identifier: BSD-3-Clause
#include "src/cluster/trees.hpp"

#include "src/cluster/peers.hpp"

#include <algorithm>
#include <cstring>

namespace skelrt::detail
{

namespace
{

/// A value of a rank that may have none, as it travels: one byte that says so, and the value.
std::vector<std::byte> as_message(std::span<const std::byte> value, bool there)
{
    std::vector<std::byte> message(value.size() + 1);
    message[0] = std::byte{there};
    if (there) std::ranges::copy(value, message.begin() + 1);
    return message;
}

/// Who is where in a binomial tree over ranks counted from the root. A rank's subtree is the run of ranks that begins
/// with it; its children's follow each other in it.
class tree_place
{
public:
    tree_place(const peers& others, int root)
        : ranks_(others.size()), root_(root), me_((others.rank() - root + ranks_) % ranks_)
    {
        while (to_parent_ < ranks_ && !(me_ & to_parent_)) to_parent_ *= 2;
    }

    bool is_root() const noexcept { return me_ == 0; }
    int parent() const noexcept { return rank_of(me_ - to_parent_); }
    /// In the order of their ranks.
    std::vector<int> children() const
    {
        std::vector<int> all;
        for (int d = 1; d < to_parent_ && me_ + d < ranks_; d *= 2) all.push_back(rank_of(me_ + d));
        return all;
    }

private:
    int rank_of(int counted) const noexcept { return (counted + root_) % ranks_; }

    int ranks_, root_, me_, to_parent_ = 1;
};

/// Those that wait longest for others behind them come first.
void send_down(peers& others, const tree_place& here, std::span<const std::byte> value)
{
    std::vector<outgoing> out;
    for (const int child : here.children()) out.push_back({child, value});
    if (!out.empty()) others.swap_values(std::vector(out.rbegin(), out.rend()), {});
}

/// `value` becomes the combination of this rank's subtree. Whether there is one.
bool combine_subtree(peers& others, const tree_place& here, std::span<std::byte> value, bool has_value,
                     const combiner& combine)
{
    const std::vector<int> children = here.children();
    if (children.empty()) return has_value;
    std::vector<std::vector<std::byte>> come(children.size(), std::vector<std::byte>(value.size() + 1));
    std::vector<incoming> in;
    for (std::size_t k = 0; k < children.size(); ++k) in.push_back({children[k], come[k]});
    others.swap_values({}, in);
    for (const auto& next : come) {
        if (next[0] == std::byte{0}) continue;
        const std::span<const std::byte> right = std::span(next).subspan(1);
        if (has_value) combine(value, right);
        else std::ranges::copy(right, value.begin());
        has_value = true;
    }
    return has_value;
}

} // namespace

void broadcast(peers& others, std::span<std::byte> value, int root)
{
    const tree_place here(others, root);
    if (!here.is_root()) {
        const incoming from{here.parent(), value};
        others.swap_values({}, {&from, 1});
    }
    send_down(others, here, value);
}

bool reduce_in_order(peers& others, std::span<std::byte> value, bool has_value, const combiner& combine)
{
    const tree_place here(others, 0);
    const bool there = combine_subtree(others, here, value, has_value, combine);
    if (here.is_root()) return there;
    const std::vector<std::byte> message = as_message(value, there);
    const outgoing up{here.parent(), message};
    others.swap_values({&up, 1}, {});
    return there;
}

/// What comes down is awaited when a rank's own goes up: one swap for both.
bool reduce_to_all(peers& others, std::span<std::byte> value, bool has_value, const combiner& combine)
{
    const tree_place here(others, 0);
    const bool there = combine_subtree(others, here, value, has_value, combine);
    const std::vector<std::byte> message = as_message(value, there);
    std::vector<std::byte> result = message;
    if (!here.is_root()) {
        const outgoing up{here.parent(), message};
        const incoming down{here.parent(), result};
        others.swap_values({&up, 1}, {&down, 1});
    }
    send_down(others, here, result);
    if (result[0] == std::byte{0}) return false;
    std::ranges::copy(std::span(result).subspan(1), value.begin());
    return true;
}

/// Bruck, 1997: each round doubles what a rank has, of itself and the ranks after it.
std::vector<std::byte> all_gather(peers& others, std::span<const std::byte> mine, std::span<const std::size_t> sizes)
{
    const auto n = static_cast<std::size_t>(others.size()), me = static_cast<std::size_t>(others.rank());
    std::vector<std::size_t> begin(2 * n + 1); // of values counted from rank 0, twice around
    for (std::size_t k = 0; k < 2 * n; ++k) begin[k + 1] = begin[k] + sizes[k % n];
    const auto bytes_of = [&](std::size_t first, std::size_t count) { return begin[first + count] - begin[first]; };
    std::vector<std::byte> from_me(begin[n]);
    std::ranges::copy(mine, from_me.begin());
    for (std::size_t have = 1; have < n; have *= 2) {
        const std::size_t more = std::min(have, n - have), next = (me + have) % n;
        const std::span<std::byte> all(from_me);
        const outgoing out{static_cast<int>((me + n - have) % n), all.first(bytes_of(me, more))};
        const incoming in{static_cast<int>(next), all.subspan(bytes_of(me, have), bytes_of(next, more))};
        others.swap_values({&out, 1}, {&in, 1});
    }
    std::ranges::rotate(from_me, from_me.end() - static_cast<std::ptrdiff_t>(begin[me])); // from rank 0 on
    return from_me;
}

std::vector<std::byte> all_gather(peers& others, std::span<const std::byte> mine)
{
    return all_gather(others, mine, std::vector(static_cast<std::size_t>(others.size()), mine.size()));
}

} // namespace skelrt::detail
