// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "known_counts.hpp"
#include "lanes.hpp"
#include "lockstep_steps.hpp"

#include <algorithm>
#include <cstddef>
#include <type_traits>

/// Cores take each step of a function for many positions at a time, whose sums stay in registers.
namespace skelrt::detail
{

/// The steps for as many positions of a row as `K` registers hold numbers.
template <class T, std::size_t... K>
class lockstep_strip
{
    using lane = typename lanes<T>::type;
    struct numbers {
        lane at[sizeof...(K)];
    };

public:
    static constexpr std::size_t count = sizeof...(K) * lanes<T>::count;

    lockstep_strip(const lockstep_steps& what, const slot_view* slots) : what_(what), slots_(slots) {}

    /// From that position of the block on; what hoods see behind the wanted ones is read, too.
    void compute(std::size_t row, std::size_t col, T* out, std::size_t wanted) const
    {
        numbers values[most_lockstep_values];
        for (const lockstep_step& s : what_.steps) {
            const numbers a = get(s.a, values);
            if (s.op == lockstep_operator::taps) {
                const slot_view& hood = slots_[s.slot];
                values[s.to] = with_taps(a, s, static_cast<const T*>(hood.data) + row * hood.ld + col);
            } else {
                values[s.to] = joined(s.op, a, get(s.b, values));
            }
        }
        // <cstring> would bring index() of POSIX into programs.
        __builtin_memcpy(out, &values[what_.steps.back().to], std::min(wanted, count) * sizeof(T));
    }

private:
    static numbers get(const lockstep_operand& from, const numbers* values)
    {
        if (from.is_value) return values[from.value];
        const lane all = static_cast<T>(from.number) - lane{};
        return {{(static_cast<void>(K), all)...}};
    }

    numbers with_taps(numbers sum, const lockstep_step& s, const T* at) const
    {
        for (unsigned k = s.first; k < s.last; ++k) {
            const lockstep_tap& t = what_.taps[k];
            const auto* const u = reinterpret_cast<const lane*>(at + t.way);
            ((sum.at[K] += t.template factor_as<T>() * u[K]), ...);
        }
        return sum;
    }

    static numbers joined(lockstep_operator op, const numbers& a, const numbers& b)
    {
        switch (op) {
        case lockstep_operator::plus:
            return {{(a.at[K] + b.at[K])...}};
        case lockstep_operator::minus:
            return {{(a.at[K] - b.at[K])...}};
        case lockstep_operator::times:
            return {{(a.at[K] * b.at[K])...}};
        default:
            return {{(a.at[K] / b.at[K])...}};
        }
    }

    const lockstep_steps& what_;
    const slot_view* slots_;
};

template <class T>
using long_strip = lockstep_strip<T, 0, 1, 2, 3, 4, 5, 6, 7>;
template <class T>
using short_strip = lockstep_strip<T, 0, 1>;

/// Whether a tree's function may be a list of steps that is worth while: its loops may go as far as an argument says.
template <class N>
inline constexpr bool may_have_steps = has_known_counts<N> && (std::is_same_v<typename N::value, float> ||
                                                               std::is_same_v<typename N::value, double>);

/// All positions of a block whose result has a stride of 1: cpu_functions::lockstep.
template <class T>
void lockstep_block(const cpu_block& b)
{
    const slot_view& to = b.slots[b.what->slots.size() - 1];
    const long_strip<T> many(*b.steps, b.slots);
    const short_strip<T> few(*b.steps, b.slots);
    const std::size_t n = b.where.cols;
    for (std::size_t r = 0; r < b.where.rows; ++r) {
        T* const out = static_cast<T*>(to.data) + way(r, to.ld);
        std::size_t c = 0;
        for (; c + many.count <= n; c += many.count) many.compute(r, c, out + c, many.count);
        for (; c < n; c += few.count) few.compute(r, c, out + c, n - c);
    }
}

} // namespace skelrt::detail
