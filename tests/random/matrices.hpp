// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "reductions.hpp"

/// Matrices and tensors: positions, parts, products.
#define RANDOM_MATRIX_CALLS(T)                                                                                         \
    static constexpr auto placed =                                                                                     \
        sk::map(SKELRT_FN((sk::index2 i, T a) { return (T)((i.row * 3 + i.col + (size_t)a) % 10); }));                 \
    static constexpr auto in_space =                                                                                   \
        sk::map(SKELRT_FN((sk::index3 i, T a) { return (T)((i.plane * 5 + i.row * 3 + i.col + (size_t)a) % 10); }));   \
    static constexpr auto product = sk::all_pairs(SKELRT_FN((T a, T b) { return (T)(a * b); }),                        \
                                                  SKELRT_FN((T a, T b) { return (T)(a + b); }), (T)1);                 \
    static constexpr auto alike = sk::all_pairs(SKELRT_FN((sk::vec<T> a, sk::vec<T> b) {                               \
        int same = 0;                                                                                                  \
        for (size_t k = 0; k < a.size(); ++k) same += a[k] == b[k] ? 1 : 0;                                            \
        return same;                                                                                                   \
    }));

namespace random_programs
{

/// Where a part of a matrix lies.
struct part {
    std::size_t row, col;
};
template <class T>
part any_part(state<T>& s, std::size_t rows, std::size_t cols)
{
    const std::size_t row = s.choose.below(s.rows - rows + 1);
    return {row, s.choose.below(s.cols - cols + 1)};
}

/// Rows of one part with rows of another; with columns, where the other is transposed.
template <class Calls, class T>
void products(state<T>& s)
{
    const std::size_t from = s.matrix(), with = s.matrix(), most = s.choose.one_in(4) ? 200 : 30;
    const std::size_t r = s.choose.below(std::min(s.rows, most) + 1), c = s.choose.below(std::min(s.rows, most) + 1);
    const std::size_t k = s.choose.below(std::min(s.cols, most) + 1);
    const part p = any_part(s, r, k), q = any_part(s, c, k);
    const auto a = [&](std::size_t i, std::size_t e) { return s.grids[from][(p.row + i) * s.cols + p.col + e]; };
    const auto b = [&](std::size_t j, std::size_t e) { return s.grids[with][(q.row + j) * s.cols + q.col + e]; };
    const auto x = s.m[from].sub(p.row, p.col, r, k), y = s.m[with].sub(q.row, q.col, c, k);
    const auto want = [&]<class R>(R start, auto term) {
        return made<R>(r * c, [&](std::size_t at) {
            R sum = start;
            for (std::size_t e = 0; e < k; ++e) sum = static_cast<R>(sum + term(a(at / c, e), b(at % c, e)));
            return sum;
        });
    };
    if (s.choose.one_in(3))
        return compare("rows alike", sk::matrix<int>(Calls::alike(x, y)), want(0, [](T u, T v) { return u == v; }));
    const sk::matrix<T> columns = sk::transpose(y);
    const sk::matrix<T> sums = s.choose.one_in(2) ? sk::matrix<T>(Calls::product(x, y))
                                                  : sk::matrix<T>(Calls::product(x, sk::transpose(columns)));
    compare("product", sums, want(T(1), [](T u, T v) { return u * v; }));
}

template <class Calls, class T>
void tensors(state<T>& s)
{
    const std::size_t rows = s.n ? 1 + s.choose.below(std::min<std::size_t>(s.n, 9)) : 0;
    const std::size_t planes = rows ? s.n / rows / 3 : 0, count = planes * rows * 3;
    const auto& a = s.plain[s.vector()];
    sk::tensor<T, 3> t({planes, rows, 3}, a.begin());
    const auto want = made<T>(
        count, [&](std::size_t p) { return ten<T>(double(p / (rows * 3) * 5 + p / 3 % rows * 3 + p % 3) + a[p]); });
    if (s.choose.one_in(2))
        return compare_value("sum of a tensor", Calls::sum(Calls::in_space(t)).get(),
                             std::accumulate(want.begin(), want.end(), T(2)));
    t = Calls::in_space(t);
    compare("tensor", t, want);
}

template <class Calls, class T>
void matrix_maps(state<T>& s)
{
    const std::size_t to = s.matrix(), from = s.matrix(), i = s.vector();
    const auto g = s.grids[from];
    switch (s.choose.below(3)) {
    case 0:
        s.m[to] = Calls::placed(Calls::apart(s.m[from], s.m[0]));
        return fill(s.grids[to], [&](std::size_t p) {
            return ten<T>(double(p / s.cols * 3 + p % s.cols) + apart(g[p], s.grids[0][p]));
        });
    case 1: {
        const bool down = s.cols > s.n || s.choose.one_in(2);
        if ((down ? s.rows : s.cols) > s.n) return; // as many elements as lines
        const auto& a = s.plain[i];
        if (down) s.m[to] = Calls::apart(sk::per_row(s.x[i].range(0, s.rows)), s.m[from]);
        else s.m[to] = Calls::apart(s.m[from], sk::per_column(s.x[i].range(0, s.cols)));
        return fill(s.grids[to], [&](std::size_t p) { return apart(g[p], a[down ? p / s.cols : p % s.cols]); });
    }
    default:
        const std::size_t r = s.choose.below(s.rows + 1), c = s.choose.below(s.cols + 1);
        const part p = any_part(s, r, c), q = any_part(s, r, c);
        s.m[to].sub(p.row, p.col, r, c) = Calls::placed(s.m[from].sub(q.row, q.col, r, c));
        for (std::size_t e = 0; e < r * c; ++e)
            s.grids[to][(p.row + e / c) * s.cols + p.col + e % c] =
                ten<T>(double(e / c * 3 + e % c) + g[(q.row + e / c) * s.cols + q.col + e % c]);
    }
}

template <class Calls, class T>
void matrices(state<T>& s)
{
    switch (s.choose.below(4)) {
    case 0:
        return products<Calls>(s);
    case 1:
        return tensors<Calls>(s);
    default:
        return matrix_maps<Calls>(s);
    }
}

} // namespace random_programs
