// SPDX-License-Identifier: BSD-3-Clause
#include "apps/shared/program/option_list.hpp"
#include "src/bench/commands.hpp"
#include "src/bench/shared/devices.hpp"
#include "src/bench/shared/race/race.hpp"
#include "src/bench/skeletons/matmul_rivals.hpp"

#include <fmt/core.h>
#include <skelrt/algorithms/batched_product.hpp>
#include <skelrt/skelrt.hpp>

#include <algorithm>
#include <complex>
#include <memory>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <vector>

namespace bench
{
namespace
{

namespace sk = skelrt;

template <class T>
using matmul_of = sk::all_pairs<decltype(sk::multiplies)::lambda, decltype(sk::plus)::lambda, T>;

template <class Container>
void fill_sides(Container& left, Container& right)
{
    using Side = typename Container::value_type;
    Side* const a = sk::host_write(left).data();
    for (std::size_t i = 0; i < left.size(); ++i) a[i] = left_element<Side>(i);
    Side* const b = sk::host_write(right).data();
    for (std::size_t i = 0; i < right.size(); ++i) b[i] = right_element<Side>(i);
}

template <class Side>
class skelrt_entrant : public matmul_entrant<product_of<Side>>
{
    using T = product_of<Side>;

public:
    explicit skelrt_entrant(const matmul_size& s)
        : goes_(s.goes), a_(s.n, s.n, sk::uninitialized), b_(s.n, s.n, sk::uninitialized), c_(s.n, s.n, T{0})
    {
        fill_sides(a_, b_);
    }
    void launch() override
    {
        if (goes_ == product_goes::on_top) c_ += product_(a_, sk::transpose(b_));
        else c_ = product_(a_, sk::transpose(b_));
    }
    void wait() override { sk::wait(c_); }
    void look(const std::function<void(const T*)>& see) override { see(sk::host_read(c_).data()); }

private:
    product_goes goes_;
    sk::matrix<Side> a_, b_;
    sk::matrix<T> c_;
    matmul_of<T> product_{sk::multiplies, sk::plus, T{0}};
};

/// Products of planes.
class batch_entrant : public matmul_entrant<float>
{
public:
    explicit batch_entrant(const matmul_size& s)
        : a_({s.planes, s.n, s.n}, 0.0f), b_({s.planes, s.n, s.n}, 0.0f), c_({s.planes, s.n, s.n}, 0.0f)
    {
        fill_sides(a_, b_);
    }
    void launch() override { c_ = sk::batched_product(a_, b_); }
    void wait() override { sk::wait(c_); }
    void look(const std::function<void(const float*)>& see) override { see(sk::host_read(c_).data()); }

private:
    sk::tensor<float, 3> a_, b_, c_;
};

template <class Side>
std::unique_ptr<matmul_entrant<product_of<Side>>> skelrt_of(const matmul_size& s)
{
    if constexpr (std::is_same_v<Side, float>)
        if (s.planes > 1) return std::make_unique<batch_entrant>(s);
    return std::make_unique<skelrt_entrant<Side>>(s);
}

/// Counts what is launched: products may be added up.
template <class T>
class counted : public matmul_entrant<T>
{
public:
    explicit counted(std::unique_ptr<matmul_entrant<T>> of) : of_(std::move(of)) {}
    void launch() override
    {
        ++launched_;
        of_->launch();
    }
    void wait() override { of_->wait(); }
    void look(const std::function<void(const T*)>& see) override { of_->look(see); }
    int launched() const { return launched_; }

private:
    std::unique_ptr<matmul_entrant<T>> of_;
    int launched_ = 0;
};

template <class Side>
struct multiplier : entrant<counted<product_of<Side>>> {
    using T = product_of<Side>;

    /// Some elements of the products, in each plane that is looked at all of one row and one column among them.
    void check(const matmul_size& s) const
    {
        this->work->launch();
        this->work->wait();
        const auto times =
            static_cast<T>(static_cast<float>(s.goes == product_goes::on_top ? this->work->launched() : 1));
        const std::size_t n = s.n;
        this->work->look([&](const T* c) {
            const auto look_at = [&](std::size_t plane, std::size_t i, std::size_t j) {
                const std::size_t first = plane * n * n;
                T sum{};
                for (std::size_t k = 0; k < n; ++k)
                    sum += T(left_element<Side>(first + i * n + k)) * T(right_element<Side>(first + k * n + j));
                if (c[first + i * n + j] != times * sum)
                    throw std::runtime_error(
                        fmt::format("matmul, {}: ({}, {}) of plane {} is wrong", this->name, i, j, plane));
            };
            for (const std::size_t plane : {std::size_t{0}, s.planes - 1})
                for (std::size_t k = 0; k < n; k += 1 + n / 512) {
                    look_at(plane, k, n / 2);
                    look_at(plane, n / 3, k);
                    look_at(plane, k, n - 1 - k);
                }
        });
    }
};

/// Null without one.
template <class Side>
std::unique_ptr<matmul_entrant<product_of<Side>>> rival_of(const race_options& o, const matmul_size& s,
                                                           const rival_team& team)
{
    if (o.on_gpu()) return make_cublas_matmul<Side>(s);
    if constexpr (std::is_floating_point_v<Side>) return make_openblas_matmul<Side>(s, team.threads());
    else return nullptr;
}

template <class Side>
constexpr const char* name_of_sides()
{
    if constexpr (std::is_same_v<Side, float>) return "floats";
    else if constexpr (std::is_same_v<Side, double>) return "doubles";
    else if constexpr (std::is_same_v<Side, sk::half>) return "halves";
    else if constexpr (std::is_same_v<Side, sk::bfloat16>) return "bfloat16s";
    else if constexpr (std::is_same_v<Side, std::complex<float>>) return "complex floats";
    else return "complex doubles";
}

/// skelrt's rate over the rival's; nothing without one.
template <class Side>
std::optional<double> race_of(report& out, const race_options& o, const matmul_size& s, rival_team& team)
{
    using T = product_of<Side>;
    std::vector<multiplier<Side>> all;
    all.push_back({{"skelrt", std::make_unique<counted<T>>(skelrt_of<Side>(s))}});
    if (auto rival = rival_of<Side>(o, s, team))
        all.push_back(
            {{o.on_gpu() ? "cuBLAS" : "OpenBLAS", std::make_unique<counted<T>>(std::move(rival)), runs_as::rival}});
    for (const multiplier<Side>& e : all) e.check(s);
    const std::string what = fmt::format("{}{} {}{}", s.planes > 1 ? fmt::format("{} x ", s.planes) : "", s.n,
                                         name_of_sides<Side>(), s.goes == product_goes::on_top ? ", added" : "");
    out.heading(fmt::format("{0}{1} x {1} {2}{3}", s.planes > 1 ? fmt::format("{} of ", s.planes) : "", s.n,
                            name_of_sides<Side>(), s.goes == product_goes::on_top ? ", added to the result" : ""));
    const auto times = race(all, team, o, 1);
    const double flop =
        (complex_number<Side> ? 8.0 : 2.0) * static_cast<double>(s.elements()) * static_cast<double>(s.n);
    for (std::size_t i = 0; i < all.size(); ++i)
        out.row("matmul " + what, all[i].name, times[i], flop / times[i].best / 1e9, "GFlop/s");
    for (const multiplier<Side>& e : all) e.check(s);
    if (all.size() < 2) return {};
    return times[1].median / times[0].median;
}

/// The worst of all sizes.
template <class Side>
std::optional<double> worst_of(report& out, const race_options& o, rival_team& team,
                               const std::vector<matmul_size>& sizes)
{
    std::optional<double> worst;
    for (const matmul_size& s : sizes) {
        const auto one = race_of<Side>(out, o, s, team);
        if (!one) return {};
        worst = std::min(worst.value_or(*one), *one);
    }
    return worst;
}

/// As many elements as one of the usual matrices has.
std::vector<matmul_size> batches(std::size_t n)
{
    std::vector<matmul_size> all;
    for (const std::size_t side : {32, 64, 256}) all.push_back({side, std::max<std::size_t>(n * n / (side * side), 2)});
    return all;
}

void race_on_gpu(report& out, const race_options& o, rival_team& team, std::vector<matmul_size> sizes)
{
    const auto figure = [&](const char* name, std::optional<double> value) {
        if (value) out.figure(name, *value);
    };
    figure("gpu_matmul_f32_vs_cublas", worst_of<float>(out, o, team, sizes));
    figure("gpu_matmul_f64_vs_cublas", worst_of<double>(out, o, team, sizes));
    figure("gpu_matmul_f16_vs_cublas", worst_of<sk::half>(out, o, team, sizes));
    figure("gpu_matmul_bf16_vs_cublas", worst_of<sk::bfloat16>(out, o, team, sizes));
    figure("gpu_matmul_c32_vs_cublas", worst_of<std::complex<float>>(out, o, team, sizes));
    figure("gpu_matmul_c64_vs_cublas", worst_of<std::complex<double>>(out, o, team, sizes));
    figure("gpu_matmul_batches_vs_cublas", worst_of<float>(out, o, team, batches(sizes.front().n)));
    for (matmul_size& s : sizes) s.goes = product_goes::on_top;
    figure("gpu_matmul_add_f32_vs_cublas", worst_of<float>(out, o, team, sizes));
    figure("gpu_matmul_add_f64_vs_cublas", worst_of<double>(out, o, team, sizes));
}

/// The worse of float and double.
void race_on_cores(report& out, const race_options& o, rival_team& team, std::vector<matmul_size> sizes)
{
    const auto figure = [&](const char* name) {
        const auto of_floats = worst_of<float>(out, o, team, sizes), of_doubles = worst_of<double>(out, o, team, sizes);
        if (of_floats && of_doubles) out.figure(name, std::min(*of_floats, *of_doubles));
    };
    figure("cpu_matmul_vs_openblas");
    for (matmul_size& s : sizes) s.goes = product_goes::on_top;
    figure("cpu_matmul_add_vs_openblas");
}

int matmul(report& out, race_options o)
{
    const bool gpu = o.on_gpu();
    std::vector<matmul_size> sizes{{o.n}};
    if (o.n == 0)
        sizes = gpu ? std::vector<matmul_size>{{o.cuda_n / 2}, {o.cuda_n}} : std::vector<matmul_size>{{o.cpu_n}};
    complete_race(o);
    const auto rt = start_runtime(o.device);
    out.note("devices:     " + devices_text(*rt));
    out.note("all_pairs(multiplies, plus, 0)(A, transpose(B)), row-major, C = or C += it; rates are of the best time, "
             "figures of the medians; contestants alternate; SKELRT_BLAS=0: our own kernels");
    if (gpu) out.note(fmt::format("{} asynchronous calls, one wait, on the host's clock; data resident", o.batch));
    std::optional<sk::only> resident;
    if (gpu) resident.emplace(sk::device::cuda);
    rival_team team;
    if (gpu) race_on_gpu(out, o, team, sizes);
    else race_on_cores(out, o, team, sizes);
    const bool has_rival = gpu ? SKELRT_BENCH_CUBLAS : SKELRT_BENCH_OPENBLAS;
    if (!has_rival) out.warn(gpu ? "built without cuBLAS: no figure" : "built without OpenBLAS: no figure");
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
