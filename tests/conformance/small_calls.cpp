// SPDX-License-Identifier: BSD-3-Clause
#include "support.hpp"

#include <cstdlib>

using namespace test;

// Small calls run on the calling thread where their data is at hand, and as tasks where it is not. Nobody sees a
// difference.

namespace
{

const auto more = sk::map(SKELRT_FN((int x) { return x + 1; }));
const auto add = sk::map(SKELRT_FN((int x, int y) { return x + y; }));
const auto sum = sk::reduce(sk::plus, 0);

/// As many that a task is made of it, whatever the limit.
const auto dear = sk::map(SKELRT_FN((int x) {
    unsigned bits = 1;
    for (int i = 0; i < 100000; ++i) bits = bits * 1664525u + 1013904223u;
    return bits == 0 ? x : x + 2; // never 0
}));

std::vector<int> plus(std::vector<int> v, int n)
{
    for (int& x : v) x += n;
    return v;
}

} // namespace

TEST_CASE("tasks and small calls on the host take turns", "[small][map]")
{
    const std::vector<int> v = numbers<int>(100);
    sk::vector<int> x = vector_of(v), y(100);
    for (int round = 0; round < 3; ++round) {
        x = dear(x); // on the test's device
        check_equal(x, plus(v, 4 * round + 2));
        x = more(x); // at home, and on the device, too
        x = more(x);
        y = add(x, x);
        x = add(x, y);
        y = add(y, y);
        std::vector<int> want = plus(v, 4 * round + 4);
        for (int& w : want) w *= 4;
        check_equal(y, want);
        x = vector_of(plus(v, 4 * round + 4));
    }
}

TEST_CASE("small calls after host views, in place, and back on the device", "[small][map]")
{
    const std::vector<int> v = numbers<int>(64);
    sk::vector<int> x = vector_of(v);
    x = dear(x);
    {
        auto h = sk::host(x);
        for (int& e : h) e += 10;
    }
    x = more(x);
    x = dear(x);
    REQUIRE(sum(x).get() == sum(vector_of(plus(v, 15))).get());
    x = more(x);
    check_equal(x, plus(v, 16));
}

TEST_CASE("small calls on the host restricted by sk::only", "[small][map]")
{
    const std::vector<int> v = numbers<int>(50);
    sk::vector<int> x = vector_of(v);
    x = dear(x);
    check_equal(x, plus(v, 2));
    if (devices().has(sk::device::cpu)) {
        const sk::only cpu(sk::device::cpu);
        x = more(x);
        x = more(x);
    } else {
        x = more(more(x));
    }
    x = dear(x);
    check_equal(x, plus(v, 6));
}

TEST_CASE("small calls beside copies that are under way", "[small][map]")
{
    const std::vector<int> v = numbers<int>(2000);
    sk::vector<int> x = vector_of(v);
    x = dear(x);
    for (int round = 0; round < 50; ++round) {
        sk::wait(x);
        sk::vector<int> y = x; // asynchronous: tasks know x
        y = more(y);
        sk::wait(y);
        sk::vector<int> z = y;
        y = more(y); // not before z has the old values
        check_equal(z, plus(v, 3));
        check_equal(y, plus(v, 4));
    }
    check_equal(x, plus(v, 2));
}

TEST_CASE("small sums of data that tasks made", "[small][reduce][scalar]")
{
    sk::vector<int> x(100, 1);
    sk::scalar<int> s;
    int want = 1;
    for (int round = 0; round < 4; ++round) {
        s = sum(x);
        REQUIRE(s.get() == 100 * want);
        x = dear(x);
        want += 2;
        sk::wait(x);
        s = sum(x);
        x = more(x);
        ++want;
        REQUIRE(s.get() == 100 * (want - 1));
    }
}
