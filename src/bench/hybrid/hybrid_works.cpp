// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/hybrid/hybrid_works.hpp"

#include "src/bench/hybrid/hybrid_apps.hpp"
#include "src/bench/shared/race/race.hpp"

#include <skelrt/skelrt.hpp>

namespace bench
{
namespace
{

namespace sk = skelrt;
using vector = sk::vector<float>;

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
    {"heat", true, 4, 1e-9, &make_heat},
    {"jacobi", false, 24, 60e-9, &make_jacobi},
    {"sor", true, 16, 6e-9, &make_sor},
    {"cg", true, 40, 12e-9, &make_cg},
    {"ode", false, 112, 80e-9, &make_ode},
    {"blur", true, 16, 6e-9, &make_blur},
    {"mandelbrot", false, 4, 100e-9, &make_mandelbrot},
    {"coulomb", false, 4, 70e-9, &make_coulomb},
    {"matmul", false, 12, 1e-6, &make_matmul},
};

} // namespace

std::span<const hybrid_kind> hybrid_kinds() { return kinds; }

} // namespace bench
