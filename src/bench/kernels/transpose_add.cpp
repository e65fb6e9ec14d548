// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/kernels/kernels.hpp"

#include <fmt/core.h>

namespace bench
{
namespace
{

class own_transposed_sum : public kernel_entrant<double>
{
public:
    explicit own_transposed_sum(std::size_t n) : a_(n, n), b_(n, n) {}
    void begin_anew() override
    {
        const auto a = skelrt::host_write(a_), b = skelrt::host_write(b_);
        for (std::size_t i = 0; i < a_.size(); ++i) a.data()[i] = added_value(i), b.data()[i] = 0;
    }
    void launch() override
    {
        b_ += skelrt::transpose(a_);
        a_ += 1.0;
    }
    void wait() override
    {
        skelrt::wait(a_);
        skelrt::wait(b_);
    }
    std::vector<double> result() override
    {
        const auto b = skelrt::host_read(b_);
        return {b.data(), b.data() + b_.size()};
    }

private:
    skelrt::matrix<double> a_, b_;
};

/// Twice from the beginning: the second launch sees whether a was incremented.
void check_two_launches(const std::vector<entrant<kernel_entrant<double>>>& all, std::size_t n)
{
    std::vector<double> wanted(n * n);
    for (std::size_t i = 0; i < n * n; ++i) wanted[i] = 2 * added_value(i % n * n + i / n) + 1;
    for (const auto& e : all) {
        e.work->begin_anew();
        e.work->launch();
        e.work->launch();
        e.work->wait();
        check_values("transpose_add, " + e.name, e.work->result(), wanted, 0);
    }
}

} // namespace

void race_transposed_sum(report& out, const kernel_options& o, rival_team& team)
{
    const std::size_t n = 2 * o.n;
    std::vector<entrant<kernel_entrant<double>>> all;
    all.push_back({"skelrt", std::make_unique<own_transposed_sum>(n)});
    if (!o.on_gpu()) all.push_back({"OpenMP", make_openmp_transposed_sum(n, team), runs_as::team});
    else if (auto rival = make_cuda_transposed_sum(n)) all.push_back({"by hand", std::move(rival), runs_as::rival});
    check_two_launches(all, n);
    out.heading(fmt::format("transpose_add, {0} x {0} doubles", n));
    constexpr double moved = 5; // a, b and b; a and a
    const auto times = race(out, "transpose_add", all, team, o, moved * static_cast<double>(n * n) * sizeof(double));
    check_two_launches(all, n);
    if (all.size() < 2) return;
    out.figure(o.on_gpu() ? "gpu_transpose_add_vs_hand" : "cpu_transpose_add_vs_openmp",
               times[0].median / times[1].median);
}

} // namespace bench
