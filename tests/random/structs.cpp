#include "random_programs.hpp"

#include <skelrt/skelrt.hpp>

#include <utility>

namespace sk = skelrt;

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
        for (std::size_t k = 0; k < x_.size(); ++k) {
            const auto h = sk::host_read(x_[k]);
            random_programs::check("structs", std::vector<affine>(h.begin(), h.end()), plain_[k]);
        }
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
        const auto one = [](const char* what, const auto& got, const auto& want) {
            using V = std::remove_cvref_t<decltype(want)>;
            random_programs::check(what, std::vector<V>{got}, std::vector<V>{want});
        };
        switch (choose_.below(5)) {
        case 0:
            x_[to] = both(x_[i], shifted(x_[j]));
            for (std::size_t p = 0; p < n_; ++p)
                plain_[to][p] = composed(a[p], {b[p].slope, b[p].offset + static_cast<unsigned>(p)});
            break;
        case 1:
            if (n_ > 0) one("all", all(x_[i]).get(), reduced(a, a[0], 1));
            break;
        case 2:
            one("all from a start", all_from(both(x_[i], x_[j])).get(), [&] {
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
        default: {
            unsigned want = 0;
            for (const affine& f : a) want += f.slope;
            one("slopes", sum(slope_of(x_[i])).get(), want);
        }
        }
    }

    random_programs::choices choose_;
    std::size_t n_;
    bool fused_;
    std::vector<std::vector<affine>> plain_;
    std::vector<sk::vector<affine>> x_;
};

} // namespace

void random_programs::run_structs(unsigned seed) { program(seed).run(8); }
