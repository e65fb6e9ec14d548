/// What travels between ranks, and what a rank holds: traffic, under mpirun. Exit code 0 if all is as it should be.

#include "src/cluster/peers.hpp"
#include "src/data/parting/parting.hpp"
#include "src/runtime/running.hpp"

#include <skelrt/skelrt.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <set>
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

/// Two neighbours get a row each and pass, and nothing else.
void stencils_send_rows()
{
    const auto heat =
        sk::stencil(SKELRT_FN((sk::hood2<double> u) { return 0.25 * (u(-1, 0) + u(1, 0) + u(0, -1) + u(0, 1)); }),
                    sk::border::constant(0.0));
    const std::size_t cols = 301, passes = 50;
    const auto neighbours = static_cast<std::uint64_t>((sk::rank() > 0) + (sk::rank() + 1 < sk::ranks()));
    sk::matrix<double> u(400, cols, 1.0);
    const sent s = during([&] {
        u = heat.iterate(passes, u);
        sk::wait(u);
    });
    expect("messages of a stencil", s.messages, passes * neighbours);
    expect("bytes of a stencil", s.bytes, passes * neighbours * cols * sizeof(double));
    expect("waits of a stencil", s.values, 0);
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

} // namespace

int main()
{
    const sk::runtime rt;
    parts_are_balanced();
    maps_send_nothing();
    stencils_send_rows();
    maps_of_grids_send_nothing();
    partings_send_what_moves();
    transposes_send_rectangles();
    tasks_send_blocks_once();
    factorisations_send_blocks_once();
    return failures > 0 ? 1 : 0;
}
