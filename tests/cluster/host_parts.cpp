// SPDX-License-Identifier: BSD-3-Clause
/// The host's views of parts of containers that are dealt out to ranks: host_parts, under mpirun. Every rank draws the
/// same numbers. Exit code 0 if all is as it should be.

#include "tests/cluster/dealt.hpp"

#include <skelrt/skelrt.hpp>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <initializer_list>
#include <numeric>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace sk = skelrt;
using namespace test;

namespace
{

template <class Do>
void expect_error(const char* what, std::initializer_list<std::string_view> words, Do act)
{
    try {
        act();
        expect(false, std::string(what) + ": no error");
    } catch (const std::exception& e) {
        for (const std::string_view w : words)
            expect(std::string_view(e.what()).find(w) != std::string_view::npos, std::string(what) + ": " + e.what());
    }
}

using view1 = sk::view1<int>;
using view2 = sk::view2<int>;
const auto twice = sk::map(SKELRT_FN((int v) { return 2 * v; }));

/// A view of elements and their places in a plain copy of the container.
struct picked {
    std::variant<view1, view2> view;
    std::vector<std::size_t> places; ///< row by row
};

/// A container, and what should be in it.
template <class Container>
class mirrored
{
public:
    mirrored(Container x, std::string how) : x_(std::move(x)), how_(std::move(how)), plain_(x_.size())
    {
        const auto h = sk::host_write(x_);
        std::iota(h.begin(), h.end(), 1);
        std::iota(plain_.begin(), plain_.end(), 1);
    }

    Container& operator*() noexcept { return x_; }

    void read(const picked& p)
    {
        std::visit([&](const auto& view) { compare(sk::host_read(view), p, "read"); }, p.view);
    }
    void change(const picked& p)
    {
        std::visit(
            [&](const auto& view) {
                const auto h = sk::host(view);
                compare(h, p, "read and written");
                for_each(h, [&](int& v, std::size_t k) { v = plain_[p.places[k]] = 3 * v + 1; });
            },
            p.view);
    }
    void write(const picked& p, int by)
    {
        std::visit(
            [&](const auto& view) {
                const auto h = sk::host_write(view);
                for_each(h, [&](int& v, std::size_t k) { v = plain_[p.places[k]] = by + static_cast<int>(k); });
            },
            p.view);
    }
    void call()
    {
        x_ = twice(x_);
        for (int& v : plain_) v *= 2;
    }
    void compare_all()
    {
        const auto h = sk::host_read(x_);
        expect(std::equal(h.begin(), h.end(), plain_.begin(), plain_.end()), how_ + ": the whole");
    }

private:
    template <class T, class Do>
    static void for_each(const sk::host_range<T>& h, Do act)
    {
        for (std::size_t k = 0; k < h.size(); ++k) act(h[k], k);
    }
    template <class T, class Do>
    static void for_each(const sk::host_block<T>& h, Do act)
    {
        for (std::size_t i = 0; i < h.rows(); ++i)
            for (std::size_t j = 0; j < h.cols(); ++j) act(h(i, j), i * h.cols() + j);
    }
    template <class View>
    void compare(const View& h, const picked& p, const char* what)
    {
        bool right = h.size() == p.places.size();
        for_each(h, [&](const int& v, std::size_t k) { right = right && v == plain_[p.places[k]]; });
        expect(right, how_ + ": " + what + ", " + std::to_string(p.places.size()) + " elements");
    }

    Container x_;
    std::string how_;
    std::vector<int> plain_;
};

std::mt19937 draws(11);
std::size_t draw(std::size_t below) { return draws() % below; }

/// Some of n positions that follow each other; in one of eight cases none.
std::pair<std::size_t, std::size_t> run_of(std::size_t n)
{
    const std::size_t first = draw(n + 1);
    return {first, draw(8) == 0 || first == n ? 0 : draw(n - first) + 1};
}

picked part_of(sk::vector<int>& x)
{
    const auto [first, count] = draw(10) == 0 ? std::pair{std::size_t{0}, x.size()} : run_of(x.size());
    std::vector<std::size_t> places(count);
    std::iota(places.begin(), places.end(), first);
    return {x.range(first, count), places};
}

picked line_of(sk::matrix<int>& m)
{
    const bool is_row = draw(2) == 0;
    const std::size_t line = draw(is_row ? m.rows() : m.cols()), length = is_row ? m.cols() : m.rows();
    const auto [first, count] = draw(2) == 0 ? std::pair{std::size_t{0}, length} : run_of(length);
    std::vector<std::size_t> places;
    for (std::size_t k = first; k < first + count; ++k)
        places.push_back(is_row ? line * m.cols() + k : k * m.cols() + line);
    return {(is_row ? m.row(line) : m.column(line)).range(first, count), places};
}

picked block_of(sk::matrix<int>& m)
{
    const bool all = draw(10) == 0;
    const auto [row, rows] = all ? std::pair{std::size_t{0}, m.rows()} : run_of(m.rows());
    const auto [col, cols] = all ? std::pair{std::size_t{0}, m.cols()} : run_of(m.cols());
    std::vector<std::size_t> places;
    for (std::size_t i = row; i < row + rows; ++i)
        for (std::size_t j = col; j < col + cols; ++j) places.push_back(i * m.cols() + j);
    return {m.sub(row, col, rows, cols), places};
}

picked part_of(sk::matrix<int>& m) { return draw(2) == 0 ? line_of(m) : block_of(m); }

template <class Container>
void views_at_random(Container x, const std::string& how, int rounds)
{
    mirrored<Container> m(std::move(x), how);
    for (int round = 0; round < rounds; ++round) {
        const picked p = part_of(*m);
        switch (draw(8)) {
        case 0:
        case 1:
            m.change(p);
            break;
        case 2:
        case 3:
            m.write(p, static_cast<int>(draw(1000)));
            break;
        case 4:
            m.call();
            break;
        default:
            m.read(p);
        }
    }
    m.compare_all();
}

void vectors(std::size_t n)
{
    for (const named& d : line_distributions()) {
        sk::vector<int> x(n, 0);
        sk::distribute(x, d.how);
        views_at_random(std::move(x), d.name + ", " + std::to_string(n) + " elements", 60);
    }
}

void matrices(std::size_t rows, std::size_t cols)
{
    for (const named& d : all_distributions()) {
        sk::matrix<int> m(rows, cols, 0);
        sk::distribute(m, d.how);
        views_at_random(std::move(m), d.name + ", " + std::to_string(rows) + " x " + std::to_string(cols), 60);
    }
}

/// Planes of tensors, and parts of planes, which are no rectangles of what ranks hold.
void tensors()
{
    for (const named& d : line_distributions()) {
        sk::tensor<int, 3> t({7, 4, 5}, 1);
        sk::distribute(t, d.how);
        for (const std::size_t i : {0, 3, 6}) {
            const auto plane = sk::host_write(t.plane(i));
            for (std::size_t r = 0; r < 4; ++r) std::iota(plane[r].begin(), plane[r].end(), static_cast<int>(10 * r));
        }
        std::ranges::fill(sk::host_write(t.plane(3).column(1)), -1);
        sk::host(t.plane(6).row(2))[4] = -2;
        sk::host_write(t.plane(0).sub(1, 1, 2, 3))(1, 2) = -3;
        sk::host_write(t.plane(0).sub(1, 1, 1, 1))(0, 0) = -4;
        const auto all = sk::host_read(t);
        const auto plane = sk::host_read(t.plane(3)), last = sk::host_read(t.plane(6));
        bool right = plane(2, 4) == 24 && plane(3, 1) == -1 && last(2, 4) == -2 && last(2, 3) == 23;
        right = right && all(0, 2, 3) == -3 && all(0, 1, 1) == -4 && all(0, 3, 4) == 34 && all(0, 1, 4) == 14;
        expect(right && all(3, 0, 1) == -1 && all(3, 0, 2) == 2 && all(5, 1, 1) == 1, d.name + ": planes");
    }
}

/// What a view has written is seen by calls and tasks of other ranks, which may have had copies of it.
void copies_elsewhere()
{
    sk::vector<int> x(100, 1), y(10, 0);
    const auto sum = sk::map(SKELRT_FN((sk::index1, sk::vec<int> v) {
        int all = 0;
        for (std::size_t k = 0; k < v.size(); ++k) all += v[k];
        return all;
    }));
    sk::matrix<int> m(8, 8, 1);
    const auto total = [](sk::block<const int> b) { return b(0, 0) + b(0, 7); };
    for (const std::size_t k : {std::size_t{0}, std::size_t{50}, std::size_t{99}}) {
        y = sum(sk::shape(10), x);
        const int before = sk::host_read(y.range(9, 1))[0];
        sk::host(x.range(k, 1))[0] += 5;
        y = sum(sk::shape(10), x);
        expect(sk::host_read(y.range(0, 1))[0] == before + 5, "a copy of a whole operand");
    }
    for (const std::size_t row : {std::size_t{0}, std::size_t{7}}) {
        const auto first = sk::task([](sk::block<const int> b, sk::block<int> to) { to(0, 0) = b(0, 7); },
                                    sk::in(m.sub(row, 0, 1, 8)), sk::out(m.sub(7 - row, 0, 1, 1)));
        sk::host_write(m.row(row).range(7, 1))[0] = 40;
        sk::task([](sk::block<const int> b, sk::block<int> to) { to(0, 0) = b(0, 7); }, sk::in(m.sub(row, 0, 1, 8)),
                 sk::out(m.sub(7 - row, 0, 1, 1)));
        expect(sk::host_read(m.sub(7 - row, 0, 1, 1))(0, 0) == 40, "a copy that a task had read");
        expect(sk::task(total, sk::in(m.sub(row, 0, 1, 8))).get() >= 41, "what a task reads");
    }
}

/// Tasks and views use other elements while a view is open; who wants these is refused on all ranks.
void open_views()
{
    sk::matrix<int> m(40, 6, 1);
    const auto add = [](sk::block<int> b) { b(0, 0) += 10; };
    const auto row = [&](std::size_t i) { return m.sub(i, 0, 1, 6); };
    {
        const auto first = sk::host(row(0));
        const auto last = sk::host_write(m.row(39));
        std::ranges::fill(last, 7);
        for (const std::size_t i : {1, 20, 38}) sk::task(add, sk::inout(row(i)));
        expect(sk::host_read(row(20))(0, 0) == 11, "a task beside open views");
        first(0, 0) = 5;
        for (const std::size_t i : {0, 39}) {
            expect_error("a task on what is viewed", {"host view"}, [&] { sk::task(add, sk::inout(row(i))); });
            expect_error("a second view", {"host_parts.cpp:", "view is open"}, [&] { return sk::host(row(i)).size(); });
            expect_error("a second view to write", {"view is open"}, [&] { return sk::host_write(row(i)).size(); });
        }
        expect_error("a call", {"host view"}, [&] { m = twice(m); });
        expect_error("a view of all", {"view"}, [&] { return sk::host_read(m).size(); });
        expect_error("a view of all to write", {"view"}, [&] { return sk::host_write(m).size(); });
        if (sk::ranks() > 1) expect_error("a copy", {"host view of part"}, [&] { const sk::matrix<int> copy = m; });
    }
    if (sk::ranks() > 1) { // one process shows the container itself, which calls then may not cut
        const auto seen = sk::host_read(m.column(0)), same = sk::host_read(m.column(0));
        const sk::matrix<int> copy = m, doubled = twice(m);
        const auto all = sk::host_read(m);
        expect(seen[0] == 5 && same[39] == 7 && all(20, 0) == 11, "views of the same elements");
        expect_error("a task on what is read", {"host view"}, [&] { sk::task(add, sk::inout(row(20))); });
        expect_error("a view to write", {"view"}, [&] { return sk::host(m.sub(0, 0, 40, 1)).size(); });
        expect(sk::task([](sk::block<const int> b) { return b(0, 0); }, sk::in(row(20))).get() == 11, "a task reads");
        expect(sk::host_read(doubled.row(39))[5] == 14 && sk::host_read(copy.row(1))[0] == 11, "calls that read");
    }
    m = twice(m);
    expect(sk::host_read(m.row(0))[0] == 10, "a call afterwards");
}

/// One rank's function throws: who looks at its elements hears of it on all ranks, and others do not.
void errors()
{
    sk::vector<int> x(100, 1);
    sk::task([](sk::block<int>) { throw std::runtime_error("on purpose"); }, sk::inout(x.range(99, 1)));
    expect(sk::host_read(x.range(0, 10))[9] == 1, "elements beside faulty ones");
    expect_error("a view of faulty elements", {"on purpose"}, [&] { return sk::host_read(x.range(98, 2)).size(); });
    sk::host_write(x.range(99, 1))[0] = 4;
    expect(sk::host_read(x.range(98, 2))[1] == 4, "elements that were written anew");
    const auto positive = sk::map(SKELRT_FN((int v) {
        if (v > 3) throw std::runtime_error("a number too large");
        return v;
    }));
    const sk::vector<int> y = positive(x);
    expect_error("a view of a faulty result", {"a number too large"},
                 [&] { return sk::host_read(y.range(97, 3)).size(); });
    if (sk::ranks() == 1) return;
    sk::farm([&](int) { // on every rank, for it is the first's own error
        expect_error("a view in an item", {"dealt out", "host_parts.cpp:"},
                     [&] { return sk::host_read(x.range(0, 3)).size(); });
        return 0;
    })(std::vector<int>(static_cast<std::size_t>(sk::ranks())));
}

/// Views of borrowed memory show it in place.
void borrowed()
{
    std::vector<int> memory(60, 2);
    {
        sk::matrix<int> m(sk::borrow, memory.data(), 10, 6);
        m = twice(m);
        const auto all = sk::host_read(m.sub(0, 1, 10, 3));
        expect(all.data() == memory.data() + 1 && all.ld() == 6, "borrowed memory is shown in place");
        expect(all(0, 0) == 4 && all(9, 2) == 4, "the elements of borrowed memory");
    }
    sk::matrix<int> m(sk::borrow, memory.data(), 10, 6);
    for (const int v : {1, 2}) {
        const auto h = sk::host(m.column(5));
        for (std::size_t i = 0; i < 10; ++i) h[i] = v * static_cast<int>(i);
    }
    m = twice(m);
    const auto h = sk::host_read(m.column(5));
    expect(h[9] == 36 && h[0] == 0, "borrowed memory is written");
}

} // namespace

int main()
{
    sk::vector<int> early(7, 1), late;
    std::optional<sk::runtime> rt(std::in_place);
    for (const std::size_t n : {1, 3, 40, 5000}) vectors(n);
    matrices(1, 1);
    matrices(2, 3); // some ranks have nothing
    matrices(9, 11);
    matrices(60, 70);
    tensors();
    copies_elsewhere();
    open_views();
    errors();
    borrowed();
    early = twice(early);
    expect(sk::host_read(early.range(2, 5))[4] == 2, "part of what was made before the runtime");
    late = twice(sk::vector<int>(50, 1));
    std::optional open(sk::host(late.range(0, 50)));
    std::optional read(sk::host_read(sk::vector<int>(9, 3).range(3, 3)));
    rt.reset();
    expect((*read)[2] == 3 && (*open)[49] == 2, "views that outlive the runtime");
    (*open)[0] = 9;
    open.reset();
    expect(sk::ranks() > 1 || sk::host_read(late.range(0, 1))[0] == 9, "a view that ended after the runtime");
    return failures > 0 ? 1 : 0;
}
