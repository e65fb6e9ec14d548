// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/commands.hpp"
#include "src/bench/shared/devices.hpp"
#include "src/bench/shared/race/rival_team.hpp"
#include "src/bench/tasks/cholesky_rivals.hpp"

#include "apps/cholesky/kernel.hpp"
#include "apps/shared/blas/kinds.hpp"
#include "apps/shared/program/option_list.hpp"

#include <fmt/core.h>
#include <skelrt/host.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <vector>

namespace bench
{
namespace
{

namespace sk = skelrt;

struct options {
    std::string device = "cpu"; ///< cpu or cuda
    std::size_t n = 0;          ///< 0: by device
    std::vector<std::size_t> blocks;
    int repeat = 7;
};

void complete(options& o)
{
    const bool gpu = o.device == "cuda";
    if (o.n == 0) o.n = gpu ? 16384 : 4096;
    if (o.blocks.empty())
        o.blocks = gpu ? std::vector<std::size_t>{512, 1024, 2048} : std::vector<std::size_t>{128, 256, 512};
}

/// The matrix is where the tasks run.
double our_seconds(cholesky::factorisation<double>& f)
{
    f.load();
    const double begin = now();
    f.start();
    f.wait();
    return now() - begin;
}

double rate_of(std::size_t n, double seconds)
{
    const double side = static_cast<double>(n);
    return side * side * side / 3 / seconds / 1e9;
}

/// The median of the best block.
struct best_time {
    double seconds = 0;
    std::size_t block = 0;
    void add(double s, std::size_t b)
    {
        if (seconds == 0 || s < seconds) seconds = s, block = b;
    }
};

void expect_same(const sk::matrix<double>& ours, const double* theirs)
{
    const auto at = sk::host_read(ours);
    for (std::size_t i = 0; i < at.rows(); ++i)
        for (std::size_t j = 0; j <= i; ++j)
            if (!(std::abs(at(i, j) - theirs[i * at.cols() + j]) < 1e-8))
                throw std::runtime_error(
                    fmt::format("cholesky: L({}, {}) is {} and {}", i, j, at(i, j), theirs[i * at.cols() + j]));
}

void compare_on_cores(report& out, const options& o)
{
    const auto rt = start_runtime("cpu");
    rival_team team;
    const sk::matrix<double> original = cholesky::positive_definite<double>(o.n);
    sk::matrix<double> factor = original; // memory of the same kind: where a matrix begins matters to caches
    const auto from = sk::host_read(original);
    const auto theirs = sk::host(factor);
    best_time skelrt, omp;
    for (const std::size_t block : o.blocks) {
        out.heading(fmt::format("{0} x {0} doubles in blocks of {1}", o.n, block));
        cholesky::factorisation<double> ours(o.n, block, sk::device::cpu);
        const auto omp_seconds = [&] {
            std::ranges::copy(from, theirs.begin());
            double took = 0;
            team.run_alone([&] {
                const double begin = now();
                omp_cholesky(theirs.data(), o.n, block, team.threads());
                took = now() - begin;
            });
            return took;
        };
        const auto t =
            alternate({{"skelrt", [&] { return our_seconds(ours); }}, {"OpenMP tasks", omp_seconds}}, 1, o.repeat);
        const auto work = fmt::format("cholesky in blocks of {}", block);
        out.row(work, "skelrt", t[0], rate_of(o.n, t[0].median), "GFlop/s");
        out.row(work, "OpenMP tasks", t[1], rate_of(o.n, t[1].median), "GFlop/s");
        skelrt.add(t[0].median, block);
        omp.add(t[1].median, block);
        expect_same(ours.factor(), theirs.data());
    }
    out.note(fmt::format("best blocks: skelrt {}, OpenMP {}", skelrt.block, omp.block));
    out.figure("cholesky_cpu_vs_omptasks", omp.seconds / skelrt.seconds);
}

void compare_on_gpus(report& out, const options& o)
{
    const auto rt = start_runtime("hybrid");
    if (!has_cuda(*rt)) throw std::runtime_error("no CUDA device is in use; try --device cpu");
    const sk::device_set kinds = apps::blas::usable_kinds(*rt);
    if (!kinds.has(sk::device::cuda)) throw std::runtime_error("no cuBLAS and cuSOLVER; try --device cpu");
    const auto rival = make_cusolver_cholesky(sk::host_read(cholesky::positive_definite<double>(o.n)).data(), o.n);
    best_time gpu, hybrid;
    double cusolver = 0;
    for (const std::size_t block : o.blocks) {
        out.heading(fmt::format("{0} x {0} doubles in blocks of {1}", o.n, block));
        cholesky::factorisation<double> ours(o.n, block, kinds);
        const auto on_gpu = [&] {
            const sk::only here(sk::device::cuda);
            return our_seconds(ours);
        };
        std::vector<contestant> who{{"CUDA", on_gpu}, {"hybrid", [&] { return our_seconds(ours); }}};
        if (rival) who.push_back({"cuSOLVER", [&] { return rival->seconds(); }});
        const auto t = alternate(who, 2, o.repeat);
        for (std::size_t k = 0; k < t.size(); ++k)
            out.row(fmt::format("cholesky in blocks of {}", block), who[k].name, t[k], rate_of(o.n, t[k].median),
                    "GFlop/s");
        gpu.add(t[0].median, block);
        hybrid.add(t[1].median, block);
        if (rival) cusolver = cusolver == 0 ? t[2].median : std::min(cusolver, t[2].median);
    }
    out.note(fmt::format("best blocks: CUDA {}, hybrid {}", gpu.block, hybrid.block));
    out.figure("cholesky_hybrid_vs_gpu", gpu.seconds / hybrid.seconds);
    if (rival) out.figure(o.n < 32768 ? "cholesky_vs_cusolver" : "cholesky_32768_vs_cusolver", cusolver / gpu.seconds);
    else out.warn("built without CUDA: no figure cholesky_vs_cusolver");
}

} // namespace

runner declare_cholesky(apps::option_list& line)
{
    auto o = std::make_shared<options>();
    line.one_of("--device", o->device, {"cpu", "cuda"},
                "cpu: against OpenMP tasks; cuda: hybrid and alone, against cuSOLVER");
    line.positive("--n", o->n, "rows and columns; default: 4096 on cores, 16384 on GPUs");
    line.positive("--blocks", o->blocks,
                  "rows of a block, one or several; default: 128 256 512, on GPUs 512 1024 2048");
    line.positive("--repeat", o->repeat, "rounds");
    return [o](report& out) {
        complete(*o);
        if (o->device == "cpu") compare_on_cores(out, *o);
        else compare_on_gpus(out, *o);
        return 0;
    };
}

} // namespace bench
