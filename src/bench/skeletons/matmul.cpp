#include "src/bench/commands.hpp"
#include "src/bench/shared/devices.hpp"
#include "src/bench/shared/race.hpp"
#include "src/bench/skeletons/matmul_rivals.hpp"

#include <CLI/CLI.hpp>
#include <fmt/core.h>
#include <skelrt/skelrt.hpp>

#include <optional>
#include <stdexcept>

namespace bench
{
namespace
{

namespace sk = skelrt;

class skelrt_entrant : public matmul_entrant
{
public:
    explicit skelrt_entrant(std::size_t n) : a_(n, n, sk::uninitialized), b_(n, n, sk::uninitialized), c_(n, n, 0.0f)
    {
        float* const a = sk::host_write(a_).data();
        for (std::size_t i = 0; i < n * n; ++i) a[i] = left_value(i);
        float* const b = sk::host_write(b_).data();
        for (std::size_t i = 0; i < n * n; ++i) b[i] = right_value(i);
    }
    void launch() override { c_ = product_(a_, sk::transpose(b_)); }
    void wait() override { sk::wait(c_); }
    void look(const std::function<void(const float*)>& see) override { see(sk::host_read(c_).data()); }

private:
    sk::matrix<float> a_, b_, c_;
    sk::all_pairs<decltype(sk::multiplies)::lambda, decltype(sk::plus)::lambda, float> product_{sk::multiplies,
                                                                                                sk::plus, 0.0f};
};

struct multiplier : entrant<matmul_entrant> {
    /// Some elements of the product, all of one row and one column among them.
    void check(std::size_t n) const
    {
        work->launch();
        work->wait();
        work->look([&](const float* c) {
            const auto look_at = [&](std::size_t i, std::size_t j) {
                long sum = 0;
                for (std::size_t k = 0; k < n; ++k)
                    sum += static_cast<long>(left_value(i * n + k)) * static_cast<long>(right_value(k * n + j));
                if (c[i * n + j] != static_cast<float>(sum))
                    throw std::runtime_error(
                        fmt::format("matmul, {}: ({}, {}) is {} instead of {}", name, i, j, c[i * n + j], sum));
            };
            for (std::size_t k = 0; k < n; k += 1 + n / 512) {
                look_at(k, n / 2);
                look_at(n / 3, k);
                look_at(k, n - 1 - k);
            }
        });
    }
};

int matmul(report& out, race_options o)
{
    complete_race(o);
    const bool gpu = o.on_gpu();
    const auto rt = start_runtime(o.device);
    out.note("devices:     " + devices_text(*rt));
    out.note("all_pairs(multiplies, plus, 0)(A, transpose(B)), floats, row-major; rates are of the best time, figures "
             "of the medians; contestants alternate");
    if (gpu) out.note(fmt::format("{} asynchronous calls, one wait, on the host's clock; data resident", o.batch));
    std::optional<sk::only> resident;
    if (gpu) resident.emplace(sk::device::cuda);
    std::vector<multiplier> all;
    all.push_back({{"skelrt", std::make_unique<skelrt_entrant>(o.n)}});
    rival_team team;
    if (auto rival = gpu ? make_cublas_matmul(o.n) : make_openblas_matmul(o.n, team.threads()))
        all.push_back({{gpu ? "cuBLAS" : "OpenBLAS", std::move(rival), runs_as::rival}});
    else out.warn(gpu ? "built without cuBLAS: no figure" : "built without OpenBLAS: no figure");
    for (const multiplier& e : all) e.check(o.n);
    out.heading(fmt::format("{0} x {0}", o.n));
    const auto times = race(all, team, o, 1);
    const double flop = 2.0 * static_cast<double>(o.n) * static_cast<double>(o.n) * static_cast<double>(o.n);
    for (std::size_t i = 0; i < all.size(); ++i)
        out.row("matmul", all[i].name, times[i], flop / times[i].best / 1e9, "GFlop/s");
    for (const multiplier& e : all) e.check(o.n);
    if (all.size() > 1)
        out.figure(gpu ? "gpu_matmul_vs_cublas" : "cpu_matmul_vs_openblas", times[1].median / times[0].median);
    return 0;
}

} // namespace

runner declare_matmul(CLI::App& app)
{
    auto o = std::make_shared<race_options>(race_options{2048, 8192, 9, 5});
    declare_race(app, *o, "cpu: against OpenBLAS; cuda: resident, against cuBLAS", "rows and columns");
    return [o](report& out) { return matmul(out, *o); };
}

} // namespace bench
