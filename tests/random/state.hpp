// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "random_programs.hpp"

#include <skelrt/skelrt.hpp>

#include <algorithm>
#include <utility>

namespace sk = skelrt;

namespace random_programs
{

template <class Container, class T>
void compare(const std::string& what, const Container& got, const std::vector<T>& want)
{
    const auto h = sk::host_read(got);
    check(what, std::vector<T>(h.begin(), h.end()), want);
}
template <class T>
void compare_value(const std::string& what, T got, T want)
{
    check(what, std::vector<T>{got}, std::vector<T>{want});
}

/// Four vectors of n elements and two matrices, each beside the same as plain memory. The groups of calls in the other
/// headers do something to both.
///
/// The skeletons' objects come from a struct `Calls` for each element type, made by macros: device compilers read a
/// function's text, in which a template's parameter would mean nothing.
template <class T>
struct state {
    choices choose;
    std::size_t n, rows = 0, cols = 0;
    std::vector<std::vector<T>> plain, grids;
    std::vector<sk::vector<T>> x;
    std::vector<sk::matrix<T>> m;

    explicit state(unsigned seed) : choose(seed), n(choose.size())
    {
        const std::size_t side = choose.below(1 + std::min<std::size_t>(n, 1000));
        rows = side, cols = side ? n / side : choose.below(4);
        for (int k = 0; k < 4; ++k) {
            plain.push_back(fresh(n));
            x.emplace_back(plain.back().begin(), plain.back().end());
            if (choose.one_in(3)) x.back().set_tiles(1 + choose.below(choose.one_in(4) ? 64 : 9));
        }
        for (int k = 0; k < 2; ++k) {
            grids.push_back(fresh(rows * cols));
            m.emplace_back(rows, cols, grids.back().begin());
            if (choose.one_in(3)) m.back().set_tiles(1 + choose.below(9));
        }
    }

    /// Any of the vectors; any of the matrices.
    std::size_t vector() { return choose.below(x.size()); }
    std::size_t matrix() { return choose.below(m.size()); }
    T digit() { return static_cast<T>(choose.below(10)); }

    void compare_all() const
    {
        for (std::size_t k = 0; k < x.size(); ++k) compare("vector", x[k], plain[k]);
        for (std::size_t k = 0; k < m.size(); ++k) compare("matrix", m[k], grids[k]);
    }

private:
    std::vector<T> fresh(std::size_t count)
    {
        std::vector<T> v(count);
        for (T& e : v) e = digit();
        return v;
    }
};

/// count values of f(p); `to` may be read by f until the end.
template <class T, class F>
std::vector<T> made(std::size_t count, F f)
{
    std::vector<T> all(count);
    for (std::size_t p = 0; p < count; ++p) all[p] = f(p);
    return all;
}
template <class T, class F>
void fill(std::vector<T>& to, F f)
{
    to = made<T>(to.size(), f);
}

/// What several calls compute, by themselves.
template <class T>
T ten(double v)
{
    return static_cast<T>(static_cast<long>(v) % 10);
}
template <class T>
T apart(T a, T b)
{
    return a < b ? static_cast<T>(b - a) : static_cast<T>(a - b);
}
template <class T>
T last_set(T a, T b)
{
    return b == T(0) ? a : b;
}

} // namespace random_programs
