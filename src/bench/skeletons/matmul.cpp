// SPDX-License-Identifier: BSD-3-Clause
#include "apps/shared/program/option_list.hpp"
#include "src/bench/commands.hpp"
#include "src/bench/shared/devices.hpp"
#include "src/bench/shared/race/race.hpp"
#include "src/bench/skeletons/matmul_rivals.hpp"

#include <fmt/core.h>
#include <skelrt/skelrt.hpp>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <vector>

namespace bench
{
namespace
{

namespace sk = skelrt;

template <class Side>
class skelrt_entrant : public matmul_entrant<product_of<Side>>
{
    using T = product_of<Side>;

public:
    explicit skelrt_entrant(std::size_t n) : a_(n, n, sk::uninitialized), b_(n, n, sk::uninitialized), c_(n, n, T{0})
    {
        Side* const a = sk::host_write(a_).data();
        for (std::size_t i = 0; i < n * n; ++i) a[i] = static_cast<Side>(left_value(i));
        Side* const b = sk::host_write(b_).data();
        for (std::size_t i = 0; i < n * n; ++i) b[i] = static_cast<Side>(right_value(i));
    }
    void launch() override { c_ = product_(a_, sk::transpose(b_)); }
    void wait() override { sk::wait(c_); }
    void look(const std::function<void(const T*)>& see) override { see(sk::host_read(c_).data()); }

private:
    sk::matrix<Side> a_, b_;
    sk::matrix<T> c_;
    sk::all_pairs<decltype(sk::multiplies)::lambda, decltype(sk::plus)::lambda, T> product_{sk::multiplies, sk::plus,
                                                                                            T{0}};
};

template <class T>
struct multiplier : entrant<matmul_entrant<T>> {
    /// Some elements of the product, all of one row and one column among them.
    void check(std::size_t n) const
    {
        this->work->launch();
        this->work->wait();
        this->work->look([&](const T* c) {
            const auto look_at = [&](std::size_t i, std::size_t j) {
                long sum = 0;
                for (std::size_t k = 0; k < n; ++k) sum += long{left_value(i * n + k)} * right_value(k * n + j);
                if (c[i * n + j] != static_cast<T>(sum))
                    throw std::runtime_error(
                        fmt::format("matmul, {}: ({}, {}) is {} instead of {}", this->name, i, j, c[i * n + j], sum));
            };
            for (std::size_t k = 0; k < n; k += 1 + n / 512) {
                look_at(k, n / 2);
                look_at(n / 3, k);
                look_at(k, n - 1 - k);
            }
        });
    }
};

/// Null without one.
template <class Side>
std::unique_ptr<matmul_entrant<product_of<Side>>> rival_of(const race_options& o, const rival_team& team)
{
    if (o.on_gpu()) return make_cublas_matmul<Side>(o.n);
    if constexpr (std::is_floating_point_v<Side>) return make_openblas_matmul<Side>(o.n, team.threads());
    else return nullptr;
}

/// skelrt's rate over the rival's; nothing without one.
template <class Side>
std::optional<double> race_of(report& out, const race_options& o, rival_team& team)
{
    using T = product_of<Side>;
    const char* const type = std::is_same_v<Side, float>    ? "floats"
                             : std::is_same_v<Side, double> ? "doubles"
                                                            : "halves";
    std::vector<multiplier<T>> all;
    all.push_back({{"skelrt", std::make_unique<skelrt_entrant<Side>>(o.n)}});
    if (auto rival = rival_of<Side>(o, team))
        all.push_back({{o.on_gpu() ? "cuBLAS" : "OpenBLAS", std::move(rival), runs_as::rival}});
    for (const multiplier<T>& e : all) e.check(o.n);
    out.heading(fmt::format("{0} x {0} {1}", o.n, type));
    const auto times = race(all, team, o, 1);
    const double flop = 2.0 * static_cast<double>(o.n) * static_cast<double>(o.n) * static_cast<double>(o.n);
    for (std::size_t i = 0; i < all.size(); ++i)
        out.row(fmt::format("matmul {} {}", o.n, type), all[i].name, times[i], flop / times[i].best / 1e9, "GFlop/s");
    for (const multiplier<T>& e : all) e.check(o.n);
    if (all.size() < 2) return {};
    return times[1].median / times[0].median;
}

/// The worst of all sizes.
template <class T>
std::optional<double> worst_of(report& out, race_options o, rival_team& team, const std::vector<std::size_t>& sizes)
{
    std::optional<double> worst;
    for (const std::size_t n : sizes) {
        o.n = n;
        const auto one = race_of<T>(out, o, team);
        if (!one) return {};
        worst = std::min(worst.value_or(*one), *one);
    }
    return worst;
}

int matmul(report& out, race_options o)
{
    const bool gpu = o.on_gpu();
    std::vector<std::size_t> sizes{o.n};
    if (o.n == 0) sizes = gpu ? std::vector<std::size_t>{o.cuda_n / 2, o.cuda_n} : std::vector{o.cpu_n};
    complete_race(o);
    const auto rt = start_runtime(o.device);
    out.note("devices:     " + devices_text(*rt));
    out.note("all_pairs(multiplies, plus, 0)(A, transpose(B)), row-major; rates are of the best time, figures of the "
             "medians; contestants alternate; SKELRT_BLAS=0: our own kernels");
    if (gpu) out.note(fmt::format("{} asynchronous calls, one wait, on the host's clock; data resident", o.batch));
    std::optional<sk::only> resident;
    if (gpu) resident.emplace(sk::device::cuda);
    rival_team team;
    const auto of_floats = worst_of<float>(out, o, team, sizes), of_doubles = worst_of<double>(out, o, team, sizes);
    const auto of_halves = gpu ? worst_of<sk::half>(out, o, team, sizes) : std::nullopt;
    if (!of_floats || !of_doubles) {
        out.warn(gpu ? "built without cuBLAS: no figure" : "built without OpenBLAS: no figure");
    } else if (gpu) {
        out.figure("gpu_matmul_f32_vs_cublas", *of_floats);
        out.figure("gpu_matmul_f64_vs_cublas", *of_doubles);
        out.figure("gpu_matmul_f16_vs_cublas", *of_halves);
    } else {
        out.figure("cpu_matmul_vs_openblas", std::min(*of_floats, *of_doubles));
    }
    return 0;
}

} // namespace

runner declare_matmul(apps::option_list& line)
{
    auto o = std::make_shared<race_options>(race_options{2048, 8192, 9, 5});
    declare_race(line, *o, "cpu: against OpenBLAS; cuda: resident, against cuBLAS", "rows and columns");
    return [o](report& out) { return matmul(out, *o); };
}

} // namespace bench
