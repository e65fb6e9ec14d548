// SPDX-License-Identifier: BSD-3-Clause
/// SKELRT_CHECK=bounds: whatever a user function or a host view asks for that is not there is an error that names the
/// function with its line, the index, the size and the position. Run as the conformance cases are: the environment
/// decides where calls run.

#include "../conformance/support.hpp"
#include "../message_of.hpp"

#include <skelrt/algorithms.hpp>

#include <string>

namespace
{

using Catch::Matchers::Contains;

/// With the file and the line of the function.
std::string here(int line) { return std::string{"bounds.cpp:"} + std::to_string(line); }

constexpr std::size_t n = 1000;

sk::vector<float> counted(std::size_t size)
{
    sk::vector<float> x(size, 0.0f);
    auto h = sk::host_write(x);
    for (std::size_t i = 0; i < size; ++i) h[i] = static_cast<float>(i);
    return x;
}

} // namespace

TEST_CASE("a vec is read at its size", "[bounds]")
{
    const auto table = counted(10);
    sk::vector<float> y(n, 0.0f);
    const int line = __LINE__ + 1;
    auto f = sk::map(SKELRT_FN((sk::index1 i, sk::vec<float> v, float) { return v[i.i == 700 ? 10 : 3]; }));
    const std::string what = message_of<sk::bounds_error>([&] {
        y = f(table, y);
        sk::wait(y);
    });
    CHECK_THAT(what, Contains(here(line)) && Contains("index 10") && Contains("sk::vec<float> of 10 elements") &&
                         Contains("operand 1") && Contains("element 700"));
}

TEST_CASE("a vec is read in front of its first element", "[bounds]")
{
    const auto table = counted(10);
    sk::vector<int> at(n, -1);
    sk::vector<float> y(n, 0.0f);
    auto f = sk::map(SKELRT_FN((int i, sk::vec<float> v) { return v(i); }));
    CHECK_THAT(message_of<sk::bounds_error>([&] {
                   y = f(at, table);
                   sk::wait(y);
               }),
               Contains("index -1") && Contains("operand 2") && Contains("of 10 elements"));
}

TEST_CASE("a mat is read beyond its rows and its columns", "[bounds]")
{
    sk::matrix<int> m(4, 6, 1);
    sk::vector<int> y(n, 0);
    auto beyond_rows = sk::map(SKELRT_FN((int, sk::mat<int> m) { return m(4, 0); }));
    auto beyond_cols = sk::map(SKELRT_FN((int, sk::mat<int> m) { return m(3, 6); }));
    CHECK_THAT(message_of<sk::bounds_error>([&] { sk::wait(y = beyond_rows(y, m)); }),
               Contains("(4, 0)") && Contains("sk::mat<int> of 4 x 6 elements"));
    y = sk::vector<int>(n, 0);
    CHECK_THAT(message_of<sk::bounds_error>([&] { sk::wait(y = beyond_cols(y, m)); }), Contains("(3, 6)"));
}

TEST_CASE("a row of a matrix is read beyond its end", "[bounds]")
{
    sk::matrix<float> a(20, 8, 1.0f), c(20, 20, 0.0f);
    auto f = sk::map(SKELRT_FN((sk::vec<float> r, sk::vec<float> q) { return r[0] + q[8]; }));
    CHECK_THAT(message_of<sk::bounds_error>([&] { sk::wait(c = f(sk::per_row(a), sk::per_column(a))); }),
               Contains("index 8") && Contains("operand 2") && Contains("of 8 elements"));
}

TEST_CASE("hoods are read beyond their reach", "[bounds]")
{
    sk::matrix<float> g(40, 50, 1.0f);
    sk::vector<float> x(n, 1.0f);
    auto two = sk::stencil(SKELRT_FN((sk::hood2<float> u) {
                               float s = 0;
                               for (int d = -1; d <= 2; ++d) s += u(0, d);
                               return s;
                           }),
                           sk::border::constant(0.0f), sk::reach(1, 1));
    auto one = sk::stencil(SKELRT_FN((sk::hood1<float> u) {
                               float s = 0;
                               for (int d = -3; d <= 1; ++d) s += u(d);
                               return s;
                           }),
                           sk::border::nearest(), sk::reach(2));
    CHECK_THAT(message_of<sk::bounds_error>([&] { sk::wait(g = two(g)); }),
               Contains("(0, 2)") && Contains("sk::hood2<float>") && Contains("(-1, -1) to (1, 1)"));
    CHECK_THAT(message_of<sk::bounds_error>([&] { sk::wait(x = one(x)); }),
               Contains("(-3)") && Contains("(-2) to (2)"));
}

TEST_CASE("an accumulator is added to beyond its end", "[bounds]")
{
    sk::vector<int> at(n, 5), sums(5, 0);
    auto f = sk::for_each(SKELRT_FN((int i, sk::accumulator<int> a) { a.add(i, 1); }));
    CHECK_THAT(message_of<sk::bounds_error>([&] {
                   f(at, sums);
                   sk::wait(sums);
               }),
               Contains("adds to index 5") && Contains("sk::accumulator<int> of 5 elements"));
}

TEST_CASE("an out_vec is set beyond its end", "[bounds]")
{
    sk::vector<int> at(n, 0), out(n, 0);
    sk::host(at)[640] = static_cast<int>(n);
    auto f = sk::for_each(SKELRT_FN((sk::index1 p, int more, sk::out_vec<int> y) { y.set(p.i / 2 + more, 1); }));
    auto once = sk::for_each(SKELRT_FN((sk::index1 p, int more, sk::out_vec<int> y) { y.set(p.i + more, 1); }));
    CHECK_THAT(message_of<sk::bounds_error>([&] {
                   once(at, out);
                   sk::wait(out);
               }),
               Contains("sets index 1640") && Contains("sk::out_vec<int> of 1000 elements") &&
                   Contains("element 640") && Contains("operand 2") && !Contains("already"));
    sk::vector<int> again(n, 0), none(n, 0);
    CHECK_THAT(message_of<sk::bounds_error>([&] {
                   f(none, again);
                   sk::wait(again);
               }),
               Contains("sets index ") && Contains("set already"));
}

TEST_CASE("an element of an out_vec has two writers", "[bounds]")
{
    sk::vector<int> at(n, 0);
    {
        auto h = sk::host_write(at);
        for (std::size_t i = 0; i < n; ++i) h[i] = static_cast<int>(i == 900 ? 100 : i);
    }
    sk::vector<double> y(n, 0.0);
    sk::vector<unsigned char> bytes(n + 2, 0);
    auto f = sk::for_each(SKELRT_FN((int i, sk::out_vec<double> y) { y.set(i, 1.5); }));
    auto g = sk::for_each(SKELRT_FN((int i, sk::out_vec<unsigned char> y) { y.set(i + 1, 1); }));
    CHECK_THAT(message_of<sk::bounds_error>([&] {
                   f(at, y);
                   sk::wait(y);
               }),
               Contains("sets index 100 of operand 2, an sk::out_vec<double> of 1000 elements, which is set already") &&
                   (Contains("element 100") || Contains("element 900")));
    CHECK_THAT(message_of<sk::bounds_error>([&] {
                   g(at, bytes);
                   sk::wait(bytes);
               }),
               Contains("sets index 101") && Contains("set already"));
}

TEST_CASE("an out_vec that is set as it should be", "[bounds]")
{
    sk::vector<unsigned char> y(n + 3, 7);
    auto turn = sk::for_each(
        SKELRT_FN((sk::index1 i, unsigned char v, sk::out_vec<unsigned char> y) { y.set(y.size() - 1 - i.i, v); }));
    const sk::vector<unsigned char> x(n, 2);
    for (int k = 0; k < 2; ++k) turn(x, y); // each call begins anew
    const auto h = sk::host_read(y);
    CHECK((h[2] == 7 && h[3] == 2 && h[n + 2] == 2));
}

TEST_CASE("scatter has two writers of an element", "[bounds]")
{
    const sk::vector<float> x(n, 1.0f);
    const sk::vector<int> at(n, 3);
    sk::vector<float> y(n, 0.0f);
    CHECK_THAT(message_of<sk::bounds_error>([&] {
                   sk::scatter(x, at, y);
                   sk::wait(y);
               }),
               Contains("sk::scatter") && Contains("sets index 3") && Contains("set already"));
}

TEST_CASE("gather and scatter_add take an index that is none", "[bounds]")
{
    const auto table = counted(10);
    sk::vector<int> at(n, 10);
    sk::vector<float> y(n, 1.0f), sums(10, 0.0f);
    CHECK_THAT(message_of<sk::bounds_error>([&] {
                   y = sk::gather(table, at);
                   sk::wait(y);
               }),
               Contains("sk::gather") && Contains("index 10") && Contains("of 10 elements"));
    y = sk::vector<float>(n, 1.0f);
    CHECK_THAT(message_of<sk::bounds_error>([&] {
                   sk::scatter_add(y, at, sums);
                   sk::wait(sums);
               }),
               Contains("sk::scatter_add") && Contains("index 10"));
}

TEST_CASE("skeletons of mapped values check as maps do", "[bounds]")
{
    const auto table = counted(10);
    sk::vector<int> at(n, 10);
    sk::vector<float> y(n, 0.0f);
    auto look = sk::map(SKELRT_FN((int i, sk::vec<float> v) { return v[i]; }));
    auto sum = sk::reduce(SKELRT_FN((float a, float b) { return a + b; }), 0.0f);
    auto running = sk::scan(SKELRT_FN((float a, float b) { return a + b; }));
    auto some = sk::filter(SKELRT_FN((int i, sk::vec<float> v) { return v[i] > 0; }));
    CHECK_THAT(message_of<sk::bounds_error>([&] { static_cast<void>(static_cast<float>(sum(look(at, table)))); }),
               Contains("index 10"));
    CHECK_THAT(message_of<sk::bounds_error>([&] { sk::wait(y = running(look(at, table))); }), Contains("index 10"));
    sk::vector<int> kept;
    CHECK_THAT(message_of<sk::bounds_error>([&] { sk::wait(kept = some(at, table)); }), Contains("index 10"));
}

TEST_CASE("of several hoods, and beside other operands, the right one is named", "[bounds]")
{
    sk::matrix<float> a(40, 50, 1.0f), b(40, 50, 2.0f), c;
    const auto table = counted(10);
    auto second = sk::stencil(SKELRT_FN((sk::hood2<float> u, sk::hood2<float> v) {
                                  float s = u(-1, 0);
                                  for (int d = 0; d < 3; ++d) s += v(d, 0);
                                  return s;
                              }),
                              sk::border::cyclic(), sk::reach(1, 1));
    CHECK_THAT(message_of<sk::bounds_error>([&] { sk::wait(c = second(a, b)); }),
               Contains("(2, 0)") && Contains("operand 2"));
    auto looks = sk::stencil(SKELRT_FN((sk::hood2<float> u, sk::vec<float> v) { return u(0, 1) + v[10]; }),
                             sk::border::cyclic());
    CHECK_THAT(message_of<sk::bounds_error>([&] { sk::wait(c = looks(a, table)); }),
               Contains("index 10") && Contains("operand 2"));
}

TEST_CASE("hoods of a volume, of mapped elements and of several steps", "[bounds]")
{
    sk::tensor<float, 3> t(6, 7, 8), u;
    sk::matrix<float> a(40, 50, 1.0f), b;
    auto volume = sk::stencil(SKELRT_FN((sk::hood3<float> h) {
                                  float s = 0;
                                  for (int d = 0; d < 3; ++d) s += h(0, -d, 0);
                                  return s;
                              }),
                              sk::border::constant(0.0f), sk::reach(1, 1, 1));
    CHECK_THAT(message_of<sk::bounds_error>([&] { sk::wait(u = volume(t)); }),
               Contains("(0, -2, 0)") && Contains("sk::hood3<float>"));
    auto more = sk::map(SKELRT_FN((float x) { return x + 1; }));
    auto flat = sk::stencil(SKELRT_FN((sk::hood2<float> h) {
                                float s = 0;
                                for (int d = 0; d < 3; ++d) s += h(0, d);
                                return s;
                            }),
                            sk::border::nearest(), sk::reach(1, 1));
    CHECK_THAT(message_of<sk::bounds_error>([&] { sk::wait(b = flat(more(a))); }), Contains("(0, 2)"));
    CHECK_THAT(message_of<sk::bounds_error>([&] { sk::wait(b = flat.iterate(6, a)); }), Contains("(0, 2)"));
}

TEST_CASE("sides of pairs look up", "[bounds]")
{
    const auto table = counted(10);
    sk::matrix<int> a(30, 20, 10), b(25, 20, 3);
    auto look = sk::map(SKELRT_FN((int i, sk::vec<float> v) { return v[i]; }));
    auto product = sk::all_pairs(sk::multiplies, sk::plus, 0.0f);
    sk::matrix<float> c;
    CHECK_THAT(message_of<sk::bounds_error>([&] { sk::wait(c = product(look(a, table), look(b, table))); }),
               Contains("index 10"));
    c = {};
    sk::wait(c = product(look(b, table), look(b, table)));
    CHECK(sk::host(c)(3, 4) == 180.0f);
}

TEST_CASE("what is inside is computed, and nothing is said", "[bounds]")
{
    const auto table = counted(10);
    sk::vector<int> at(n, 9);
    sk::vector<float> y(n, 0.0f);
    y = sk::gather(table, at);
    test::check_equal(y, std::vector<float>(n, 9.0f));
}

TEST_CASE("host views are read outside", "[bounds]")
{
    sk::vector<float> x(7, 0.0f);
    sk::matrix<int> m(3, 4, 0);
    sk::tensor<int, 3> t(2, 3, 4);
    const auto size = x.size();
    CHECK_THAT(message_of<sk::bounds_error>([&] { static_cast<void>(sk::host(x)[size]); }),
               Contains("index 7") && Contains("7 elements"));
    CHECK_THAT(message_of<sk::bounds_error>([&] { static_cast<void>(sk::host(x)[size - 8]); }), Contains("index -1"));
    CHECK_THAT(message_of<sk::bounds_error>([&] { static_cast<void>(sk::host(m)(3, 0)); }),
               Contains("(3, 0)") && Contains("3 x 4"));
    CHECK_THAT(message_of<sk::bounds_error>([&] { static_cast<void>(sk::host(m)(0, 4)); }), Contains("(0, 4)"));
    CHECK_THAT(message_of<sk::bounds_error>([&] { static_cast<void>(sk::host(m)[3]); }), Contains("(3, 0)"));
    CHECK_THAT(message_of<sk::bounds_error>([&] { static_cast<void>(sk::host(t)(0, 3, 0)); }),
               Contains("index 3 of axis 2"));
    CHECK(sk::host(x)[6] == 0.0f);
}

TEST_CASE("host views of parts are read outside, though the container has such elements", "[bounds]")
{
    sk::vector<float> x(7, 0.0f);
    sk::matrix<int> m(3, 4, 5);
    CHECK_THAT(message_of<sk::bounds_error>([&] { static_cast<void>(sk::host(x.range(2, 3))[3]); }),
               Contains("index 3") && Contains("3 elements"));
    CHECK_THAT(message_of<sk::bounds_error>([&] { static_cast<void>(sk::host_read(m.column(1))[3]); }),
               Contains("index 3"));
    CHECK_THAT(message_of<sk::bounds_error>([&] { static_cast<void>(sk::host(m.sub(1, 1, 2, 2))(1, 2)); }),
               Contains("(1, 2)") && Contains("2 x 2"));
    CHECK_THAT(message_of<sk::bounds_error>([&] { static_cast<void>(sk::host_write(m.sub(1, 1, 2, 2))[2]); }),
               Contains("(2, 0)"));
    CHECK(sk::host_read(m.row(2))[3] == 5);
}
