#include "commands.hpp"
#include "devices.hpp"
#include "matmul_rivals.hpp"
#include "rival_team.hpp"
#include "timing.hpp"

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

struct matmul_options {
    std::string device = "cpu";
    std::size_t n = 0;
    int repeat = 9, batch = 0;
};

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

struct entrant {
    std::string name;
    std::unique_ptr<matmul_entrant> work;
    bool rival;

    /// Seconds per product of a batch that is waited for once; one more in front gets caches and clocks going.
    double sample(int batch) const
    {
        std::optional<paused_starpu> quiet;
        if (rival) quiet.emplace();
        work->launch();
        work->wait();
        const double start = now();
        for (int i = 0; i < batch; ++i) work->launch();
        work->wait();
        return (now() - start) / batch;
    }

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

int matmul(report& out, matmul_options o)
{
    const bool gpu = o.device == "cuda";
    if (o.n == 0) o.n = gpu ? 8192 : 2048;
    if (o.batch == 0) o.batch = gpu ? 5 : 1;
    const auto rt = start_runtime(o.device);
    out.note("devices:     " + devices_text(*rt));
    out.note("all_pairs(multiplies, plus, 0)(A, transpose(B)), floats, row-major; rates are of the best time, figures "
             "of the "
             "medians; contestants alternate");
    if (gpu) out.note(fmt::format("{} asynchronous calls, one wait, on the host's clock; data resident", o.batch));
    std::optional<sk::only> resident;
    if (gpu) resident.emplace(sk::device::cuda);
    std::vector<entrant> all;
    all.push_back({"skelrt", std::make_unique<skelrt_entrant>(o.n), false});
    const int threads = rival_team().threads();
    if (auto rival = gpu ? make_cublas_matmul(o.n) : make_openblas_matmul(o.n, threads))
        all.push_back({gpu ? "cuBLAS" : "OpenBLAS", std::move(rival), true});
    else out.warn(gpu ? "built without cuBLAS: no figure" : "built without OpenBLAS: no figure");
    for (const entrant& e : all) e.check(o.n);
    out.heading(fmt::format("{0} x {0}", o.n));
    std::vector<contestant> who;
    for (const entrant& e : all) who.push_back({e.name, [&] { return e.sample(o.batch); }});
    const auto times = alternate(who, 1, o.repeat);
    const double flop = 2.0 * static_cast<double>(o.n) * static_cast<double>(o.n) * static_cast<double>(o.n);
    for (std::size_t i = 0; i < all.size(); ++i)
        out.row("matmul", all[i].name, times[i], flop / times[i].best / 1e9, "GFlop/s");
    for (const entrant& e : all) e.check(o.n);
    if (all.size() > 1)
        out.figure(gpu ? "gpu_matmul_vs_cublas" : "cpu_matmul_vs_openblas", times[1].median / times[0].median);
    return 0;
}

} // namespace

runner declare_matmul(CLI::App& app)
{
    auto o = std::make_shared<matmul_options>();
    app.add_option("--device", o->device, "cpu: against OpenBLAS; cuda: resident, against cuBLAS")
        ->check(CLI::IsMember({"cpu", "cuda"}))
        ->capture_default_str();
    app.add_option("--n", o->n, "rows and columns; default 2048, on cuda 8192");
    app.add_option("--repeat", o->repeat, "rounds")->check(CLI::PositiveNumber)->capture_default_str();
    app.add_option("--batch", o->batch, "calls per wait; default 1, on cuda 5")->check(CLI::PositiveNumber);
    return [o](report& out) { return matmul(out, *o); };
}

} // namespace bench
