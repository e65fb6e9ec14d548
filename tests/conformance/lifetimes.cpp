// SPDX-License-Identifier: BSD-3-Clause
#include "support.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <numeric>

using namespace test;

SKELRT_SHARED(struct both { float first, second; };)

namespace
{

const auto add = sk::map(SKELRT_FN((float a, float b) { return a + b; }));
const auto add_int = sk::map(SKELRT_FN((int a, int b) { return a + b; }));
const auto same = sk::map(SKELRT_FN((float a) { return a; }));
const auto even = sk::filter(SKELRT_FN((int a) { return a % 2 == 0; }));
/// Adds one; asks for a neighbour, so that it is no map and never writes in place.
const auto inc1 =
    sk::stencil(SKELRT_FN((sk::hood1<float> u) { return u(0) + 1.0f + 0.0f * u(1); }), sk::border::constant(0.0f));
const auto inc2 =
    sk::stencil(SKELRT_FN((sk::hood2<float> u) { return u(0, 0) + 1.0f + 0.0f * u(1, 0) + 0.0f * u(0, 1); }),
                sk::border::constant(0.0f));
const auto inc3 = sk::stencil(SKELRT_FN((sk::hood3<float> u) { return u(0, 0, 0) + 1.0f + 0.0f * u(0, 0, 1); }),
                              sk::border::constant(0.0f));
const auto cross = sk::stencil(SKELRT_FN((sk::hood2<float> u) { return u(0, 0) + 1.0f + 0.0f * u(0, 1); }),
                               sk::border::constant(0.0f));
const auto slowly = sk::map(SKELRT_FN((int a) {
    for (int i = 0; i < 200; ++i) a = (a * 3 + 1) % 1000003;
    return a;
}));
int after(int a)
{
    for (int i = 0; i < 200; ++i) a = (a * 3 + 1) % 1000003;
    return a;
}

/// Memory that is an owner's: who uses it after its end crashes.
class memory
{
public:
    explicit memory(std::size_t n) : bytes_(n * sizeof(int))
    {
        void* const p = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        REQUIRE(p != MAP_FAILED);
        data_ = static_cast<int*>(p);
        std::iota(data_, data_ + n, 0);
    }
    memory(const memory&) = delete;
    memory& operator=(const memory&) = delete;
    ~memory() { munmap(data_, bytes_); }
    int* data() const { return data_; }

private:
    int* data_;
    std::size_t bytes_;
};

constexpr std::size_t n = 60'000, rows = 60, cols = 1000;

/// A result that is asked of borrowed memory, which goes as soon as the container has taken something else.
template <class Container, class Lose>
void check_waits(Container on_memory(int*), Lose lose)
{
    const std::vector<int> increased = expected(n, [](std::size_t i) { return static_cast<int>(i) + 7; });
    const std::vector<int> worked = expected(n, [](std::size_t i) { return after(static_cast<int>(i)); });
    for (int round = 0; round < 3; ++round) {
        Container y;
        {
            const memory mine(n);
            Container x = on_memory(mine.data());
            y = slowly(x);
            x = add_int(x, 7);
            lose(x);
            const std::vector<int> got(mine.data(), mine.data() + n);
            check_equal(got, increased);
            std::fill_n(mine.data(), n, -1); // the owner's again
        }
        check_equal(y, worked);
    }
}

sk::vector<int> vector_on(int* p) { return sk::vector<int>(sk::borrow, p, n); }
sk::matrix<int> matrix_on(int* p) { return sk::matrix<int>(sk::borrow, p, rows, cols); }
sk::tensor<int, 3> tensor_on(int* p) { return sk::tensor<int, 3>(sk::borrow, p, {3, 20, 1000}); }

} // namespace

TEST_CASE("a vector waits for its borrowed memory however it loses it", "[lifetime][borrow]")
{
    SECTION("clear")
    {
        check_waits(&vector_on, [](auto& x) { x.clear(); });
    }
    SECTION("move")
    {
        check_waits(&vector_on, [](auto& x) { x = sk::vector<int>(5, 1); });
    }
    SECTION("copy of another size")
    {
        const sk::vector<int> other(5, 1);
        check_waits(&vector_on, [&](auto& x) { x = other; });
    }
    SECTION("result of another size")
    {
        const sk::vector<int> other(50, 1);
        check_waits(&vector_on, [&](auto& x) { x = add_int(other, 1); });
    }
    SECTION("filter")
    {
        check_waits(&vector_on, [](auto& x) {
            x = even(x);
            REQUIRE(x.size() == n / 2);
        });
    }
    SECTION("resize")
    {
        check_waits(&vector_on, [](auto& x) { x.resize(10); });
    }
    SECTION("swap")
    {
        check_waits(&vector_on, [](auto& x) {
            sk::vector<int> other(5, 1);
            x.swap(other);
        });
    }
    SECTION("reduction by row")
    {
        const sk::matrix<int> m(20, 30, 1);
        const auto sum = sk::reduce(sk::plus, 0);
        check_waits(&vector_on, [&](auto& x) {
            x = sum.by_row(m);
            check_equal(x, std::vector<int>(20, 30));
        });
    }
    SECTION("iteration of another grid")
    {
        const sk::vector<int> other(70, 1);
        const auto step =
            sk::stencil(SKELRT_FN((sk::hood1<int> u) { return u(0) + 1 + 0 * u(1); }), sk::border::constant(0));
        check_waits(&vector_on, [&](auto& x) {
            x = step.iterate(3, other);
            check_equal(x, std::vector<int>(70, 4));
        });
    }
}

TEST_CASE("matrices and tensors wait for their borrowed memory however they lose it", "[lifetime][borrow]")
{
    SECTION("matrix, clear")
    {
        check_waits(&matrix_on, [](auto& x) { x.clear(); });
    }
    SECTION("matrix, another shape")
    {
        const sk::matrix<int> other(5, 6, 1);
        check_waits(&matrix_on, [&](auto& x) { x = add_int(other, 1); });
    }
    SECTION("matrix, iteration of another grid")
    {
        const sk::matrix<int> other(7, 9, 1);
        const auto step =
            sk::stencil(SKELRT_FN((sk::hood2<int> u) { return u(0, 0) + 1 + 0 * u(0, 1); }), sk::border::constant(0));
        check_waits(&matrix_on, [&](auto& x) {
            x = step.iterate(3, other);
            check_equal(x, std::vector<int>(63, 4));
        });
    }
    SECTION("matrix, resize")
    {
        check_waits(&matrix_on, [](auto& x) { x.resize(3, 4); });
    }
    SECTION("tensor, clear")
    {
        check_waits(&tensor_on, [](auto& x) { x.clear(); });
    }
    SECTION("tensor, another shape")
    {
        const sk::tensor<int, 3> other({2, 3, 4}, 1);
        check_waits(&tensor_on, [&](auto& x) { x = add_int(other, 1); });
    }
}

TEST_CASE("a container on borrowed memory takes copies of its size there", "[lifetime][borrow]")
{
    std::vector<int> mine(5000, 1);
    const sk::vector<int> three(5000, 3);
    {
        sk::vector<int> x(sk::borrow, mine.data(), mine.size());
        x = three;
        x = add_int(x, 1);
    }
    check_equal(mine, std::vector<int>(5000, 4));
    check_equal(three, std::vector<int>(5000, 3));
}

TEST_CASE("a call that is evaluated later sees what its operands hold then", "[lifetime][view]")
{
    const std::size_t n = sizes();
    sk::vector<float> x(n, 1.0f), y(n);
    const auto call = add(x, 0.0f);
    x = inc1.iterate(9, x);
    y = call;
    check_equal(y, std::vector<float>(n, 10.0f));
    x = add(x, 1.0f); // in place
    y = call;
    check_equal(y, std::vector<float>(n, 11.0f));
    x = sk::vector<float>(y); // by a move the elements go, and what refers to them with them
    const auto fresh = add(x, 1.0f);
    const sk::vector<float> other(n, 5.0f);
    x = other;
    y = fresh;
    check_equal(y, std::vector<float>(n, 6.0f));

    sk::scalar<float> a = 2.0f;
    const auto with_scalar = add(x, a);
    a = 3.0f;
    y = with_scalar;
    check_equal(y, std::vector<float>(n, 8.0f));
    a = sk::reduce(sk::plus, 7.0f)(sk::vector<float>());
    y = with_scalar;
    check_equal(y, std::vector<float>(n, 12.0f));
}

TEST_CASE("an iteration into its own grid leaves calls and copies what they are", "[lifetime]")
{
    const std::size_t many = GENERATE(1, 2, 5, 40);
    sk::matrix<float> m(67, 31, 1.0f), made(67, 31);
    const auto call = same(m);
    const sk::matrix<float> copy = m;
    m = inc2.iterate(many, m);
    made = call;
    check_equal(made, std::vector<float>(m.size(), 1.0f + static_cast<float>(many)));
    m = cross.red_black(many, m);
    made = call;
    check_equal(made, std::vector<float>(m.size(), 1.0f + 2 * static_cast<float>(many)));
    check_equal(copy, std::vector<float>(m.size(), 1.0f));
    // The predicate sees the grid as it was: nothing has been assigned yet.
    const auto sum = sk::reduce(sk::plus, 0.0f);
    m = copy;
    std::size_t asked = 0;
    m = inc2.iterate_until(
        [&](const auto&, const auto&, std::size_t steps) {
            ++asked;
            const float old = sum(m), kept = sum(call);
            CHECK(old == 67 * 31);
            CHECK(kept == 67 * 31);
            return steps >= 3 * many;
        },
        many, m);
    CHECK(asked == 3);
    check_equal(m, std::vector<float>(m.size(), 1.0f + 3 * static_cast<float>(many)));
}

TEST_CASE("a view goes on showing its container, in place or not", "[lifetime][view]")
{
    const std::size_t size = GENERATE(10, 30'000);
    sk::vector<float> x(size, 1.0f);
    auto top = x.range(2, 5);
    float now = 1;
    const auto check = [&](float added) {
        now += added;
        sk::vector<float> seen = same(top);
        check_equal(seen, std::vector<float>(5, now));
        top = add(top, 1.0f); // and writes to it
        now += 1;
        const auto all = values(x);
        REQUIRE(std::all_of(all.begin() + 2, all.begin() + 7, [&](float v) { return v == now; }));
    };
    SECTION("in place") { x = add(x, 3.0f), check(3); }
    SECTION("a stencil") { x = inc1(x), check(1); }
    SECTION("an iteration") { x = inc1.iterate(7, x), check(7); }
    SECTION("several steps and conditions")
    {
        x = inc1.iterate_until([](const auto&, const auto&, std::size_t k) { return k >= 8; }, 4, x);
        check(8);
    }
    SECTION("a copy")
    {
        const sk::vector<float> other(size, 5.0f);
        x = other, check(4);
        check_equal(other, std::vector<float>(size, 5.0f));
    }
    SECTION("a sort") { x = sk::sort(x), check(0); }
    SECTION("tie")
    {
        sk::vector<float> y(size, 2.0f);
        sk::tie(x, y) = sk::map(SKELRT_FN((float a, float b) { return both{b, a}; }))(x, y);
        check(1);
    }
    SECTION("another distribution")
    {
        x = add(x, 1.0f);
        sk::distribute(x, sk::distribution::block(3));
        check(1);
    }
    SECTION("a filter that keeps all")
    {
        x = sk::filter(SKELRT_FN((float a) { return a > 0; }))(x);
        check(0);
    }
    SECTION("a sequence")
    {
        const auto twice = sk::sequence(inc1, inc1);
        x = twice.iterate(3, x);
        check(6);
    }
}

TEST_CASE("rows, columns and rectangles go on showing their matrix", "[lifetime][view]")
{
    sk::matrix<float> m(60, 50, 1.0f);
    auto row = m.row(3), column = m.column(4);
    auto part = m.sub(10, 20, 5, 6), all = m.all();
    const sk::matrix<float> left(60, 8, 1.0f), right(8, 50, 1.0f);
    float now = 1;
    const auto check = [&] {
        const sk::vector<float> r = same(row), c = same(column);
        const sk::matrix<float> p = same(part), a = same(all);
        check_equal(r, std::vector<float>(50, now));
        check_equal(c, std::vector<float>(60, now));
        check_equal(p, std::vector<float>(30, now));
        check_equal(a, std::vector<float>(3000, now));
        row = add(row, 1.0f);
        column = add(column, 1.0f);
        part = add(part, 1.0f);
        const auto v = values(m);
        const auto at = [&](std::size_t i, std::size_t j) { return v[i * 50 + j]; };
        REQUIRE(at(3, 4) == now + 2);
        REQUIRE(at(3, 9) == now + 1);
        REQUIRE(at(30, 4) == now + 1);
        REQUIRE(at(14, 25) == now + 1);
        REQUIRE(at(0, 0) == now);
    };
    check();
    m = add(sk::matrix<float>(60, 50, 5.0f), 0.0f), now = 5;
    check();
    m = sk::all_pairs(sk::multiplies, sk::plus)(left, sk::transpose(right)), now = 8;
    check();
    m = inc2(sk::matrix<float>(60, 50, 0.0f)), now = 1;
    check();
    sk::matrix<float> other(60, 50, 9.0f);
    m = inc2.iterate(3, other), now = 12;
    check();
    sk::matrix<float> moved = std::move(m); // the elements go, the views with them
    moved = inc2(sk::matrix<float>(60, 50, 0.0f)), now = 1;
    m = std::move(moved);
    check();
}

TEST_CASE("planes go on showing their tensor", "[lifetime][view]")
{
    sk::tensor<float, 3> t({4, 5, 6}, 1.0f);
    auto plane = t.plane(2);
    t = inc3.iterate(4, t);
    const sk::matrix<float> seen = same(plane);
    check_equal(seen, std::vector<float>(30, 5.0f));
    plane = add(plane, 1.0f);
    const auto v = values(t);
    REQUIRE(v[2 * 30 + 7] == 6.0f);
    REQUIRE(v[7] == 5.0f);
}

TEST_CASE("after another shape a view keeps what it showed", "[lifetime][view]")
{
    sk::vector<float> x(1000, 1.0f);
    auto first = x.range(0, 10);
    const auto shown = [&] { return values(sk::vector<float>(same(first))); };
    SECTION("a result") { x = add(sk::vector<float>(20, 3.0f), 1.0f); }
    SECTION("clear") { x.clear(); }
    SECTION("resize") { x.resize(2000, 4.0f); }
    SECTION("a filter")
    {
        x = sk::filter(SKELRT_FN((float a) { return a > 1; }))(x);
    }
    const auto before = values(x);
    check_equal(shown(), std::vector<float>(10, 1.0f));
    first = add(first, 1.0f);
    check_equal(shown(), std::vector<float>(10, 2.0f));
    check_equal(x, before);
}

TEST_CASE("copies see nothing that is written in place later", "[lifetime]")
{
    const std::size_t n = sizes();
    sk::vector<float> x(n, 1.0f);
    std::vector<sk::vector<float>> copies;
    for (int i = 0; i < 5; ++i) {
        copies.push_back(x);
        if (i % 2 == 0) x = add(x, 1.0f);
        else x = inc1.iterate(1, x);
        auto part = x.range(0, n);
        part = add(part, 1.0f);
    }
    for (std::size_t i = 0; i < 5; ++i)
        check_equal(copies[i], std::vector<float>(n, 1.0f + 2.0f * static_cast<float>(i)));
}

TEST_CASE("eval makes containers of calls", "[lifetime][eval]")
{
    const std::size_t n = sizes();
    sk::vector<float> x(n, 1.0f);
    const sk::vector<float> y = sk::eval(add(x, 1.0f));
    const auto z = sk::eval(inc1.iterate(2, x));
    const auto running = sk::eval(sk::scan(sk::plus)(x));
    const auto nested = sk::eval(add(inc1(x), add(x, x)));
    x = add(x, 10.0f);
    static_assert(std::is_same_v<decltype(z), const sk::vector<float>>);
    static_assert(std::is_same_v<decltype(running), const sk::vector<float>>);
    static_assert(std::is_same_v<decltype(nested), const sk::vector<float>>);
    check_equal(y, std::vector<float>(n, 2.0f));
    check_equal(z, std::vector<float>(n, 3.0f));
    check_equal(nested, std::vector<float>(n, 4.0f));
    check_equal(running, expected(n, [](std::size_t i) { return static_cast<float>(i + 1); }));

    sk::matrix<float> m(20, 30, 1.0f);
    auto w = sk::eval(add(m, 1.0f)), v = sk::eval(inc1.by_row(m)), copy = sk::eval(m),
         part = sk::eval(m.sub(0, 0, 5, 5));
    static_assert(std::is_same_v<decltype(w), sk::matrix<float>> && std::is_same_v<decltype(v), sk::matrix<float>>);
    static_assert(std::is_same_v<decltype(part), sk::matrix<float>>);
    static_assert(std::is_same_v<decltype(sk::eval(sk::transpose(m))), sk::matrix<float>>);
    static_assert(std::is_same_v<decltype(sk::eval(add(sk::per_row(x), sk::per_column(x)))), sk::matrix<float>>);
    m = add(m, 4.0f);
    check_equal(w, std::vector<float>(600, 2.0f));
    check_equal(v, std::vector<float>(600, 2.0f));
    check_equal(copy, std::vector<float>(600, 1.0f));
    check_equal(part, std::vector<float>(25, 1.0f));

    const sk::tensor<float, 3> t({2, 3, 4}, 1.0f);
    const auto u = sk::eval(inc3(t));
    static_assert(std::is_same_v<decltype(u), const sk::tensor<float, 3>>);
    check_equal(u, std::vector<float>(24, 2.0f));

    const auto sum = sk::reduce(sk::plus, 0.0f);
    const sk::scalar<float> total = sk::eval(sum(m));
    CHECK(total.get() == 3000.0f);
    CHECK(sk::eval(add(total, 1.0f)).get() == 3001.0f);
    check_equal(sk::eval(sum.by_row(m)), std::vector<float>(20, 150.0f));
    const sk::vector<int> odd{1, 2, 3, 4};
    check_equal(sk::eval(even(odd)), std::vector<int>{2, 4});
}
