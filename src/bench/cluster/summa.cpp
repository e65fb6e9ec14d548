// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/cluster/contest.hpp"
#include "src/bench/cluster/rivals/summa_mpi.hpp"
#include "src/data/memory/memory.hpp"

#include <fmt/core.h>
#include <skelrt/skelrt.hpp>

#include <algorithm>
#include <cmath>

namespace bench
{
namespace
{

namespace sk = skelrt;

const auto times = sk::all_pairs(sk::multiplies, sk::plus);

/// The typed loops of a call.
template <class Call>
struct loops_of;
template <class Zip, class Op, class T, class Left, class Right>
struct loops_of<sk::detail::all_pairs_expression<Zip, Op, T, Left, Right>> {
    static const sk::detail::pair_functions& get() { return sk::detail::pair_functions_of<Left, Right, Zip, Op, T>; }
};

/// Small fractions, whose sums are exact in either type.
template <class T>
T value_of(int side, std::size_t row, std::size_t col)
{
    return static_cast<T>((row * 7 + col * 3 + static_cast<std::size_t>(side) * 5) % 17) / 8 - 1;
}

template <class T>
sk::matrix<T> in_grid(std::size_t n, int side)
{
    sk::matrix<T> m(n, n, T());
    sk::distribute(m, sk::distribution::grid());
    auto here = sk::local(m);
    for (std::size_t r = 0; r < here.rows(); ++r)
        for (std::size_t c = 0; c < here.cols(); ++c)
            here(r, c) = value_of<T>(side, here.row_number(r), here.column_number(c));
    return m;
}

template <class T>
class product
{
public:
    explicit product(const contest& c)
        : c_(c), n_(c.o.product), a_(in_grid<T>(n_, 0)), b_(in_grid<T>(n_, 1)), to_(in_grid<T>(n_, 0))
    {
    }
    void multiply()
    {
        to_ = times(a_, sk::transpose(b_));
        sk::wait(to_);
    }
    /// The same. Of containers in use, panels included, when all is submitted.
    double bytes_while_multiplying()
    {
        to_ = times(a_, sk::transpose(b_));
        const std::size_t bytes = sk::detail::bytes_in_use();
        sk::wait(to_);
        return static_cast<double>(bytes);
    }
    /// Time of skelrt over the rival's.
    double race_rival(const char* type)
    {
        using call = decltype(times(a_, sk::transpose(b_)));
        const tile_kernel kernel(loops_of<call>::get(), sizeof(T));
        const auto fill = [](int side, std::size_t row, std::size_t col, void* to) {
            *static_cast<T*>(to) = value_of<T>(side, row, col);
        };
        const int rows = grid_rows();
        summa_mpi rival(c_.all, c_.team, kernel, rows, c_.all.size() / rows, n_, sizeof(T), fill);
        const auto times = race(c_, {{"skelrt", runs_as::skelrt, [&] { multiply(); }},
                                     {"MPI + OpenMP", runs_as::team, [&] { rival.run(); }}});
        check(c_, "summa", wrong_elements(rival));
        const double flop = 2 * std::pow(static_cast<double>(n_), 3) * 1e-9;
        c_.out.row(type, "skelrt", times[0], flop / times[0].median, "GFLOP/s");
        c_.out.row(type, "MPI + OpenMP", times[1], flop / times[1].median, "GFLOP/s");
        return times[0].median / times[1].median;
    }
    double bytes() const { return 3 * static_cast<double>(n_) * static_cast<double>(n_) * sizeof(T); }

private:
    /// As sk::distribution::grid() has them.
    int grid_rows() const
    {
        const auto here = sk::local(std::as_const(to_));
        return static_cast<int>(std::lround(static_cast<double>(n_) / static_cast<double>(here.rows())));
    }
    std::size_t wrong_elements(const summa_mpi& rival) const
    {
        const auto mine = sk::local(std::as_const(to_));
        if (mine.rows() != rival.rows().count || mine.cols() != rival.cols().count) return 1;
        const auto* const its = reinterpret_cast<const T*>(rival.result());
        std::size_t wrong = 0;
        for (std::size_t r = 0; r < mine.rows(); ++r)
            for (std::size_t c = 0; c < mine.cols(); ++c) wrong += mine(r, c) != its[r * mine.cols() + c];
        return wrong;
    }

    const contest& c_;
    std::size_t n_;
    sk::matrix<T> a_, b_, to_;
};

} // namespace

void bench_summa(const contest& c)
{
    c.out.heading(fmt::format("summa: {0} x {0} times {0} x {0}, over a grid of ranks", c.o.product));
    double worst = 0;
    {
        const auto before = static_cast<double>(sk::detail::bytes_in_use());
        product<double> p(c);
        const double fullest = c.all.largest(p.bytes_while_multiplying() - before);
        c.out.figure("cluster_memory_summa", fullest * c.all.size() / p.bytes());
        worst = p.race_rival("doubles");
    }
    worst = std::max(worst, product<float>(c).race_rival("floats"));
    c.out.figure(fmt::format("summa_vs_mpi_P{}", c.all.size()), worst);
}

} // namespace bench
