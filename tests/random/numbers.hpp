#pragma once

#include "random_programs.hpp"

#include <skelrt/skelrt.hpp>

#include <algorithm>
#include <numeric>
#include <utility>

/// Programs on numbers. The calls are made by a macro, because device compilers read a function's text, in which a template's
/// parameter would mean nothing.
namespace sk = skelrt;

#define RANDOM_PROGRAM_CALLS(T)                                                                                        \
    struct calls {                                                                                                     \
        static constexpr auto apart = sk::map(SKELRT_FN((T a, T b) { return a < b ? (T)(b - a) : (T)(a - b); }));      \
        static constexpr auto wrap = sk::map(SKELRT_FN((T v) { return (T)((long)v % 10); }));                          \
        static constexpr auto add = sk::map(SKELRT_FN((T a, T b) { return (T)(a + b); }));                             \
        static constexpr auto axpy = sk::map(SKELRT_FN((T f, T a, T b) { return (T)((long)(f * a + b) % 10); }));      \
        static constexpr auto numbered =                                                                               \
            sk::map(SKELRT_FN((sk::index1 i, T a) { return (T)((i.i + (size_t)a) % 10); }));                           \
        static constexpr auto placed =                                                                                 \
            sk::map(SKELRT_FN((sk::index2 i, T a) { return (T)((i.row * 3 + i.col + (size_t)a) % 10); }));             \
        static constexpr auto in_space = sk::map(                                                                      \
            SKELRT_FN((sk::index3 i, T a) { return (T)((i.plane * 5 + i.row * 3 + i.col + (size_t)a) % 10); }));       \
        static constexpr auto pick =                                                                                   \
            sk::map(SKELRT_FN((sk::index1 i, T a, sk::vec<T> x) { return x[(i.i * 7 + (size_t)a) % x.size()]; }));     \
        static constexpr auto drawn =                                                                                  \
            sk::map(SKELRT_FN((sk::random r, T a) { return (T)((r.bits() + (unsigned)a) % 10u); }));                   \
        static constexpr auto apart_pairs = sk::map_pairs(SKELRT_FN((T a, T b) { return a < b ? (T)(b - a) : a; }));   \
        static constexpr auto count =                                                                                  \
            sk::for_each(SKELRT_FN((T a, T b, sk::accumulator<T> to) { to.add((size_t)(a + b), (T)1); }));             \
        static constexpr auto sum = sk::reduce(SKELRT_FN((T a, T b) { return (T)(a + b); }), (T)2);                    \
        static constexpr auto largest = sk::reduce(SKELRT_FN((T a, T b) { return a < b ? b : a; }), (T)0);             \
        static constexpr auto last_set = sk::reduce(SKELRT_FN((T a, T b) { return b == (T)0 ? a : b; }), (T)7);        \
        static constexpr auto running = sk::scan(SKELRT_FN((T a, T b) { return (T)(a + b); }));                        \
        static constexpr auto running_last =                                                                           \
            sk::exclusive_scan(SKELRT_FN((T a, T b) { return b == (T)0 ? a : b; }), (T)5);                             \
        template <class Border>                                                                                        \
        static auto line(const Border& b)                                                                              \
        {                                                                                                              \
            return sk::stencil(SKELRT_FN((sk::hood1<T> u) { return (T)((long)(u(-2) + 3 * u(0) + u(1)) % 10); }), b);  \
        }                                                                                                              \
        template <class Border>                                                                                        \
        static auto cross(const Border& b)                                                                             \
        {                                                                                                              \
            return sk::stencil(SKELRT_FN((sk::hood2<T> u) {                                                            \
                                   return (T)((long)(u(-1, 0) + 2 * u(0, 0) + u(1, 0) + 3 * u(0, -1) + u(0, 1)) % 10); \
                               }),                                                                                     \
                               b);                                                                                     \
        }                                                                                                              \
    };

namespace random_programs
{

template <class T, class Calls>
class program
{
public:
    explicit program(unsigned seed) : choose_(seed), n_(choose_.size()), fused_(!choose_.one_in(3))
    {
        const std::size_t side = static_cast<std::size_t>(choose_.below(1 + std::min<std::size_t>(n_, 1000)));
        rows_ = side, cols_ = side ? n_ / side : choose_.below(4);
        for (int k = 0; k < 4; ++k) {
            plain_.push_back(fresh(n_));
            x_.emplace_back(plain_.back().begin(), plain_.back().end());
            if (choose_.one_in(3)) x_.back().set_tiles(1 + choose_.below(choose_.one_in(4) ? 64 : 9));
        }
        for (int k = 0; k < 2; ++k) {
            grids_.push_back(fresh(rows_ * cols_));
            m_.emplace_back(rows_, cols_, grids_.back().begin());
            if (choose_.one_in(3)) m_.back().set_tiles(1 + choose_.below(9));
        }
    }

    void run(unsigned steps)
    {
        const sk::fusion switched(fused_);
        for (unsigned k = 0; k < steps; ++k) step();
        for (std::size_t k = 0; k < x_.size(); ++k) compare("vector", x_[k], plain_[k]);
        for (std::size_t k = 0; k < m_.size(); ++k) compare("matrix", m_[k], grids_[k]);
    }

private:
    std::vector<T> fresh(std::size_t n)
    {
        std::vector<T> v(n);
        for (T& e : v) e = static_cast<T>(choose_.below(10));
        return v;
    }
    template <class Container>
    static void compare(const std::string& what, const Container& got, const std::vector<T>& want)
    {
        const auto h = sk::host_read(got);
        check(what, std::vector<T>(h.begin(), h.end()), want);
    }
    static void compare(const std::string& what, T got, T want)
    {
        check(what, std::vector<T>{got}, std::vector<T>{want});
    }

    static T ten(double v) { return static_cast<T>(static_cast<long>(v) % 10); }
    static T apart(T a, T b) { return a < b ? static_cast<T>(b - a) : static_cast<T>(a - b); }
    static T last_set(T a, T b) { return b == T(0) ? a : b; }

    template <class F>
    static void fill(std::vector<T>& to, F f)
    {
        std::vector<T> made(to.size());
        for (std::size_t p = 0; p < to.size(); ++p) made[p] = f(p);
        to = std::move(made);
    }

    void step()
    {
        const std::size_t to = choose_.below(4), i = choose_.below(4), j = choose_.below(4), k = choose_.below(4);
        switch (choose_.below(6)) {
        case 0:
            return maps(to, i, j, k);
        case 1:
            return parts(to, i, j);
        case 2:
            return reductions(to, i, j);
        case 3:
            return scans_and_sums(to, i, j);
        case 4:
            return on_matrices(choose_.below(2), choose_.below(2), i);
        default:
            return neighbours(to, i);
        }
    }

    void maps(std::size_t to, std::size_t i, std::size_t j, std::size_t k)
    {
        const auto &a = plain_[i], &b = plain_[j], &c = plain_[k];
        const T f = static_cast<T>(choose_.below(10));
        switch (choose_.below(6)) {
        case 0:
            x_[to] = Calls::apart(x_[i], x_[j]);
            return fill(plain_[to], [&](std::size_t p) { return apart(a[p], b[p]); });
        case 1:
            x_[to] = Calls::wrap(Calls::add(Calls::axpy(f, x_[i], x_[j]), Calls::numbered(Calls::apart(x_[j], x_[k]))));
            return fill(plain_[to], [&](std::size_t p) {
                return ten(ten(f * a[p] + b[p]) + ten(double(p % 10) + apart(b[p], c[p])));
            });
        case 2:
            if (n_ == 0) return;
            x_[to] = Calls::pick(Calls::apart(x_[i], x_[k]), x_[j]);
            return fill(plain_[to],
                        [&](std::size_t p) { return b[(p * 7 + static_cast<std::size_t>(apart(a[p], c[p]))) % n_]; });
        case 3: {
            const sk::random_seed seed{choose_.below(1000), choose_.below(3)};
            x_[to] = Calls::drawn(seed, x_[i]);
            return fill(plain_[to], [&](std::size_t p) {
                return static_cast<T>((sk::random(seed.key(), p).bits() + static_cast<unsigned>(a[p])) % 10u);
            });
        }
        case 4:
            x_[to] = x_[i];
            plain_[to] = std::vector<T>(a);
            return;
        default:
            std::swap(x_[to], x_[i]);
            std::swap(plain_[to], plain_[i]);
            if (n_ == 0) return;
            const std::size_t at = choose_.below(n_);
            sk::host(x_[to])[at] = f;
            plain_[to][at] = f;
        }
    }

    void parts(std::size_t to, std::size_t i, std::size_t j)
    {
        const std::size_t count = choose_.below(n_ + 1);
        const auto place = [&] { return choose_.below(n_ - count + 1); };
        const std::size_t at = place(), p = place(), q = place();
        x_[to].range(at, count) = Calls::apart(x_[i].range(p, count), Calls::numbered(x_[j].range(q, count)));
        std::vector<T> made(count);
        for (std::size_t e = 0; e < count; ++e)
            made[e] = apart(plain_[i][p + e], ten(double(e % 10) + plain_[j][q + e]));
        std::copy(made.begin(), made.end(), plain_[to].begin() + static_cast<std::ptrdiff_t>(at));
    }

    void reductions(std::size_t to, std::size_t i, std::size_t j)
    {
        const auto &a = plain_[i], &b = plain_[j];
        switch (choose_.below(4)) {
        case 0: {
            T want = 2;
            for (std::size_t p = 0; p < n_; ++p) want = static_cast<T>(want + apart(a[p], b[p]));
            return compare("sum", Calls::sum(Calls::apart(x_[i], x_[j])).get(), want);
        }
        case 1:
            return compare("last", Calls::last_set(x_[i]).get(), std::accumulate(a.begin(), a.end(), T(7), last_set));
        case 2: {
            const sk::scalar<T> top = Calls::largest(x_[i]);
            x_[to] = Calls::axpy(top, x_[j], x_[i]);
            const T t = a.empty() ? T(0) : *std::max_element(a.begin(), a.end());
            return fill(plain_[to], [&](std::size_t p) { return ten(t * b[p] + a[p]); });
        }
        default: {
            const std::size_t c = std::min<std::size_t>(n_, 1 + choose_.below(200));
            compare("pairs", Calls::sum(Calls::apart_pairs(x_[i].range(0, c), x_[j].range(n_ - c, c))).get(),
                    pairs_sum(a, b, c));
        }
        }
    }

    T pairs_sum(const std::vector<T>& a, const std::vector<T>& b, std::size_t c) const
    {
        T want = 2;
        for (std::size_t p = 0; p < c; ++p)
            for (std::size_t q = n_ - c; q < n_; ++q) want = static_cast<T>(want + (a[p] < b[q] ? b[q] - a[p] : a[p]));
        return want;
    }

    void scans_and_sums(std::size_t to, std::size_t i, std::size_t j)
    {
        const auto &a = plain_[i], &b = plain_[j];
        switch (choose_.below(4)) {
        case 0: {
            x_[to] = Calls::running(Calls::apart(x_[i], x_[j]));
            T total = 0;
            std::vector<T> made(n_);
            for (std::size_t p = 0; p < n_; ++p) made[p] = total = static_cast<T>(total + apart(a[p], b[p]));
            x_[to] = Calls::wrap(x_[to]);
            return fill(plain_[to], [&](std::size_t p) { return ten(static_cast<double>(made[p])); });
        }
        case 1: {
            x_[to] = Calls::running_last(x_[i]);
            T last = 5;
            std::vector<T> made(n_);
            for (std::size_t p = 0; p < n_; ++p) made[p] = last, last = last_set(last, a[p]);
            plain_[to] = std::move(made);
            return;
        }
        case 2: {
            sk::vector<T> sums(19, T(1));
            Calls::count(x_[i], Calls::wrap(x_[j]), sums);
            std::vector<T> want(19, T(1));
            for (std::size_t p = 0; p < n_; ++p) want[static_cast<std::size_t>(a[p] + b[p])] += T(1);
            return compare("counts", sums, want);
        }
        default: {
            if (n_ == 0) return;
            const sk::map where(SKELRT_FN((sk::index1 i, unsigned long n) { return (i.i * 13 + 5) % n; }));
            const sk::vector<unsigned long> index = where(sk::shape(n_), static_cast<unsigned long>(n_));
            x_[to] = sk::gather(x_[i], index);
            return fill(plain_[to], [&, old = a](std::size_t p) { return old[(p * 13 + 5) % n_]; });
        }
        }
    }

    void on_matrices(std::size_t to, std::size_t from, std::size_t i)
    {
        const auto& g = grids_[from];
        switch (choose_.below(5)) {
        case 0:
            m_[to] = Calls::placed(Calls::apart(m_[from], m_[0]));
            return fill(grids_[to], [&](std::size_t p) {
                return ten(double(p / cols_ * 3 + p % cols_) + apart(g[p], grids_[0][p]));
            });
        case 1: {
            const sk::vector<T> sums = Calls::sum.by_row(Calls::apart(m_[from], m_[1]));
            std::vector<T> want(rows_, T(2));
            for (std::size_t p = 0; p < g.size(); ++p) want[p / cols_] += apart(g[p], grids_[1][p]);
            return compare("rows", sums, want);
        }
        case 2: {
            const sk::vector<T> lasts = Calls::last_set.by_column(m_[from]);
            std::vector<T> want(cols_, T(7));
            for (std::size_t p = 0; p < g.size(); ++p) want[p % cols_] = last_set(want[p % cols_], g[p]);
            return compare("columns", lasts, want);
        }
        case 3: {
            const std::size_t r = choose_.below(rows_ + 1), c = choose_.below(cols_ + 1);
            const std::size_t r1 = choose_.below(rows_ - r + 1), c1 = choose_.below(cols_ - c + 1);
            const std::size_t r2 = choose_.below(rows_ - r + 1), c2 = choose_.below(cols_ - c + 1);
            m_[to].sub(r1, c1, r, c) = Calls::placed(m_[from].sub(r2, c2, r, c));
            const auto old = g;
            for (std::size_t p = 0; p < r * c; ++p)
                grids_[to][(r1 + p / c) * cols_ + c1 + p % c] =
                    ten(double(p / c * 3 + p % c) + old[(r2 + p / c) * cols_ + c2 + p % c]);
            return;
        }
        default: {
            const std::size_t rows = n_ ? 1 + choose_.below(std::min<std::size_t>(n_, 9)) : 0;
            const std::size_t planes = rows ? n_ / rows / 3 : 0, count = planes * rows * 3;
            const auto& a = plain_[i];
            sk::tensor<T, 3> t({planes, rows, 3}, a.begin());
            t = Calls::in_space(t);
            std::vector<T> want(count);
            for (std::size_t p = 0; p < count; ++p)
                want[p] = ten(double(p / (rows * 3) * 5 + p / 3 % rows * 3 + p % 3) + a[p]);
            return compare("tensor", t, want);
        }
        }
    }

    /// Where position p of an axis lies for a border: the place in the grid, or -1 for the constant.
    static long inside(long p, long n, int border)
    {
        if (p >= 0 && p < n) return p;
        if (border == 1) return (p % n + n) % n;
        if (border == 2) return std::clamp(p, 0L, n - 1);
        return -1;
    }

    void neighbours(std::size_t to, std::size_t i)
    {
        const int border = static_cast<int>(choose_.below(3));
        const bool line = choose_.one_in(2);
        const auto apply = [&](const auto& b) {
            if (line) x_[to] = Calls::line(b)(Calls::wrap(x_[i]));
            else m_[to % 2] = Calls::cross(b)(m_[i % 2]);
        };
        if (border == 0) apply(sk::border::constant(T(4)));
        if (border == 1) apply(sk::border::cyclic());
        if (border == 2) apply(sk::border::nearest());
        const auto n = static_cast<long>(n_), rows = static_cast<long>(rows_), cols = static_cast<long>(cols_);
        if (line) {
            const auto old = plain_[i];
            const auto u = [&](long p) {
                const long q = inside(p, n, border);
                return static_cast<double>(q < 0 ? T(4) : old[static_cast<std::size_t>(q)]);
            };
            return fill(plain_[to], [&](std::size_t s) {
                const long p = static_cast<long>(s);
                return ten(u(p - 2) + 3 * u(p) + u(p + 1));
            });
        }
        const auto old = grids_[i % 2];
        const auto u = [&](long r, long c) {
            const long y = inside(r, rows, border), x = inside(c, cols, border);
            return static_cast<double>(y < 0 || x < 0 ? T(4) : old[static_cast<std::size_t>(y * cols + x)]);
        };
        fill(grids_[to % 2], [&](std::size_t s) {
            const long r = static_cast<long>(s) / cols, c = static_cast<long>(s) % cols;
            return ten(u(r - 1, c) + 2 * u(r, c) + u(r + 1, c) + 3 * u(r, c - 1) + u(r, c + 1));
        });
    }

    choices choose_;
    std::size_t n_, rows_ = 0, cols_ = 0;
    bool fused_;
    std::vector<std::vector<T>> plain_, grids_;
    std::vector<sk::vector<T>> x_;
    std::vector<sk::matrix<T>> m_;
};

} // namespace random_programs
