#include "src/bench/commands.hpp"
#include "src/bench/devices.hpp"
#include "src/bench/rival_team.hpp"
#include "src/bench/tasks/summa_rivals.hpp"

#include "apps/summa/kernel.hpp"

#include <CLI/CLI.hpp>
#include <fmt/core.h>
#include <skelrt/host.hpp>

#include <stdexcept>
#include <vector>

namespace bench
{
namespace
{

namespace sk = skelrt;

struct options {
    std::size_t n = 2048, tile = 64;
    std::string shape = "squares";
    int repeat = 9;
};

void expect_same(const sk::matrix<double>& ours, const std::vector<double>& theirs)
{
    const auto at = sk::host_read(ours);
    for (std::size_t i = 0; i < at.size(); ++i)
        if (at.data()[i] != theirs[i]) // the same sums in the same order
            throw std::runtime_error(fmt::format("summa: element {} is {} and {}", i, at.data()[i], theirs[i]));
}

std::vector<double> copied(const sk::matrix<double>& m)
{
    const auto at = sk::host_read(m);
    return {at.begin(), at.end()};
}

template <class Work>
double seconds(const Work& work)
{
    const double begin = now();
    work();
    return now() - begin;
}

int run(report& out, const options& o)
{
    const auto rt = start_runtime("cpu");
    rival_team team;
    const bool squares = o.shape == "squares";
    summa::product<double> ours(o.n, o.tile, squares ? summa::shape::squares : summa::shape::rows, sk::device::cpu);
    std::vector<double> left = copied(ours.left()), right = copied(ours.right()), theirs(o.n * o.n);
    const summa_matrices m{left.data(), right.data(), theirs.data(), o.n};
    const auto starpu = make_starpu_summa(m, o.tile, squares);
    const auto our_seconds = [&] {
        return seconds([&] {
            ours.start();
            ours.wait();
        });
    };
    const auto omp_seconds = [&] {
        double took = 0;
        team.run_alone([&] { took = seconds([&] { omp_summa(m, o.tile, squares, team.threads()); }); });
        return took;
    };
    out.heading(fmt::format("{0} x {0} doubles, tiles of {1}: {2}", o.n, o.tile, o.shape));
    const std::vector<contestant> who{{"skelrt", our_seconds},
                                      {"OpenMP tasks", omp_seconds},
                                      {"raw StarPU", [&] { return seconds([&] { starpu->run(); }); }}};
    const auto t = alternate(who, 1, o.repeat);
    const double side = static_cast<double>(o.n), flop = 2 * side * side * side;
    for (std::size_t k = 0; k < t.size(); ++k) out.row("summa", who[k].name, t[k], flop / t[k].median / 1e9, "GFlop/s");
    expect_same(ours.result(), theirs);
    out.figure("summa_vs_omptasks", t[0].median / t[1].median);
    return 0;
}

} // namespace

runner declare_summa(CLI::App& app)
{
    auto o = std::make_shared<options>();
    app.add_option("--n", o->n, "rows and columns")->check(CLI::PositiveNumber)->capture_default_str();
    app.add_option("--tile", o->tile, "rows of a tile")->check(CLI::PositiveNumber)->capture_default_str();
    app.add_option("--shape", o->shape, "squares or rows")
        ->check(CLI::IsMember({"squares", "rows"}))
        ->capture_default_str();
    app.add_option("--repeat", o->repeat, "rounds")->check(CLI::PositiveNumber)->capture_default_str();
    return [o](report& out) { return run(out, *o); };
}

} // namespace bench
