// SPDX-License-Identifier: BSD-3-Clause
/// What tasks compute on of other ranks' elements is what these sent: stand_ins ROUNDS, under mpirun. Short programs
/// over and over: a task that does not wait for all that it reads is found at times on cores, on other devices at once.
/// Exit code 0 if all is as it should be.

#include "tests/cluster/dealt.hpp"

#include <skelrt/skelrt.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

namespace sk = skelrt;
using namespace test;

namespace
{

const auto same = sk::map(SKELRT_FN((float a) { return a; }));
const auto add = sk::map(SKELRT_FN((float a, float b) { return a + b; }));
const auto step = sk::stencil(SKELRT_FN((sk::hood3<float> u) { return u(0, 0, 0) + 1.0f + 0.0f * u(0, 0, 1); }),
                              sk::border::constant(0));
const auto plus3 =
    sk::map(SKELRT_FN((sk::index2 i, unsigned a, unsigned b) { return a + 3u * b + (unsigned)(i.row * 7 + i.col); }));

template <class View>
void expect_all(const View& h, std::size_t n, float wanted, const std::string& what)
{
    for (std::size_t i = 0; i < n; ++i)
        if (h.data()[i] != wanted)
            return expect(false, what + ": element " + std::to_string(i) + " is " + std::to_string(h.data()[i]));
}

/// A plane that its tensor's ranks have written goes to the rows of others.
void planes(const std::string& round)
{
    sk::tensor<float, 3> t({4, 5, 6}, 1.0f);
    auto plane = t.plane(2);
    t = step.iterate(4, t);
    const sk::matrix<float> seen = same(plane);
    expect_all(sk::host_read(seen), 30, 5, round + "what a plane shows");
    plane = add(plane, 1.0f);
    const auto v = sk::host_read(t);
    expect(v.data()[2 * 30 + 7] == 6 && v.data()[7] == 5, round + "a plane that was written");
}

/// Each rank has one row, and computes on that of the next rank.
void next_rows(const std::string& round, float value)
{
    const auto ranks = static_cast<std::size_t>(sk::ranks());
    constexpr std::size_t cols = 600;
    sk::matrix<float> m(ranks, cols, value - 1);
    m = add(m, sk::matrix<float>(ranks, cols, 1.0f));
    const sk::matrix<float> next = same(m.sub(1, 0, ranks - 1, cols));
    const auto here = sk::local(next);
    expect_all(here, here.rows() * here.cols(), value, round + "the next rank's row");
}

/// Rectangles of a matrix from two others of it, which lie with other ranks.
void rectangles(const std::string& round, unsigned seed)
{
    std::mt19937 random(seed);
    const auto below = [&](std::size_t n) { return random() % n; };
    const std::size_t rows = 1 + below(90), cols = 1 + below(90);
    std::vector<unsigned> a(rows * cols);
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<unsigned>(i * 2654435761u + seed);
    sk::matrix<unsigned> m(rows, cols);
    {
        auto h = sk::host_write(m);
        std::copy(a.begin(), a.end(), h.data());
    }
    for (int k = 0; k < 6; ++k) {
        const std::size_t r = below(rows + 1), c = below(cols + 1);
        const std::size_t r1 = below(rows - r + 1), c1 = below(cols - c + 1), r2 = below(rows - r + 1),
                          c2 = below(cols - c + 1);
        const std::size_t r3 = below(rows - r + 1), c3 = below(cols - c + 1);
        m.sub(r1, c1, r, c) = plus3(m.sub(r2, c2, r, c), m.sub(r3, c3, r, c));
        const auto old = a;
        for (std::size_t i = 0; i < r; ++i)
            for (std::size_t j = 0; j < c; ++j)
                a[(r1 + i) * cols + c1 + j] = old[(r2 + i) * cols + c2 + j] + 3 * old[(r3 + i) * cols + c3 + j] +
                                              static_cast<unsigned>(i * 7 + j);
    }
    const auto h = sk::host_read(m);
    for (std::size_t i = 0; i < a.size(); ++i)
        if (h.data()[i] != a[i])
            return expect(false, round + "rectangles: element " + std::to_string(i) + " of " + std::to_string(rows) +
                                     " x " + std::to_string(cols) + " is " + std::to_string(h.data()[i]) + ", not " +
                                     std::to_string(a[i]));
}

} // namespace

int main(int argc, char** argv)
{
    const unsigned rounds = argc > 1 ? static_cast<unsigned>(std::atoi(argv[1])) : 0;
    if (rounds == 0) return 2;
    sk::runtime runtime;
    for (unsigned k = 0; k < rounds; ++k) {
        const std::string round = "round " + std::to_string(k) + ", ";
        next_rows(round, static_cast<float>(k + 1));
        planes(round);
        rectangles(round, k % 40 + 1);
    }
    return failures > 0 ? 1 : 0;
}
