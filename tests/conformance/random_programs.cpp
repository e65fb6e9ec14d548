// SPDX-License-Identifier: BSD-3-Clause
#include "support.hpp"

#include <numeric>
#include <random>

using namespace test;

/// Random sequences of calls on a few containers, against the same on plain vectors. Arithmetic is modulo 2^32, so that
/// every order of evaluation must give the same bits.

namespace
{

using number = unsigned;

const auto scaled = sk::map(SKELRT_FN((unsigned f, unsigned a) { return f * a + 1u; }));
const auto add = sk::map(SKELRT_FN((unsigned a, unsigned b) { return a + 3u * b; }));
const auto mix = sk::map(SKELRT_FN((unsigned a, unsigned b, unsigned c) { return a * b + (c ^ 5u); }));
const auto numbered = sk::map(SKELRT_FN((sk::index1 i, unsigned a) { return a + (unsigned)i.i; }));
const auto pick = sk::map(SKELRT_FN((unsigned a, sk::vec<unsigned> x) { return x[a % x.size()]; }));
const auto sum = sk::reduce(sk::plus, 1u);
const auto last_set =
    sk::reduce(SKELRT_FN((unsigned a, unsigned b) { return b == 0u ? a : b; })); // the last that is not 0

/// Runs one program on both; every step is one of the things that users do.
class program
{
public:
    explicit program(unsigned seed) : random_(seed), size_(1 + below(below(2) ? 5000 : 80))
    {
        for (unsigned k = 0; k < 4; ++k) {
            plain_.push_back(numbers<number>(size_, seed + k));
            x_.push_back(vector_of(plain_.back()));
            if (below(3) == 0) x_.back().set_tiles(1 + below(9));
        }
    }

    void run(unsigned steps)
    {
        for (unsigned k = 0; k < steps; ++k) step();
        for (std::size_t k = 0; k < x_.size(); ++k) check_equal(x_[k], plain_[k]);
    }

private:
    std::size_t below(std::size_t n) { return random_() % n; }
    std::size_t any() { return below(x_.size()); }

    template <class F>
    void set(std::size_t to, std::size_t first, std::size_t count, F f)
    {
        const auto fresh = expected(count, f);
        std::copy(fresh.begin(), fresh.end(), plain_[to].begin() + static_cast<std::ptrdiff_t>(first));
    }

    void step()
    {
        const std::size_t to = any(), i = any(), j = any(), k = any();
        const auto &a = plain_[i], &b = plain_[j], &c = plain_[k];
        const auto u = static_cast<number>(below(100));
        switch (below(11)) {
        case 0:
            x_[to] = scaled(u, x_[i]);
            set(to, 0, size_, [&](std::size_t p) { return u * a[p] + 1; });
            break;
        case 1:
            x_[to] = mix(x_[i], x_[j], x_[k]);
            set(to, 0, size_, [&](std::size_t p) { return a[p] * b[p] + (c[p] ^ 5u); });
            break;
        case 2:
            x_[to] = add(scaled(u, x_[i]), add(x_[j], numbered(x_[k])));
            set(to, 0, size_,
                [&](std::size_t p) { return u * a[p] + 1 + 3 * (b[p] + 3 * (c[p] + static_cast<number>(p))); });
            break;
        case 3:
            ranges(to, i, j);
            break;
        case 4:
            x_[to] = pick(x_[i], x_[j]);
            set(to, 0, size_, [&](std::size_t p) { return b[a[p] % size_]; });
            break;
        case 5:
            x_[to] = x_[i];
            plain_[to] = std::vector<number>(a);
            break;
        case 6:
            swap(x_[to], x_[i]), plain_[to].swap(plain_[i]);
            break;
        case 7: {
            const sk::scalar<number> s = sum(x_[i]);
            x_[to] = scaled(s, x_[j]);
            const number t = std::accumulate(a.begin(), a.end(), 1u);
            set(to, 0, size_, [&](std::size_t p) { return t * b[p] + 1; });
            break;
        }
        case 8:
            REQUIRE(sum(add(x_[i], x_[j])).get() ==
                    std::accumulate(a.begin(), a.end(), 1u) + 3 * std::accumulate(b.begin(), b.end(), 0u));
            break;
        case 9:
            REQUIRE(last_set(x_[i]).get() == last_set_of(a));
            break;
        default:
            touch(to, u);
            break;
        }
    }

    void ranges(std::size_t to, std::size_t i, std::size_t j)
    {
        const std::size_t count = below(size_ + 1);
        const std::size_t at = below(size_ - count + 1), p = below(size_ - count + 1), q = below(size_ - count + 1);
        x_[to].range(at, count) = add(x_[i].range(p, count), x_[j].range(q, count));
        set(to, at, count, [&](std::size_t k) { return plain_[i][p + k] + 3 * plain_[j][q + k]; });
    }

    void touch(std::size_t to, number u)
    {
        auto h = sk::host(x_[to]);
        const std::size_t at = below(size_);
        h[at] = u;
        plain_[to][at] = u;
    }

    static number last_set_of(const std::vector<number>& v)
    {
        return std::accumulate(v.begin() + 1, v.end(), v.front(), [](number a, number b) { return b == 0 ? a : b; });
    }

    std::mt19937 random_;
    std::size_t size_;
    std::vector<std::vector<number>> plain_;
    std::vector<sk::vector<number>> x_;
};

const auto plus3 =
    sk::map(SKELRT_FN((sk::index2 i, unsigned a, unsigned b) { return a + 3u * b + (unsigned)(i.row * 7 + i.col); }));

} // namespace

TEST_CASE("random programs give what plain loops give", "[random]")
{
    for (unsigned seed = 1; seed <= 40; ++seed) {
        INFO("seed " << seed);
        program(seed).run(40);
    }
}

TEST_CASE("random parts of random matrices", "[random][view]")
{
    for (unsigned seed = 1; seed <= 40; ++seed) {
        INFO("seed " << seed);
        std::mt19937 random(seed);
        const auto below = [&](std::size_t n) { return random() % n; };
        const std::size_t rows = 1 + below(90), cols = 1 + below(90);
        auto a = numbers<unsigned>(rows * cols, seed);
        auto m = matrix_of(rows, cols, a);
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
        check_equal(m, a);
    }
}

TEST_CASE("random parts with steps of one matrix, some of them backwards", "[random][view]")
{
    struct lines {
        std::size_t first, step, count;
        bool back;
        std::size_t at(std::size_t k) const { return first + (back ? count - 1 - k : k) * step; }
    };
    for (unsigned seed = 1; seed <= 40; ++seed) {
        INFO("seed " << seed);
        std::mt19937 random(seed);
        const auto below = [&](std::size_t n) { return random() % n; };
        const std::size_t rows = 1 + below(90), cols = 1 + below(90);
        auto a = numbers<unsigned>(rows * cols, seed);
        auto m = matrix_of(rows, cols, a);
        const auto some = [&](std::size_t of, std::size_t count) {
            const std::size_t step = 1 + below(count > 0 ? of / count : 3);
            const std::size_t length = count > 0 ? (count - 1) * step + 1 : 0;
            return lines{below(of - length + 1), step, count, sk::ranks() == 1 && below(3) == 0};
        };
        const auto part = [&](const lines& r, const lines& c) {
            auto all = m.sub(r.first, c.first, r.count, c.count, r.step, c.step);
            if (r.back && c.back) return all.reversed(0).reversed(1);
            return r.back ? all.reversed(0) : c.back ? all.reversed(1) : all;
        };
        for (int k = 0; k < 6; ++k) {
            const std::size_t r = below(rows + 1) / (1 + below(3)), c = below(cols + 1) / (1 + below(3));
            const lines r1 = some(rows, r), r2 = some(rows, r), r3 = some(rows, r);
            const lines c1 = some(cols, c), c2 = some(cols, c), c3 = some(cols, c);
            part(r1, c1) = plus3(part(r2, c2), part(r3, c3));
            const auto old = a;
            for (std::size_t i = 0; i < r; ++i)
                for (std::size_t j = 0; j < c; ++j)
                    a[r1.at(i) * cols + c1.at(j)] = old[r2.at(i) * cols + c2.at(j)] +
                                                    3 * old[r3.at(i) * cols + c3.at(j)] +
                                                    static_cast<unsigned>(i * 7 + j);
        }
        check_equal(m, a);
    }
}
