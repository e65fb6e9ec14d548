// SPDX-License-Identifier: BSD-3-Clause
#include "kernel.hpp"

#include <skelrt/divide_and_conquer.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>

namespace quicksort
{
namespace
{

namespace sk = skelrt;
using ints = std::span<int>;

/// Part of the elements, and how many more splits it may take: what splits badly goes to std::sort in the end.
struct piece {
    ints x;
    int splits;
};

int median(int a, int b, int c) { return std::max(std::min(a, b), std::min(std::max(a, b), c)); }

constexpr std::size_t fewest = 9; ///< of less elements there is no good pivot

/// The median of three medians of three, from all over the elements.
int pivot_of(ints x)
{
    const std::size_t step = x.size() / 9;
    const auto three = [&](std::size_t k) { return median(x[k * step], x[(k + 1) * step], x[(k + 2) * step]); };
    return median(three(0), three(3), three(6));
}

/// Those in front for which `is_low` holds, all of them. Without a branch that nobody could predict.
template <class Low>
ints lows_to_front(ints x, Low is_low)
{
    std::size_t lows = 0;
    for (int& here : x) {
        const int value = here;
        here = x[lows];
        x[lows] = value;
        lows += is_low(value);
    }
    return x.first(lows);
}

/// Where few are less than the pivot, those that equal it may be many; they are in their place.
std::array<piece, 2> split(const piece& p)
{
    const int pivot = pivot_of(p.x);
    const std::size_t less = lows_to_front(p.x, [=](int v) { return v < pivot; }).size();
    ints rest = p.x.subspan(less);
    if (less < p.x.size() / 8) rest = rest.subspan(lows_to_front(rest, [=](int v) { return v == pivot; }).size());
    return {piece{p.x.first(less), p.splits - 1}, piece{rest, p.splits - 1}};
}

/// Each goes to its place among those in front of it: while they are few nothing is faster.
void insert_each(ints x)
{
    for (std::size_t k = 1; k < x.size(); ++k) {
        const int value = x[k];
        std::size_t place = k;
        for (; place > 0 && value < x[place - 1]; --place) x[place] = x[place - 1];
        x[place] = value;
    }
}

/// By one core, with the same splits.
void sort_one(piece p)
{
    constexpr std::size_t few = 24;
    while (p.x.size() > few && p.splits > 0) {
        const auto [front, rest] = split(p);
        sort_one(front);
        p = rest;
    }
    if (p.splits > 0) insert_each(p.x);
    else std::ranges::sort(p.x);
}

/// Looks at all, for then the compiler compares several at once.
bool has_disorder(ints x)
{
    int any = 0;
    for (std::size_t k = 1; k < x.size(); ++k) any |= x[k] < x[k - 1] ? 1 : 0;
    return any != 0;
}

/// On all cores; soon, if it is not.
bool is_sorted(ints x)
{
    constexpr std::size_t some = 64, many = std::size_t{1} << 16;
    if (has_disorder(x.first(std::min(x.size(), some)))) return false;
    std::atomic<bool> disorder{false};
    sk::divide_and_conquer([&](ints part) { return part.size() <= many || disorder; },
                           [](ints part) { // the one in the middle belongs to both
                               return std::array{part.first(part.size() / 2 + 1), part.subspan(part.size() / 2)};
                           },
                           [&](ints part) {
                               if (!disorder && has_disorder(part)) disorder = true;
                           })
        .named("is sorted")(x);
    return !disorder;
}

} // namespace

void sort(ints x, std::size_t cutoff)
{
    if (is_sorted(x)) return;
    const piece all{x, 2 * static_cast<int>(std::bit_width(x.size()))};
    if (cutoff == learnt_cutoff) {
        const auto size = [](const piece& p) { return p.splits == 0 ? 0 : p.x.size(); };
        sk::divide_and_conquer(sk::size_of(size, fewest), split, sort_one).named("quicksort")(all);
        return;
    }
    const auto is_small = [=](const piece& p) { return p.x.size() <= std::max(cutoff, fewest) || p.splits == 0; };
    sk::divide_and_conquer(is_small, split, sort_one).named("quicksort")(all);
}

} // namespace quicksort
