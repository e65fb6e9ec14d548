// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/tuning/works.hpp"

#include "src/bench/hybrid/hybrid_apps.hpp"

#include <skelrt/skelrt.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace bench
{
namespace
{

namespace sk = skelrt;

class sorting_work : public hybrid_work
{
public:
    explicit sorting_work(std::size_t n) : x_(n, sk::uninitialized)
    {
        const auto x = sk::host_write(x_);
        std::uint32_t next = 1;
        for (std::size_t i = 0; i < n; ++i) x[i] = static_cast<float>(next = 1664525u * next + 1013904223u);
    }
    void go_home() override { bring_home(x_); }
    void step() override { y_ = sk::sort(x_); }
    void wait() override { sk::wait(y_); }
    void read() override { keep(sk::host_read(y_)[0]); }

private:
    sk::vector<float> x_, y_;
};

/// The table of the Parallel Research Kernels' synchronization.
class table_work : public hybrid_work
{
public:
    explicit table_work(std::size_t n) : edge_(n, 1.0) {}
    void go_home() override { bring_home(edge_); }
    void step() override
    {
        static const auto sums =
            sk::wavefront(SKELRT_FN((sk::before2<double> d) { return d.above() + d.left() - d.diagonal(); }));
        table_ = sums(sk::edges(edge_, edge_, 1.0));
    }
    void wait() override { sk::wait(table_); }
    void read() override { keep(sk::host_read(table_)(0, 0)); }

private:
    sk::vector<double> edge_;
    sk::matrix<double> table_;
};

std::unique_ptr<hybrid_work> make_sorting(std::size_t n, rival_team&) { return std::make_unique<sorting_work>(n); }

std::unique_ptr<hybrid_work> make_table(std::size_t n, rival_team&)
{
    return std::make_unique<table_work>(static_cast<std::size_t>(std::sqrt(static_cast<double>(n))));
}

tuning_kind measured_elsewhere(std::string_view name, bool application, std::string_view called)
{
    return {name, application, std::ranges::find(hybrid_kinds(), called, &hybrid_kind::name)->make};
}

} // namespace

const std::vector<tuning_kind>& tuning_kinds()
{
    static const std::vector<tuning_kind> all = [] {
        std::vector<tuning_kind> kinds;
        for (const std::string_view name : {"mandelbrot", "coulomb", "blur", "heat", "sor", "ode"})
            kinds.push_back(measured_elsewhere(name, true, name));
        kinds.push_back(measured_elsewhere("dot", false, "dot"));
        kinds.push_back(measured_elsewhere("scan", false, "scan"));
        kinds.push_back(measured_elsewhere("product", false, "matmul"));
        kinds.push_back({"sort", false, &make_sorting});
        kinds.push_back({"wavefront", false, &make_table});
        return kinds;
    }();
    return all;
}

} // namespace bench
