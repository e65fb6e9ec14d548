// SPDX-License-Identifier: BSD-3-Clause
/// Every piece of code in docs/containers.md, compiled, run and checked. The page quotes this file: quoted.sh compares.

#include "expect.hpp"

#include <skelrt/algorithms.hpp>
#include <skelrt/skelrt.hpp>

#include <iostream>
#include <sstream>
#include <vector>

namespace sk = skelrt;

namespace
{

template <class Container>
auto values(const Container& x)
{
    const auto h = sk::host_read(x);
    return std::vector<float>(h.begin(), h.end());
}

void sizes()
{
    const std::vector<float> v{5, 6};
    const auto twice = sk::map(SKELRT_FN((float a) { return 2 * a; }));
    const std::size_t n = 2;

    sk::vector<float> x;
    x.assign({1, 2, 3});
    x.append(v);                    // a standard container, or an open host view
    x.append(twice(x.range(0, 2))); // a call, a container or a view, of x, too
    x.insert(1, n, 0.0f);           // in front of element 1
    x.erase(0, 3);                  // three elements from number 0 on
    x.resize(10, -1.0f);
    expect(values(x) == std::vector<float>{2, 3, 5, 6, 2, 4, -1, -1, -1, -1}, "sizes");
}

void parts()
{
    const auto twice = sk::map(SKELRT_FN((float a) { return 2 * a; }));
    sk::vector<float> x(10), y;
    sk::iota(x, 0.0f);
    sk::matrix<float> m(6, 4);
    sk::iota(m, 0.0f);

    y = twice(x.range(1, 5, 2));                              // elements 1, 3, 5, 7 and 9
    m.sub(0, 0, 3, 4, 2, 1) = twice(m.sub(1, 0, 3, 4, 2, 1)); // the even rows, from the odd ones
    m.reversed(0) = twice(m);                                 // the last row first
    y = twice(m.reversed(1).row(2));
    expect(values(y) == std::vector<float>{4 * 15, 4 * 14, 4 * 13, 4 * 12}, "reversed");
}

void shapes()
{
    sk::vector<float> v(12, 1.0f);
    sk::matrix<float> m = sk::reshape(std::move(v), 3, 4); // v is empty now
    m.reshape(2, 6);
    sk::tensor<float, 3> t = sk::reshape(std::move(m), 2, 2, 3);
    t.resize({2, 2, 2});
    expect(values(t) == std::vector<float>(8, 1), "shapes");
}

void the_same()
{
    const sk::vector<float> x{1, 2}, y{1, 2};
    if (sk::equal(x, y)) std::puts("the same");
    expect(sk::equal(x, y), "equal");
}

void printing(std::ostream& out)
{
    const sk::vector<float> x(1000, 1.0f);
    out << x << '\n'; // vector<float>(1000) [1, 1, 1, ..., 1, 1, 1]
}

void whereabouts(const sk::runtime& rt)
{
    sk::vector<float> x(1000, 1.0f), y;
    const auto twice = sk::map(SKELRT_FN((float a) { return 2 * a; }));

    const sk::device_info there = rt.devices().back();
    sk::prefetch(x, there); // or sk::prefetch(x, sk::device::cuda, 1)
    y = twice(x);
    sk::evict(x); // its memory on devices is for others
    std::size_t bytes = 0;
    for (const sk::residence& r : sk::where(x)) bytes += r.bytes;
    expect(bytes == 1000 * sizeof(float), "where");
    expect(values(y) == std::vector<float>(1000, 2), "results");
}

} // namespace

int main()
{
    const sk::runtime rt;
    sizes();
    parts();
    shapes();
    the_same();
    std::ostringstream text;
    printing(text);
    expect(text.str() == "vector<float>(1000) [1, 1, 1, ..., 1, 1, 1]\n", "printing");
    whereabouts(rt);
    return failures;
}
