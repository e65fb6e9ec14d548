// SPDX-License-Identifier: BSD-3-Clause
/// What travels between ranks, and what a rank holds: traffic, under mpirun. Exit code 0 if all is as it should be.

#include "src/cluster/peers.hpp"
#include "src/data/memory/memory.hpp"
#include "src/data/parting/parting.hpp"
#include "src/runtime/running.hpp"

#include <skelrt/skelrt.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <string_view>
#include <utility>

namespace sk = skelrt;

namespace
{

int failures = 0;

void expect(const char* what, std::uint64_t got, std::uint64_t wanted)
{
    if (got == wanted) return;
    ++failures;
    std::fprintf(stderr, "rank %d: %s: %llu instead of %llu\n", sk::rank(), what, static_cast<unsigned long long>(got),
                 static_cast<unsigned long long>(wanted));
}

struct sent {
    std::uint64_t messages, bytes, values;
};

sent so_far()
{
    const sk::detail::peers* const others = sk::detail::running::current()->cluster;
    if (!others) return {}; // alone
    const auto t = others->so_far();
    return {t.messages_sent, t.bytes_sent, t.values_sent};
}

/// What this rank sends meanwhile.
template <class Do>
sent during(Do act)
{
    const sent before = so_far();
    act();
    const sent after = so_far();
    return {after.messages - before.messages, after.bytes - before.bytes, after.values - before.values};
}

/// Parts differ by one line at most.
void parts_are_balanced()
{
    const auto ranks = static_cast<std::size_t>(sk::ranks());
    for (const std::size_t n : {std::size_t{1}, ranks, 10 * ranks + 1, std::size_t{100003}}) {
        const sk::vector<int> x(n, 1);
        const std::size_t here = sk::local(x).size();
        expect("a part is balanced", here == n / ranks || here == n / ranks + 1, 1);
        expect("elements in all", static_cast<std::uint64_t>(static_cast<int>(sk::reduce(sk::plus, 0)(x))), n);
        const sk::matrix<int> m(n, 3, 1);
        expect("rows are cut as elements", sk::local(m).rows(), here);
    }
}

void maps_send_nothing()
{
    const auto twice = sk::map(SKELRT_FN((float v) { return 2 * v; }));
    const auto add = sk::map(SKELRT_FN((float a, float b) { return a + b; }));
    const sent s = during([&] {
        sk::vector<float> x(10007, 1.0f), y(10007, 2.0f);
        for (int i = 0; i < 20; ++i) y = add(twice(x), y);
        sk::matrix<float> m(503, 11, 1.0f);
        sk::vector<float> sums = sk::reduce(sk::plus, 0.0f).by_row(m);
        sk::wait(y);
        sk::wait(sums);
    });
    expect("messages of maps", s.messages + s.values, 0);
}

/// What SKELRT_STEPS says, or as many as ranks agree on.
std::uint64_t steps_of_pass(std::uint64_t otherwise)
{
    const char* const wanted = std::getenv("SKELRT_STEPS");
    return wanted ? std::strtoull(wanted, nullptr, 10) : otherwise;
}

/// Two neighbours get their rows at once for each step of a pass, and nothing else.
void stencils_send_rows()
{
    const auto heat =
        sk::stencil(SKELRT_FN((sk::hood2<double> u) { return 0.25 * (u(-1, 0) + u(1, 0) + u(0, -1) + u(0, 1)); }),
                    sk::border::constant(0.0));
    const std::size_t cols = 301, steps = 48;
    const auto neighbours = static_cast<std::uint64_t>((sk::rank() > 0) + (sk::rank() + 1 < sk::ranks()));
    sk::matrix<double> u(400, cols, 1.0);
    u = heat.iterate(2, u); // ranks agree on how many steps they make at a time
    const sent s = during([&] {
        u = heat.iterate(steps, u);
        sk::wait(u);
    });
    const std::uint64_t at_once =
        steps_of_pass(sk::ranks() > 1 && s.messages > 0 ? steps * neighbours / s.messages : 1);
    expect("steps of a pass", at_once >= 1 && at_once <= 64, 1);
    expect("messages of a stencil", s.messages, (steps + at_once - 1) / at_once * neighbours);
    expect("bytes of a stencil", s.bytes, steps * neighbours * cols * sizeof(double));
    expect("waits of a stencil", s.values, 0);
}

/// A part whose hoods see around it is shared like the whole: whole rows of the container travel, and nothing else.
void parts_send_rows()
{
    const auto star = sk::stencil(SKELRT_FN((sk::hood2<double> u) { return u(-2, 0) + u(2, 0) + u(0, -1) + u(0, 1); }),
                                  sk::border::none());
    const std::size_t rows = 400, cols = 301, reach = 2;
    const auto neighbours = static_cast<std::uint64_t>((sk::rank() > 0) + (sk::rank() + 1 < sk::ranks()));
    const sk::matrix<double> in(rows, cols, 1.0);
    sk::matrix<double> out(rows, cols, 2.0);
    const sent s = during([&] {
        out.sub(3, 5, rows - 6, cols - 9) =
            out.sub(3, 5, rows - 6, cols - 9) + star(sk::with_neighbours(in.sub(3, 5, rows - 6, cols - 9)));
        sk::wait(out);
    });
    expect("messages of a part", s.messages, neighbours);
    expect("bytes of a part", s.bytes, neighbours * reach * cols * sizeof(double));
    const double sum = sk::reduce(sk::plus, 0.0)(out);
    expect("a part", static_cast<std::uint64_t>(sum), 2 * rows * cols + 4 * (rows - 6) * (cols - 9));
}

/// A block of rank 0 that three tasks of the last rank need.
void tasks_send_blocks_once()
{
    if (sk::ranks() == 1) return;
    const std::size_t rows = 10 * static_cast<std::size_t>(sk::ranks()), bytes = (3 * 4 + 1) * sizeof(float);
    sk::matrix<float> a(rows, 7, 1.0f), b(rows, 7, 0.0f);
    const auto read_thrice = [&](std::size_t row) {
        for (std::size_t k = 0; k < 3; ++k)
            sk::task([](sk::block<const float> from, sk::block<float> to) { to(0, 0) += from(0, 0); },
                     sk::in(a.sub(row, 1, 3, 4)), sk::inout(b.sub(rows - 3 + k, 0, 1, 7)));
    };
    const std::uint64_t sender = sk::rank() == 0 ? 1 : 0;
    const auto expect_message = [&](const char* what, std::size_t row, std::uint64_t messages) {
        const sent s = during([&] { read_thrice(row); });
        expect(what, s.messages, messages * sender);
        expect(what, s.bytes, messages * sender * bytes);
        expect(what, s.values, 0);
    };
    expect_message("a block for three tasks", 2, 1);
    expect_message("a block that is there", 2, 0);
    expect_message("another block", 3, 1);
    sk::task([](sk::block<float> part) { part(0, 0) = 2; }, sk::inout(a.sub(4, 0, 1, 2)));
    expect_message("a block that a task has written", 2, 1);
    expect_message("a block beside", 5, 1);
    sk::host(a)(0, 0) = 3;
    expect_message("a block after a host view", 2, 1);
    {
        const auto h = sk::host_read(a);
    }
    expect_message("a block after a look", 2, 0);
    a = sk::map(SKELRT_FN((float v) { return 2 * v; }))(a);
    expect_message("a block after a call", 2, 1);
    sk::barrier();
    expect_message("a block after a barrier", 2, 1);
    const float first = sk::host_read(b)(rows - 1, 0);
    expect("what the tasks made", static_cast<std::uint64_t>(first), 1 + 1 + 1 + 1 + 1 + 1 + 1 + 2 + 2);
}

/// The tasks of a Cholesky factorisation, without its numbers: each block goes once to each rank that reads it.
void factorisations_send_blocks_once()
{
    constexpr std::size_t blocks = 7, side = 4, n = blocks * side - 1;
    sk::matrix<float> a(n, n, 1.0f);
    sk::distribute(a, sk::distribution::grid().cyclic(side, side));
    const sk::detail::parting* const dealt = a.storage()->dealt;
    const auto owner = [&](std::size_t i, std::size_t j) { return dealt ? dealt->owner(i * side, j * side) : 0; };
    std::set<std::array<std::size_t, 3>> needed; // block, and who reads it elsewhere
    const sk::blocks A(a, side, side);
    const auto use = [&](std::size_t i, std::size_t j, std::size_t to_i, std::size_t to_j) {
        if (owner(i, j) != owner(to_i, to_j)) needed.insert({i, j, owner(to_i, to_j)});
        return sk::in(A(i, j));
    };
    using in = sk::block<const float>;
    using inout = sk::block<float>;
    const sent s = during([&] {
        for (std::size_t k = 0; k < blocks; ++k) {
            sk::task([](inout) {}, sk::inout(A(k, k)));
            for (std::size_t i = k + 1; i < blocks; ++i)
                sk::task([](in, inout) {}, use(k, k, i, k), sk::inout(A(i, k)));
            for (std::size_t i = k + 1; i < blocks; ++i)
                for (std::size_t j = k + 1; j <= i; ++j)
                    sk::task([](in, in, inout) {}, use(i, k, i, j), use(j, k, i, j), sk::inout(A(i, j)));
        }
        sk::wait(a);
    });
    const auto mine = std::ranges::count_if(
        needed, [&](const auto& x) { return owner(x[0], x[1]) == static_cast<unsigned>(sk::rank()); });
    expect("messages of a factorisation", s.messages, static_cast<std::uint64_t>(mine));
}

sk::distribution in_turn() { return sk::distribution::grid().cyclic(3, 5); }

/// Functions that ask for no position do not care where the rows and columns of a grid are.
void maps_of_grids_send_nothing()
{
    const auto twice = sk::map(SKELRT_FN((float v) { return 2 * v; }));
    const auto add = sk::map(SKELRT_FN((float a, float b) { return a + b; }));
    sk::matrix<float> x(103, 57, 1.0f), y(103, 57, 2.0f);
    sk::distribute(x, in_turn());
    sk::distribute(y, in_turn());
    sk::scalar<float> s = 3.0f;
    const sent sent_meanwhile = during([&] {
        y = add(twice(x), y);
        const sk::matrix<float> z = add(y, s);
        x = add(z, x);
        sk::wait(x);
    });
    expect("messages of maps of grids", sent_meanwhile.messages + sent_meanwhile.values, 0);
}

/// To each rank one message, of what it lacks.
void partings_send_what_moves()
{
    const std::size_t rows = 40, cols = 36;
    sk::matrix<double> x(rows, cols, 1.0);
    const std::size_t mine = sk::local(x).size();
    sk::matrix<double> y = x;
    sk::distribute(y, sk::distribution::copy());
    const auto others = static_cast<std::uint64_t>(sk::ranks() - 1);
    const sent copies = during([&] {
        sk::distribute(x, sk::distribution::copy());
        sk::wait(x);
    });
    expect("messages to all", copies.messages, others);
    expect("bytes to all", copies.bytes, others * mine * sizeof(double));
    const sent none = during([&] {
        sk::distribute(y, sk::distribution::grid(1, 0));
        sk::distribute(x, sk::distribution::rows());
        sk::wait(x);
    });
    expect("messages of what all have", none.messages + none.values, 0);
    std::size_t stays = 0, held = 0;
    {
        const auto columns = sk::local(std::as_const(y));
        held = columns.size();
        stays = columns.cols() * sk::local(std::as_const(x)).rows();
    }
    const sent turned = during([&] {
        sk::distribute(y, sk::distribution::rows());
        sk::wait(y);
    });
    expect("messages from columns to rows", turned.messages, others);
    expect("bytes from columns to rows", turned.bytes, (held - stays) * sizeof(double));
}

/// A share of a transpose needs all rows, and its own columns of them.
void transposes_send_rectangles()
{
    const auto n = static_cast<std::size_t>(sk::ranks()) * 20;
    sk::matrix<double> m(n, n, 1.0), t(n, n, 0.0);
    sk::vector<double> column(n, 0.0);
    const auto same = sk::map(SKELRT_FN((double v) { return v; }));
    const auto others = static_cast<std::uint64_t>(sk::ranks() - 1);
    const sent s = during([&] {
        t = sk::transpose(m);
        sk::wait(t);
    });
    expect("messages of a transpose", s.messages, others);
    expect("bytes of a transpose", s.bytes, others * 20 * 20 * sizeof(double));
    const sent c = during([&] {
        m.column(1) = same(t.row(3));
        sk::wait(m);
    });
    expect("bytes of a row into a column", c.bytes, sk::rank() == 0 ? others * 20 * sizeof(double) : 0);
    const sent l = during([&] {
        column = same(sk::map(SKELRT_FN((double v) { return v + 1; }))(m.column(n - 1)));
        sk::wait(column);
    });
    expect("messages of a column into a vector", l.messages, 0);
}

/// Bytes of so many elements on all ranks but this one.
std::uint64_t to_all_others(std::size_t held, std::size_t size)
{
    return static_cast<std::uint64_t>(sk::ranks() - 1) * held * size;
}

/// A matrix that all see whole travels once, as long as it stays as it is; the vector of each step in each step.
void whole_operands_travel_once()
{
    const auto product = sk::map(SKELRT_FN((sk::index1 i, sk::mat<float> m, sk::vec<float> v) {
        float sum = 0;
        for (unsigned k = 0; k < m.cols(); ++k) sum += m(i.i, k) * v[k];
        return sum;
    }));
    const std::size_t n = 203;
    sk::matrix<float> m(n, n, 0.01f);
    sk::vector<float> v(n, 1.0f);
    const std::size_t rows = sk::local(std::as_const(m)).rows();
    const sent s = during([&] {
        for (int i = 0; i < 10; ++i) v = product(sk::shape(n), m, v);
        sk::wait(v);
    });
    expect("bytes of products", s.bytes, to_all_others(rows * n + 10 * rows, sizeof(float)));
    expect("waits of products", s.values, 0);
    const sent kept = during([&] {
        const sk::vector<float> r = product(sk::shape(n), m, v), q = product(sk::shape(n), m, v);
        sk::wait(r);
        sk::wait(q);
    });
    expect("bytes of products with what is known", kept.bytes, to_all_others(rows, sizeof(float)));
    const sent changed = during([&] {
        sk::local(m)(0, 0) = 0.02f;
        v = product(sk::shape(n), m, v);
        sk::wait(v);
    });
    expect("bytes when the matrix may have changed", changed.bytes, to_all_others(rows * n, sizeof(float)));
}

/// The loop of the conjugate gradients: a matrix by rows, whose vector each rank needs whole, and two sums a step.
void gradients_send_vectors()
{
    const auto row = sk::map(SKELRT_FN((sk::index1 i, sk::vec<float> p) {
        return 4 * p[i.i] - (i.i > 0 ? p[i.i - 1] : 0.0f) - (i.i + 1 < p.size() ? p[i.i + 1] : 0.0f);
    }));
    const auto times = sk::map(sk::multiplies);
    const auto sum = sk::reduce(sk::plus, 0.0f);
    const auto step = sk::map(SKELRT_FN((float a, float x, float y) { return a * x + y; }));
    const std::size_t n = 1009;
    sk::vector<float> x(n, 0.0f), r(n, 1.0f), p = r, q(n, 0.0f);
    const std::size_t held = sk::local(std::as_const(p)).size();
    float rr = sum(times(r, r));
    const sent s = during([&] {
        for (int i = 0; i < 5; ++i) {
            q = row(sk::shape(n), p);
            const float alpha = rr / sum(times(p, q));
            x = step(alpha, p, x);
            r = step(-alpha, q, r);
            const float next = sum(times(r, r));
            p = step(next / rr, p, r);
            rr = next;
        }
        sk::wait(x);
    });
    expect("bytes of gradients", s.bytes, to_all_others(5 * held, sizeof(float)));
}

/// The same with scalars that stay where they are: nothing waits. A sum is a value to each rank and one from it, but
/// for the first.
void gradients_with_scalars_wait_for_nothing()
{
    const auto times = sk::map(sk::multiplies);
    const auto sum = sk::reduce(sk::plus, 0.0f);
    const auto ratio = sk::map(SKELRT_FN((float a, float b) { return a / b; }));
    const auto step = sk::map(SKELRT_FN((float a, float x, float y) { return a * x + y; }));
    const std::size_t n = 1009;
    const int steps = 5;
    sk::vector<float> x(n, 0.0f), r(n, 1.0f), p = r;
    sk::scalar<float> rr = sum(times(r, r));
    const std::uint64_t one_sum = sk::ranks() > 1 ? during([&] {
                                                        sk::scalar<float> s = sum(times(r, r));
                                                        sk::wait(x);
                                                    }).messages
                                                  : 0;
    const sent s = during([&] {
        for (int i = 0; i < steps; ++i) {
            const sk::scalar<float> pp = sum(times(p, p)), alpha = ratio(rr, pp);
            x = step(alpha, p, x);
            const sk::scalar<float> next = sum(times(x, r)), beta = ratio(next, rr);
            p = step(beta, p, r);
            rr = next;
        }
        sk::wait(x);
        sk::wait(p);
    });
    expect("waits of gradients with scalars", s.values, 0);
    expect("messages of gradients with scalars", s.messages, 2 * steps * one_sum);
    expect("bytes of gradients with scalars", s.bytes, s.messages * sizeof(float));
}

/// Scans down columns hand a row of running values to each rank behind; nothing waits.
void column_scans_send_rows()
{
    const std::size_t cols = 53;
    sk::matrix<int> m(400, cols, 1);
    const sent s = during([&] {
        m = sk::scan(sk::plus).by_column(m);
        sk::wait(m);
    });
    const auto behind = static_cast<std::uint64_t>(sk::ranks() - 1 - sk::rank());
    expect("messages of a scan by column", s.messages, behind);
    expect("bytes of a scan by column", s.bytes, behind * cols * sizeof(int));
    expect("waits of a scan by column", s.values, 0);
}

const auto times = sk::all_pairs(sk::multiplies, sk::plus);

sk::matrix<float> in_grid(std::size_t rows, std::size_t cols, const sk::distribution& how)
{
    sk::matrix<float> m(rows, cols, 1.0f);
    sk::distribute(m, how);
    sk::wait(m);
    return m;
}

/// Ranks of a row that have a panel hand it on: each gets it once, and the last one hands it to nobody.
void products_hand_panels_on()
{
    const auto p = static_cast<std::size_t>(sk::ranks());
    const sk::distribution columns = sk::distribution::grid(1, p);
    const std::size_t m = 30, k = 300 * p;
    if (p == 1) return;
    const sk::matrix<float> a = in_grid(m, k, columns), b = in_grid(k, 20 * p, columns);
    sk::matrix<float> c = in_grid(m, 20 * p, columns);
    const sent s = during([&] {
        c = times(a, sk::transpose(b));
        sk::wait(c);
    });
    expect("bytes of a product in columns", s.bytes, (p - 1) * m * 300 * sizeof(float));
    expect("messages of a product in columns", s.messages, (p - 1) * 2);
    expect("waits of a product in columns", s.values, 0);
    expect("the product", static_cast<std::uint64_t>(sk::host_read(c)(m - 1, 0)), k);
}

/// A rank gets the panels of its row and its column of ranks, and holds three of each side beside its parts.
void products_on_a_grid()
{
    if (sk::ranks() != 4) return;
    const std::size_t n = 1024, k = 2048;
    const sk::distribution grid = sk::distribution::grid(2, 2);
    const sk::matrix<float> a = in_grid(n, k, grid), b = in_grid(k, n, grid);
    sk::matrix<float> c = in_grid(n, n, grid);
    const std::size_t before = sk::detail::bytes_in_use();
    std::size_t most = 0;
    const sent s = during([&] {
        c = times(a, sk::transpose(b));
        most = sk::detail::bytes_in_use() - before;
        sk::wait(c);
    });
    const std::size_t part = n / 2 * k / 2 * sizeof(float), panel = n / 2 * 256 * sizeof(float);
    expect("bytes of a product on a grid", s.bytes, 2 * part);
    expect("waits of a product on a grid", s.values, 0);
    expect("memory beside the parts", most > 0 && most <= 6 * panel * 5 / 4, 1);
    expect("the product on a grid", static_cast<std::uint64_t>(sk::host_read(c)(n - 1, n - 1)), k);
}

/// A right side that does not change is brought to every rank once.
void products_in_rows_bring_copies()
{
    if (const char* const how = std::getenv("SKELRT_PRODUCTS"); how && std::string_view(how) == "panels") return;
    const std::size_t n = 120;
    const sk::matrix<float> b(n, n, 1.0f);
    sk::matrix<float> c(n, n, 1.0f);
    const std::size_t rows = sk::local(std::as_const(c)).rows();
    const sent s = during([&] {
        for (int i = 0; i < 5; ++i) c = times(c, sk::transpose(b));
        sk::wait(c);
    });
    expect("bytes of products in rows", s.bytes, to_all_others(rows * n, sizeof(float)));
}

} // namespace

int main()
{
    const sk::runtime rt;
    parts_are_balanced();
    maps_send_nothing();
    stencils_send_rows();
    parts_send_rows();
    maps_of_grids_send_nothing();
    partings_send_what_moves();
    transposes_send_rectangles();
    whole_operands_travel_once();
    gradients_send_vectors();
    gradients_with_scalars_wait_for_nothing();
    column_scans_send_rows();
    tasks_send_blocks_once();
    factorisations_send_blocks_once();
    products_hand_panels_on();
    products_on_a_grid();
    products_in_rows_bring_copies();
    return failures > 0 ? 1 : 0;
}
