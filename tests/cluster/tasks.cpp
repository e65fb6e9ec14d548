// SPDX-License-Identifier: BSD-3-Clause
/// Random programs of tasks, calls and host views over several ranks, against plain sequential code: tasks PROGRAMS
/// TASKS, under mpirun. Every rank draws the same numbers. Exit code 0 if all is as it should be.

#include <skelrt/skelrt.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace sk = skelrt;

namespace
{

int failures = 0;

void expect(const char* what, std::size_t at, unsigned got, unsigned wanted)
{
    if (got == wanted || ++failures > 10) return;
    std::fprintf(stderr, "rank %d of %d: %s, element %zu: %u instead of %u\n", sk::rank(), sk::ranks(), what, at, got,
                 wanted);
}

/// Rows and columns of a container that one rank holds.
struct part {
    std::size_t container, row, col, rows, cols;
};

bool overlap(const part& a, const part& b)
{
    return a.container == b.container && a.row < b.row + b.rows && b.row < a.row + a.rows && a.col < b.col + b.cols &&
           b.col < a.col + a.cols;
}

/// A container and what should be in it.
struct mirrored {
    std::size_t rows, cols;
    std::vector<unsigned> plain;
    std::size_t block_rows = 0, block_cols = 0; ///< of what lies in blocks in turn; 0: in one block a rank

    unsigned& at(const part& p, std::size_t i, std::size_t j)
    {
        return plain[(p.row + i % p.rows) * cols + p.col + j % p.cols];
    }
};

using block = sk::block<unsigned>;
using seen = sk::block<const unsigned>;

unsigned around(const seen& x, std::size_t i, std::size_t j) { return x(i % x.rows(), j % x.cols()); }

template <class Do>
void for_each_place(std::size_t rows, std::size_t cols, Do act)
{
    for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t j = 0; j < cols; ++j) act(i, j);
}

unsigned sum_of(const seen& x)
{
    unsigned all = 0;
    for_each_place(x.rows(), x.cols(), [&](auto i, auto j) { all += x(i, j); });
    return all;
}

const auto more = sk::map(SKELRT_FN((unsigned v) { return 7u * v + 1u; }));

class program
{
public:
    explicit program(unsigned seed) : random_(seed)
    {
        const std::size_t size = draw(3) == 0 ? draw(4) + 1 : draw(40) + 1;
        all_ = {{1, size * 5, {}}, {size, draw(9) + 1, {}}, {size + draw(20), draw(17) + 1, {}}};
        for (mirrored& m : all_)
            if (draw(2) == 0) m.block_rows = draw(5) + 1, m.block_cols = draw(7) + 1;
        x_ = sk::vector<unsigned>(all_[0].cols, 1u);
        for (int k = 0; k < 2; ++k) m_[k] = sk::matrix<unsigned>(all_[k + 1].rows, all_[k + 1].cols, 1u);
        for (mirrored& m : all_) m.plain.assign(m.rows * m.cols, 1u);
        for (std::size_t c = 0; c < all_.size(); ++c) deal_out(c);
        total_ = 3;
    }

    void run(int tasks)
    {
        for (int k = 0; k < tasks; ++k) step();
        for (std::size_t c = 0; c < all_.size(); ++c) compare(c);
        expect("the scalar", 0, total_.get(), plain_total_);
        for (const auto& [f, value] : sums_) expect("a future", 0, f.get(), value);
    }

private:
    std::size_t draw(std::size_t below) { return random_() % below; }

    void deal_out(std::size_t c)
    {
        if (all_[c].block_rows == 0) return;
        const auto in_turn = sk::distribution::grid().cyclic(all_[c].block_rows, all_[c].block_cols);
        if (c == 0) sk::distribute(x_, in_turn);
        else sk::distribute(m_[c - 1], in_turn);
    }

    /// What a rank holds of so many rows, or of a vector's elements.
    std::pair<std::size_t, std::size_t> held(std::size_t lines)
    {
        const auto ranks = static_cast<std::size_t>(sk::ranks());
        for (;;) {
            const std::size_t p = draw(ranks), q = lines / ranks, longer = lines % ranks;
            const std::size_t count = q + (p < longer ? 1 : 0);
            if (count > 0) return {p * q + std::min(p, longer), count};
        }
    }
    std::pair<std::size_t, std::size_t> range_in(std::size_t first, std::size_t count)
    {
        const std::size_t skip = draw(count);
        return {first + skip, draw(count - skip) + 1};
    }
    std::pair<std::size_t, std::size_t> range_in_block(std::size_t lines, std::size_t block)
    {
        const std::size_t first = draw((lines + block - 1) / block) * block;
        return range_in(first, std::min(block, lines - first));
    }
    part draw_part()
    {
        const std::size_t c = draw(all_.size());
        if (all_[c].block_rows > 0) {
            const auto rows = range_in_block(all_[c].rows, all_[c].block_rows);
            const auto cols = range_in_block(all_[c].cols, all_[c].block_cols);
            return {c, rows.first, cols.first, rows.second, cols.second};
        }
        const auto here = held(c == 0 ? all_[c].cols : all_[c].rows);
        const auto lines = draw(3) == 0 ? here : range_in(here.first, here.second);
        if (c == 0) return {c, 0, lines.first, 1, lines.second};
        const auto cols = range_in(0, all_[c].cols);
        return {c, lines.first, cols.first, lines.second, cols.second};
    }
    part draw_part_beside(const part& other)
    {
        for (;;)
            if (const part p = draw_part(); !overlap(p, other)) return p;
    }

    template <class Do>
    void with(const part& p, Do act)
    {
        if (p.container == 0) act(x_.range(p.col, p.cols));
        else act(m_[p.container - 1].sub(p.row, p.col, p.rows, p.cols));
    }
    unsigned plain_sum(const part& p)
    {
        unsigned all = 0;
        for_each_place(p.rows, p.cols, [&](auto i, auto j) { all += all_[p.container].at(p, i, j); });
        return all;
    }
    template <class Do>
    void change(const part& p, Do act)
    {
        for_each_place(p.rows, p.cols, [&](auto i, auto j) { act(all_[p.container].at(p, i, j), i, j); });
    }

    void step()
    {
        const part y = draw_part(), x = draw_part_beside(y), z = draw_part_beside(y);
        mirrored &from = all_[x.container], &also = all_[z.container];
        const int by = static_cast<int>(draw(100));
        switch (draw(14)) {
        case 0:
        case 1:
        case 2:
            with(y, [&](auto to) {
                with(x, [&](auto in) {
                    sk::task(
                        {.priority = by % 3},
                        [](seen v, block w) {
                            for_each_place(w.rows(), w.cols(),
                                           [&](auto i, auto j) { w(i, j) = 3 * w(i, j) + around(v, i, j); });
                        },
                        sk::in(in), sk::inout(to));
                });
            });
            return change(y, [&](unsigned& v, auto i, auto j) { v = 3 * v + from.at(x, i, j); });
        case 3:
        case 4:
            with(y, [&](auto to) {
                with(x, [&](auto in) {
                    with(z, [&](auto in2) {
                        sk::task(
                            [](seen v, seen u, block w) {
                                for_each_place(w.rows(), w.cols(), [&](auto i, auto j) {
                                    w(i, j) = around(v, i, j) + 2 * around(u, i, j);
                                });
                            },
                            sk::in(in), sk::in(in2), sk::out(to));
                    });
                });
            });
            return change(y, [&](unsigned& v, auto i, auto j) { v = from.at(x, i, j) + 2 * also.at(z, i, j); });
        case 5:
            with(x,
                 [&](auto in) { sk::task([](seen v, unsigned& s) { s = sum_of(v); }, sk::in(in), sk::out(total_)); });
            plain_total_ = plain_sum(x);
            return;
        case 6:
            with(y, [&](auto to) {
                sk::task([](const unsigned& s,
                            block w) { for_each_place(w.rows(), w.cols(), [&](auto i, auto j) { w(i, j) += s; }); },
                         sk::in(total_), sk::inout(to));
            });
            return change(y, [&](unsigned& v, auto, auto) { v += plain_total_; });
        case 7:
            with(x, [&](auto in) {
                sk::task([](seen v, unsigned& s) { s += sum_of(v); }, sk::in(in), sk::reduction(sk::plus, total_));
            });
            plain_total_ += plain_sum(x);
            return;
        case 8:
            with(y, [&](auto to) {
                sk::task(
                    [](block w, std::span<unsigned> room, int b) {
                        room[0] = static_cast<unsigned>(b);
                        for_each_place(w.rows(), w.cols(), [&](auto i, auto j) { w(i, j) += room[0]; });
                    },
                    sk::commute(to), sk::scratch<unsigned>(2), by);
            });
            return change(y, [&](unsigned& v, auto, auto) { v += static_cast<unsigned>(by); });
        case 9:
            with(x, [&](auto in) {
                sums_.emplace_back(sk::task([](seen v) { return sum_of(v); }, sk::in(in)), plain_sum(x));
            });
            return;
        case 10: {
            if (sums_.empty()) return;
            const auto& [f, value] = sums_[draw(sums_.size())];
            with(y, [&](auto to) {
                sk::task(
                    {.after = {sums_[draw(sums_.size())].first}},
                    [](unsigned s, block w) {
                        for_each_place(w.rows(), w.cols(), [&](auto i, auto j) { w(i, j) ^= s; });
                    },
                    f, sk::inout(to));
            });
            return change(y, [v2 = value](unsigned& v, auto, auto) { v ^= v2; });
        }
        case 11:
            with(y, [&](auto to) {
                sk::task(
                    [](block w, unsigned& s) {
                        w(0, 0) += s;
                        s = w(0, 0) + 1;
                    },
                    sk::inout(to), sk::inout(total_));
            });
            all_[y.container].at(y, 0, 0) += plain_total_;
            plain_total_ = all_[y.container].at(y, 0, 0) + 1;
            return;
        case 12:
            return call(x.container);
        default:
            return look(x, static_cast<unsigned>(by));
        }
    }

    void call(std::size_t c)
    {
        if (c == 0) x_ = more(x_);
        else m_[c - 1] = more(m_[c - 1]);
        for (unsigned& v : all_[c].plain) v = 7u * v + 1u;
    }

    void look(const part& p, unsigned by)
    {
        switch (draw(7)) {
        case 0:
            return compare(p.container);
        case 4:
        case 5:
            return view(p, by);
        case 1:
            if (sums_.empty()) return;
            return expect("a future", 0, sums_.back().first.get(), sums_.back().second);
        case 2:
            return sk::barrier();
        case 3:
            return with(p, [](auto view) { sk::wait(view); });
        default:
            if (p.container == 0) sk::host(x_)[p.col] += by;
            else sk::host(m_[p.container - 1])(p.row, p.col) += by;
            all_[p.container].at(p, 0, 0) += by;
        }
    }

    void view(const part& p, unsigned by)
    {
        with(p, [&](auto elements) {
            const auto h = sk::host(elements);
            for_each_place(p.rows, p.cols, [&](auto i, auto j) {
                unsigned& v = at(h, i, j);
                expect("a part", i, v, all_[p.container].at(p, i, j));
                v += by;
            });
        });
        change(p, [&](unsigned& v, auto, auto) { v += by; });
    }
    static unsigned& at(const sk::host_range<unsigned>& h, std::size_t, std::size_t j) { return h[j]; }
    static unsigned& at(const sk::host_block<unsigned>& h, std::size_t i, std::size_t j) { return h(i, j); }

    void compare(std::size_t c)
    {
        const auto all = [&](const auto& h) {
            for (std::size_t k = 0; k < all_[c].plain.size(); ++k)
                expect("a container", k, h.data()[k], all_[c].plain[k]);
        };
        if (c == 0) all(sk::host_read(x_));
        else all(sk::host_read(m_[c - 1]));
    }

    std::mt19937 random_;
    std::vector<mirrored> all_;
    sk::vector<unsigned> x_;
    sk::matrix<unsigned> m_[2];
    sk::scalar<unsigned> total_;
    unsigned plain_total_ = 3;
    std::vector<std::pair<sk::future<unsigned>, unsigned>> sums_;
};

} // namespace

int main(int argc, char** argv)
{
    const int programs = argc > 1 ? std::atoi(argv[1]) : 20, tasks = argc > 2 ? std::atoi(argv[2]) : 100;
    const sk::runtime rt;
    for (int k = 0; k < programs && failures == 0; ++k) {
        program(static_cast<unsigned>(k)).run(tasks);
        failures += sk::agree(failures);
    }
    return failures > 0 ? 1 : 0;
}
