// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "support.hpp"

/// Stencils as plain sequential code, as the documentation says and no faster.
namespace test
{

template <class T>
struct basic_grid {
    std::vector<T> values;
    std::size_t rows, cols;

    std::ptrdiff_t height() const { return static_cast<std::ptrdiff_t>(rows); }
    std::ptrdiff_t width() const { return static_cast<std::ptrdiff_t>(cols); }
    T at(std::ptrdiff_t r, std::ptrdiff_t c) const { return values[static_cast<std::size_t>(r * width() + c)]; }
};
using grid = basic_grid<int>;
template <class T>
basic_grid(std::vector<T>, std::size_t, std::size_t) -> basic_grid<T>;

/// Reach upwards, downwards, to the left, to the right.
struct reaches {
    std::ptrdiff_t up = 0, down = 0, left = 0, right = 0;
};

template <class T, class U>
T seen(const basic_grid<T>& g, std::ptrdiff_t r, std::ptrdiff_t c, const sk::border::constant<U>& border)
{
    return r < 0 || r >= g.height() || c < 0 || c >= g.width() ? static_cast<T>(border.value) : g.at(r, c);
}
template <class T>
T seen(const basic_grid<T>& g, std::ptrdiff_t r, std::ptrdiff_t c, const sk::border::cyclic&)
{
    const auto around = [](std::ptrdiff_t x, std::ptrdiff_t n) { return (x % n + n) % n; };
    return g.at(around(r, g.height()), around(c, g.width()));
}
template <class T>
T seen(const basic_grid<T>& g, std::ptrdiff_t r, std::ptrdiff_t c, const sk::border::nearest&)
{
    return g.at(std::clamp<std::ptrdiff_t>(r, 0, g.height() - 1), std::clamp<std::ptrdiff_t>(c, 0, g.width() - 1));
}
template <class T>
T seen(const basic_grid<T>& g, std::ptrdiff_t r, std::ptrdiff_t c, const sk::border::none&)
{
    return g.at(r, c);
}

/// f(u, row, column) or f(u) everywhere, u(dr, dc) being the neighbours.
template <class T, class Border, class F>
auto applied(const basic_grid<T>& g, const Border& border, F f, const reaches& reach = {})
{
    const auto at = [&](std::ptrdiff_t r, std::ptrdiff_t c) {
        const auto u = [&](std::ptrdiff_t dr, std::ptrdiff_t dc) { return seen(g, r + dr, c + dc, border); };
        if constexpr (std::is_invocable_v<F, decltype(u), std::size_t, std::size_t>)
            return f(u, static_cast<std::size_t>(r), static_cast<std::size_t>(c));
        else return f(u);
    };
    using R = decltype(at(0, 0));
    std::vector<R> result;
    result.reserve(g.values.size());
    for (std::ptrdiff_t r = 0; r < g.height(); ++r)
        for (std::ptrdiff_t c = 0; c < g.width(); ++c) {
            if constexpr (std::is_same_v<Border, sk::border::none> && std::is_same_v<R, T>) {
                if (r < reach.up || r + reach.down >= g.height() || c < reach.left || c + reach.right >= g.width()) {
                    result.push_back(g.at(r, c));
                    continue;
                }
            }
            result.push_back(at(r, c));
        }
    return result;
}

} // namespace test
