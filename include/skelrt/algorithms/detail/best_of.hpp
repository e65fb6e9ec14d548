// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../../detail/loops/folds.hpp"

#include <algorithm>
#include <cstdint>
#include <type_traits>

/// Loops on cores that look for the best of many values and remember where it was: the structs of sk::argmin do not fit
/// in registers, their values and places side by side do.
namespace skelrt::detail
{

/// An operator that gives one of two structs: the second if Op::is_better(a.value, b.value), which knows registers,
/// too. Of equal ones the first.
template <class S, class Op>
struct best_operator {
    using key = decltype(S::value);
    static constexpr bool has_registers =
        std::is_arithmetic_v<key> && !std::is_same_v<key, long double> && sizeof(key) >= 4;
    using number = std::conditional_t<sizeof(key) == 8, std::int64_t, std::int32_t>; ///< of a place
    using in_register = lanes<std::conditional_t<has_registers, key, std::int32_t>>;

    std::exception_ptr* what;
    bool failed() const noexcept { return *what != nullptr; }
    S operator()(const S& a, const S& b) const noexcept
    {
        return guarded_value<S>(*what, [&] { return Op{}(a, b); });
    }

    /// The values first .. first + n, n > 0, combined in order.
    template <class Value>
        requires has_registers S fold_few(const Value& value, std::size_t first, std::size_t n)
    const
    {
        const auto at = [&](std::size_t i) noexcept { return value(first + i).value; };
        if (n < step) return one_by_one(value, first, n);
        const std::size_t whole = n / step * step;
        const S best = value(first + place_of_best(at, whole));
        return whole < n ? (*this)(best, one_by_one(value, first + whole, n - whole)) : best;
    }

    /// to[c] = to[c] op column c of the block, without to[c] unless `started`.
    template <class N>
    requires has_registers void fold_columns(const cpu_block& b, S* to, bool started) const
    {
        for (std::size_t c = 0; c < b.where.cols && !failed(); c += some_columns) {
            const std::size_t n = std::min(some_columns, b.where.cols - c);
            if (is_linear<N>(b.slots, false)) columns<N, has_linear_loops<N>>(b, c, n, to + c, started);
            else columns<N, false>(b, c, n, to + c, started);
        }
    }

private:
    using lane = typename in_register::type;
    using places = typename lanes<number>::type;
    static constexpr std::size_t runs = 4; ///< that do not wait for each other
    static constexpr std::size_t half = runs * in_register::count, step = 2 * half;
    static constexpr std::size_t some_columns = 256;

    struct run {
        lane best;
        places at;

        void take(const lane& x, const places& where)
        {
            const auto better = Op::is_better(best, x);
            best = better ? x : best;
            at = better ? where : at;
        }
        /// Of equal ones that with the smaller place.
        void join(const run& other)
        {
            const auto better = Op::is_better(best, other.best) | ((best == other.best) & (other.at < at));
            best = better ? other.best : best;
            at = better ? other.at : at;
        }
    };

    /// Of two values each the better one, and how much further it is: in memory, for only there are they vectors.
    struct better_of_two {
        alignas(64) key best[half];
        alignas(64) number further[half];

        template <class At>
        void look(const At& at, std::size_t i)
        {
#pragma omp simd
            for (std::size_t k = 0; k < half; ++k) {
                const key x = at(i + k), y = at(i + k + half);
                const bool better = Op::is_better(x, y);
                best[k] = better ? y : x;
                further[k] = better ? static_cast<number>(half) : number{0};
            }
        }
        lane keys_of(std::size_t r) const { return reinterpret_cast<const lane*>(best)[r]; }
        places places_of(std::size_t r) const { return reinterpret_cast<const places*>(further)[r]; }
    };

    template <class Value>
    S one_by_one(const Value& value, std::size_t first, std::size_t n) const
    {
        S best = value(first);
        for (std::size_t i = 1; i < n; ++i) best = (*this)(best, value(first + i));
        return best;
    }

    /// Of n values, a multiple of `step`.
    template <class At>
    static std::size_t place_of_best(const At& at, std::size_t n)
    {
        constexpr std::size_t count = in_register::count;
        better_of_two two;
        places here{};
        for (std::size_t k = 0; k < count; ++k) here[k] = static_cast<number>(k);
        const auto where = [&](std::size_t r) { return here + static_cast<number>(r * count) + two.places_of(r); };
        two.look(at, 0);
        run a{two.keys_of(0), where(0)}, b{two.keys_of(1), where(1)}, c{two.keys_of(2), where(2)},
            d{two.keys_of(3), where(3)};
        for (std::size_t i = step; i < n; i += step) {
            two.look(at, i);
            here += static_cast<number>(step);
            a.take(two.keys_of(0), where(0));
            b.take(two.keys_of(1), where(1));
            c.take(two.keys_of(2), where(2));
            d.take(two.keys_of(3), where(3));
        }
        a.join(b);
        c.join(d);
        a.join(c);
        std::size_t first = 0;
        for (std::size_t k = 1; k < count; ++k)
            if (Op::is_better(a.best[first], a.best[k]) || (a.best[k] == a.best[first] && a.at[k] < a.at[first]))
                first = k;
        return static_cast<std::size_t>(a.at[first]);
    }

    /// n columns from one of the block on.
    template <class N, bool Linear>
    void columns(const cpu_block& b, std::size_t first, std::size_t n, S* to, bool started) const
    {
        key best[some_columns];
        number row[some_columns];
        const auto start = [&](std::size_t r) { return position{b.where.row0 + r, b.where.col0, b.width, 0}; };
        for (std::size_t r = 0; r < b.where.rows; ++r) {
            const reader<N, Linear> read(b.slots, r);
            const auto value = row_values<N, S>(read, start(r), *what);
            const auto here = static_cast<number>(r);
            if (r == 0) {
#pragma omp simd
                for (std::size_t c = 0; c < n; ++c) best[c] = value(first + c).value, row[c] = 0;
                continue;
            }
#pragma omp simd
            for (std::size_t c = 0; c < n; ++c) {
                const key x = value(first + c).value;
                const bool better = Op::is_better(best[c], x);
                best[c] = better ? x : best[c];
                row[c] = better ? here : row[c];
            }
        }
        for (std::size_t c = 0; c < n; ++c) {
            const auto r = static_cast<std::size_t>(row[c]);
            const reader<N, Linear> read(b.slots, r);
            const S found = row_values<N, S>(read, start(r), *what)(first + c);
            to[c] = started ? (*this)(to[c], found) : found;
        }
    }
};

} // namespace skelrt::detail
