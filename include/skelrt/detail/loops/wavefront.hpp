// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../../before.hpp"
#include "checked.hpp"

#include <cstddef>
#include <utility>

/// The CPU's loops of a wavefront within one block. A few rows go along together, each one column behind the row above
/// it: what a step of one row needs, the others computed in steps before, so that their latencies overlap.
namespace skelrt::detail
{

/// What the functions of a wavefront see of the results before them.
template <class T>
class before_node
{
public:
    static constexpr std::size_t leaves = 1;
    using leaf_types = type_list<uniform_leaf<T>>;
    using value = before2<T>;

    explicit before_node(const T& outside) : outside_{outside} {}
    std::tuple<const uniform_leaf<T>&> nodes() const noexcept { return {outside_}; }
    const extent& given() const noexcept
    {
        static const extent none;
        return none;
    }
    argument describe_in(recipe& r) const { return {argument_kind::before, describe(outside_, r).which}; }

    template <std::size_t First, class Reader>
    static const before2<T>& apply(const Reader& read, const position&)
    {
        return read.before();
    }

private:
    uniform_leaf<T> outside_;
};

/// The operands at a row, and the results before a position of it.
template <class Row, class T>
class reader_with_before
{
public:
    static constexpr bool checked = Row::checked;
    reader_with_before(const Row& row, const before2<T>& before) : row_(row), before_(before) {}
    template <std::size_t I>
    decltype(auto) get(std::size_t col) const
    {
        return row_.template get<I>(col);
    }
    const before2<T>& before() const { return before_; }

private:
    const Row& row_;
    const before2<T>& before_;
};

/// One row of a block on its way from left to right.
template <class N, bool Linear>
class wavefront_row
{
    using T = typename N::value;

public:
    wavefront_row(const cpu_block& b, const block_front& f, std::size_t row)
        : read_(b.slots, row), at_{b.where.row0 + row, b.where.col0, b.width, 0},
          out_(static_cast<T*>(f.result.data) + way(row, f.result.ld)), stride_(f.result.stride),
          last_(left_of(f, row)), diagonal_(row > 0 ? left_of(f, row - 1) : *static_cast<const T*>(f.corner))
    {
    }

    const T& last() const { return last_; }
    void step(std::size_t col, const T& above)
    {
        const before2<T> before(last_, above, diagonal_);
        at_.c = col;
        last_ = static_cast<T>(evaluate<N, 0>(reader_with_before<reader<N, Linear>, T>(read_, before), at_));
        diagonal_ = before.above();
        out_[way(col, Linear ? 1 : stride_)] = last_;
    }

private:
    static const T& left_of(const block_front& f, std::size_t row)
    {
        return static_cast<const T*>(f.left)[way(row, f.left_step)];
    }

    reader<N, Linear> read_;
    position at_;
    T* out_;
    std::size_t stride_;
    T last_, diagonal_;
};

/// What lies above a row of the block, as a row of values with steps between them.
template <class T>
struct row_above {
    const T* first;
    std::size_t step;
    row_above(const block_front& f, std::size_t row)
        : first(row == 0 ? static_cast<const T*>(f.above)
                         : static_cast<const T*>(f.result.data) + way(row - 1, f.result.ld)),
          step(row == 0 ? f.above_step : f.result.stride)
    {
    }
    const T& operator[](std::size_t col) const { return first[way(col, step)]; }
};

/// The rows from `first` on, one for each I, the last one first in each step: it sees what the one above it made last.
template <class N, bool Linear, std::size_t... I>
void wavefront_rows(const cpu_block& b, const block_front& f, std::size_t first, std::index_sequence<I...>)
{
    using T = typename N::value;
    constexpr std::size_t last = sizeof...(I) - 1;
    const std::size_t n = b.where.cols;
    const row_above<T> top(f, first);
    wavefront_row<N, Linear> rows[] = {wavefront_row<N, Linear>(b, f, first + I)...};
    const auto step = [&]<std::size_t K>(std::integral_constant<std::size_t, K>, std::size_t col) {
        if constexpr (K == 0) rows[0].step(col, top[col]);
        else rows[K].step(col, T(rows[K - 1].last()));
    };
    const auto some = [&](std::size_t at) { // rows that have begun, and are not at their end
        ((at >= last - I && at - (last - I) < n ? step(std::integral_constant<std::size_t, last - I>{}, at - (last - I))
                                                : void()),
         ...);
    };
    std::size_t at = 0;
    for (; at < std::min(last, n); ++at) some(at);
    for (; at >= last && at < n; ++at) (step(std::integral_constant<std::size_t, last - I>{}, at - (last - I)), ...);
    for (; at < n + last; ++at) some(at);
}

/// How many rows go along together: what each holds should stay in registers.
template <class T>
inline constexpr std::size_t wavefront_height = sizeof(T) <= 8    ? 4
                                                : sizeof(T) <= 32 ? 2
                                                                  : 1;

template <class N, bool Linear>
void wavefront_lines(const cpu_block& b, const block_front& f)
{
    constexpr std::size_t height = wavefront_height<typename N::value>;
    std::size_t row = 0;
    for (; row + height <= b.where.rows; row += height)
        wavefront_rows<N, Linear>(b, f, row, std::make_index_sequence<height>{});
    for (; row < b.where.rows; ++row) wavefront_rows<N, Linear>(b, f, row, std::index_sequence<0>{});
}

template <class N>
void wavefront_block(const cpu_block& b, const block_front& f)
{
    if (is_linear<N>(b.slots, false) && f.result.stride == 1) wavefront_lines<N, has_linear_loops<N>>(b, f);
    else wavefront_lines<N, false>(b, f);
}

} // namespace skelrt::detail
