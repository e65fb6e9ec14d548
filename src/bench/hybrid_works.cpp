#include "hybrid_works.hpp"

#include "apps/blur/kernel.hpp"
#include "apps/heat/kernel.hpp"
#include "apps/jacobi/kernel.hpp"
#include "apps/mandelbrot/kernel.hpp"
#include "apps/matmul/kernel.hpp"
#include "race.hpp"

#include <skelrt/skelrt.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace bench
{
namespace
{

namespace sk = skelrt;
using vector = sk::vector<float>;

std::size_t side_of(std::size_t elements)
{
    return std::max<std::size_t>(1, static_cast<std::size_t>(std::sqrt(static_cast<double>(elements))));
}

/// A writing view leaves no copy on any device.
template <class... Containers>
void bring_home(Containers&... all)
{
    (static_cast<void>(sk::host(all)), ...);
}

template <int K>
auto passes();
#define BENCH_PASSES(K)                                                                                                \
    template <>                                                                                                        \
    auto passes<K>()                                                                                                   \
    {                                                                                                                  \
        return sk::map(SKELRT_FN((float x, float y) {                                                                  \
            for (int j = 0; j < K; ++j) y = y * 0.999f + x;                                                            \
            return y;                                                                                                  \
        }));                                                                                                           \
    }
BENCH_PASSES(1)
BENCH_PASSES(16)
BENCH_PASSES(64)
BENCH_PASSES(256)
BENCH_PASSES(1024)
#undef BENCH_PASSES

/// y = f(x, y), K multiply-adds an element: the loop of the design's measurements.
template <int K>
class loop : public hybrid_work
{
public:
    loop(std::size_t n, rival_team& helpers) : x_(n, sk::uninitialized), y_(n, sk::uninitialized)
    {
        fill(x_, helpers, [](std::size_t) { return 1.0f; });
        fill(y_, helpers, [](std::size_t i) { return float(i % 7); });
    }
    void go_home() override { bring_home(x_, y_); }
    void step() override
    {
        static const auto f = passes<K>();
        y_ = f(x_, y_);
    }
    void wait() override { sk::wait(y_); }
    void read() override { keep(sk::host_read(y_)[0]); }

private:
    vector x_, y_;
};

class dot : public hybrid_work
{
public:
    dot(std::size_t n, rival_team& helpers) : x_(n, sk::uninitialized), y_(n, sk::uninitialized)
    {
        fill(x_, helpers, [](std::size_t) { return 1.0f; });
        fill(y_, helpers, [](std::size_t i) { return float(i % 7); });
    }
    void go_home() override { bring_home(x_, y_); }
    void step() override
    {
        static const auto times = sk::map(SKELRT_FN((float a, float b) { return a * b; }));
        static const auto sum = sk::reduce(sk::plus, 0.0f);
        result_ = sum(times(x_, y_));
    }
    void wait() override { read(); }
    void read() override { keep(result_.get()); }

private:
    vector x_, y_;
    sk::scalar<float> result_;
};

class sums : public hybrid_work
{
public:
    sums(std::size_t n, rival_team& helpers) : x_(n, sk::uninitialized), y_(n, sk::uninitialized)
    {
        fill(x_, helpers, [](std::size_t) { return 1.0f; });
    }
    void go_home() override { bring_home(x_, y_); }
    void step() override
    {
        static const auto scan = sk::scan(sk::plus);
        y_ = scan(x_);
    }
    void wait() override { sk::wait(y_); }
    void read() override { keep(sk::host_read(y_)[0]); }

private:
    vector x_, y_;
};

/// A grid that steps go over again and again.
class heat_plate : public hybrid_work
{
public:
    heat_plate(std::size_t n, rival_team&) : plate_(side_of(n), side_of(n), 1.0f) {}
    void go_home() override { bring_home(plate_); }
    void step() override { heat::advance(plate_, plate_, 1, 0.2f); }
    void wait() override { sk::wait(plate_); }
    void read() override { keep(sk::host_read(plate_)(0, 0)); }

private:
    heat::plate plate_;
};

/// Fifty steps from a start that stays.
class poisson : public hybrid_work
{
public:
    poisson(std::size_t n, rival_team&)
        : problem_(apps::poisson_problem(1, side_of(n) + 2)), zero_(side_of(n), side_of(n), 0.0),
          source_(jacobi::source_of(problem_, side_of(n), side_of(n))), result_(zero_)
    {
    }
    void go_home() override { bring_home(zero_, source_, result_); }
    void step() override { jacobi::solve(result_, zero_, source_, problem_.h, 50); }
    void wait() override { sk::wait(result_); }
    void read() override { keep(sk::host_read(result_)(0, 0)); }

private:
    jacobi::product problem_;
    jacobi::grid zero_, source_, result_;
};

class blurred : public hybrid_work
{
public:
    blurred(std::size_t n, rival_team&)
        : filter_({blur::plane(side_of(n), side_of(n), 0.5f)}, blur::weights_of(3), blur::form::separable, 1)
    {
    }
    void go_home() override { filter_.bring_home(); }
    void step() override { filter_.run(); }
    void wait() override { filter_.wait(); }
    void read() override { keep(sk::host_read(filter_.result()[0])(0, 0)); }

private:
    blur::filter filter_;
};

class fractal : public hybrid_work
{
public:
    fractal(std::size_t n, rival_team&)
        : view_(mandelbrot::view_of({}, side_of(n), side_of(n), 256)), picture_(side_of(n), side_of(n))
    {
    }
    void go_home() override { bring_home(picture_); }
    void step() override { mandelbrot::compute(picture_, view_); }
    void wait() override { sk::wait(picture_); }
    void read() override { keep(sk::host_read(picture_)(0, 0)); }

private:
    mandelbrot::view view_;
    sk::matrix<mandelbrot::pixel> picture_;
};

class product : public hybrid_work
{
public:
    product(std::size_t n, rival_team&)
        : a_(side_of(n), side_of(n), 0.5f), b_(side_of(n), side_of(n), 0.25f), c_(side_of(n), side_of(n))
    {
    }
    void go_home() override { bring_home(a_, b_, c_); }
    void step() override { matmul::multiply(c_, a_, b_); }
    void wait() override { sk::wait(c_); }
    void read() override { keep(sk::host_read(c_)(0, 0)); }

private:
    matmul::matrix a_, b_, c_;
};

template <class Work>
std::unique_ptr<hybrid_work> make(std::size_t n, rival_team& helpers)
{
    return std::make_unique<Work>(n, helpers);
}

constexpr hybrid_kind kinds[] = {
    {"loop 1", true, 8, 1e-9, &make<loop<1>>},
    {"loop 16", true, 8, 2e-9, &make<loop<16>>},
    {"loop 64", true, 8, 6e-9, &make<loop<64>>},
    {"loop 256", false, 8, 30e-9, &make<loop<256>>},
    {"loop 1024", false, 8, 120e-9, &make<loop<1024>>},
    {"dot", true, 8, 1e-9, &make<dot>},
    {"scan", true, 8, 2e-9, &make<sums>},
    {"heat", true, 4, 1e-9, &make<heat_plate>},
    {"jacobi", false, 24, 60e-9, &make<poisson>},
    {"blur", true, 16, 6e-9, &make<blurred>},
    {"mandelbrot", false, 4, 100e-9, &make<fractal>},
    {"matmul", false, 12, 1e-6, &make<product>},
};

} // namespace

std::span<const hybrid_kind> hybrid_kinds() { return kinds; }

} // namespace bench
