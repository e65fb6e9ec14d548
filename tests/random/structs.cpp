// SPDX-License-Identifier: BSD-3-Clause
#include "state.hpp"

#include <algorithm>
#include <utility>

SKELRT_SHARED(struct affine { unsigned slope, offset; };) // x -> slope * x + offset, modulo 2^32

static bool operator==(const affine& f, const affine& g) { return f.slope == g.slope && f.offset == g.offset; }

namespace
{

affine composed(const affine& f, const affine& g) { return {f.slope * g.slope, f.slope * g.offset + f.offset}; }

#define COMPOSE                                                                                                        \
    SKELRT_FN((affine f, affine g) {                                                                                   \
        affine h;                                                                                                      \
        h.slope = f.slope * g.slope;                                                                                   \
        h.offset = f.slope * g.offset + f.offset;                                                                      \
        return h;                                                                                                      \
    })

const auto both = sk::map(COMPOSE);
const auto all = sk::reduce(COMPOSE);
const auto all_from = sk::reduce(COMPOSE, affine{3, 1});
const auto running = sk::scan(COMPOSE);
const auto shifted = sk::map(SKELRT_FN((sk::index1 i, affine f) {
    f.offset += (unsigned)i.i;
    return f;
}));
const auto slope_of = sk::map(SKELRT_FN((affine f) { return f.slope; }));
const auto of_few_slopes = SKELRT_FN((affine f, affine g) { return f.slope % 8u < g.slope % 8u; });
const auto with_even_offset = sk::filter(SKELRT_FN((affine f) { return f.offset % 2u == 0u; }));
const auto sum = sk::reduce(SKELRT_FN((unsigned a, unsigned b) { return a + b; }), 0u);

/// Operators that do not commute, on elements that are structs.
class program
{
public:
    explicit program(unsigned seed) : choose_(seed), n_(choose_.size()), fused_(!choose_.one_in(3))
    {
        for (unsigned k = 0; k < 3; ++k) {
            std::vector<affine> v(n_);
            for (affine& f : v)
                f = {static_cast<unsigned>(2 * choose_.below(50) + 1), static_cast<unsigned>(choose_.below(100))};
            x_.emplace_back(v.begin(), v.end());
            if (choose_.one_in(2)) x_.back().set_tiles(1 + choose_.below(9));
            plain_.push_back(std::move(v));
        }
    }

    void run(unsigned steps)
    {
        const sk::fusion switched(fused_);
        for (unsigned k = 0; k < steps; ++k) step();
        for (std::size_t k = 0; k < x_.size(); ++k) random_programs::compare("structs", x_[k], plain_[k]);
    }

private:
    affine reduced(const std::vector<affine>& v, affine start, std::size_t first) const
    {
        for (std::size_t p = first; p < v.size(); ++p) start = composed(start, v[p]);
        return start;
    }

    void step()
    {
        const std::size_t to = choose_.below(3), i = choose_.below(3), j = choose_.below(3);
        const auto a = plain_[i], b = plain_[j];
        switch (choose_.below(7)) {
        case 0:
            x_[to] = both(x_[i], shifted(x_[j]));
            for (std::size_t p = 0; p < n_; ++p)
                plain_[to][p] = composed(a[p], {b[p].slope, b[p].offset + static_cast<unsigned>(p)});
            break;
        case 1:
            if (n_ > 0) random_programs::compare_value("all", all(x_[i]).get(), reduced(a, a[0], 1));
            break;
        case 2:
            random_programs::compare_value("all from a start", all_from(both(x_[i], x_[j])).get(), [&] {
                affine f{3, 1};
                for (std::size_t p = 0; p < n_; ++p) f = composed(f, composed(a[p], b[p]));
                return f;
            }());
            break;
        case 3:
            x_[to] = running(both(x_[i], x_[j]));
            for (std::size_t p = 0; p < n_; ++p) {
                const affine f = composed(a[p], b[p]);
                plain_[to][p] = p == 0 ? f : composed(plain_[to][p - 1], f);
            }
            break;
        case 4: {
            unsigned want = 0;
            for (const affine& f : a) want += f.slope;
            random_programs::compare_value("slopes", sum(slope_of(x_[i])).get(), want);
            break;
        }
        case 5:
            return filtered(i, j);
        default:
            return sorted(to, i, j);
        }
    }

    void filtered(std::size_t i, std::size_t j) const
    {
        std::vector<affine> want;
        for (std::size_t p = 0; p < n_; ++p)
            if (const affine f = composed(plain_[i][p], plain_[j][p]); f.offset % 2 == 0) want.push_back(f);
        random_programs::compare("filter", sk::vector<affine>(with_even_offset(both(x_[i], x_[j]))), want);
    }

    /// Few values to sort by, so that only a stable sort is right.
    void sorted(std::size_t to, std::size_t i, std::size_t j)
    {
        if (choose_.one_in(2)) {
            auto want = plain_[i];
            std::stable_sort(want.begin(), want.end(),
                             [](const affine& f, const affine& g) { return f.slope % 8 < g.slope % 8; });
            x_[to] = sk::sort(x_[i], of_few_slopes);
            plain_[to] = std::move(want);
            return;
        }
        sk::vector<unsigned> keys = slope_of(x_[j]);
        std::vector<std::pair<unsigned, affine>> want(n_);
        for (std::size_t p = 0; p < n_; ++p) want[p] = {plain_[j][p].slope, plain_[to][p]};
        std::stable_sort(want.begin(), want.end(), [](const auto& f, const auto& g) { return f.first < g.first; });
        sk::sort_by_key(keys, x_[to]);
        for (std::size_t p = 0; p < n_; ++p) plain_[to][p] = want[p].second;
    }

    random_programs::choices choose_;
    std::size_t n_;
    bool fused_;
    std::vector<std::vector<affine>> plain_;
    std::vector<sk::vector<affine>> x_;
};

} // namespace

void random_programs::run_structs(unsigned seed) { program(seed).run(8); }
