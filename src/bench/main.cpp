// SPDX-License-Identifier: BSD-3-Clause
#include "apps/shared/program/option_list.hpp"
#include "src/bench/commands.hpp"
#include "src/bench/shared/figures.hpp"
#include "src/bench/shared/machine.hpp"

#include <CLI/CLI.hpp>
#include <fmt/core.h>

#include <cstdio>
#include <exception>

namespace
{

struct command {
    const char* name;
    const char* summary;
    bench::runner (*declare)(apps::option_list&);
    bool measures;
};

constexpr command commands[] = {
    {"stream", "BabelStream's five kernels and saxpy, against OpenMP loops, CUDA and CUB", bench::declare_stream, true},
    {"overhead", "what a call, a task and a translation unit cost, against a plain loop and StarPU",
     bench::declare_overhead, true},
    {"threads", "calls of several threads, on containers of their own, against those of one thread",
     bench::declare_threads, true},
    {"trace", "what SKELRT_TRACE and SKELRT_PROGRESS cost calls, tasks and a solver's steps", bench::declare_trace,
     true},
    {"farm", "items without work, inputs without an end, and items with calls, against StarPU, oneTBB and OpenMP",
     bench::declare_farm, true},
    {"mixes", "farms of items that do work of several kinds: automatic placement against each device, by processes",
     bench::declare_mixes, true},
    {"divide", "divide and conquer, fine-grained and as a quicksort, against oneTBB", bench::declare_divide, true},
    {"pipeline", "values through short stages, and frames of a film, against oneTBB", bench::declare_pipeline, true},
    {"tasks", "tasks without work, on parts, and how small they may be, against StarPU and OpenMP",
     bench::declare_tasks, true},
    {"cholesky", "a factorisation by tasks on blocks, against OpenMP tasks and cuSOLVER", bench::declare_cholesky,
     true},
    {"summa", "a product of matrices by tasks on tiles, against OpenMP tasks", bench::declare_summa, true},
    {"onepass", "one pass over host-resident data: automatic placement against each device alone",
     bench::declare_onepass, true},
    {"scan", "inclusive sums, against two-pass OpenMP loops and cub::DeviceScan", bench::declare_scan, true},
    {"compact", "filter and histogram, against OpenMP loops and cub::DeviceSelect, cub::DeviceHistogram",
     bench::declare_compact, true},
    {"algorithms", "by key, unique, partition, merge, top k, against OpenMP loops and CUB", bench::declare_algorithms,
     true},
    {"irregular",
     "sparse products, scattered sums, updates of a table, several accumulators, against OpenMP, cuSPARSE "
     "and CUDA by hand",
     bench::declare_irregular, true},
    {"kernels",
     "dense filters, transposes that are added, lattice Boltzmann, tomography, against OpenMP and CUDA by hand",
     bench::declare_kernels, true},
    {"transpose", "of matrices, against a tiled OpenMP loop and a device copy", bench::declare_transpose, true},
    {"sort", "floats, against parallel standard algorithms and cub::DeviceRadixSort", bench::declare_sort, true},
    {"matmul", "products of matrices as all pairs, against OpenBLAS and cuBLAS", bench::declare_matmul, true},
    {"stencil", "5 points in a matrix, 27 in a tensor, and many steps, against OpenMP loops and a device copy",
     bench::declare_stencil, true},
    {"wavefront", "tables by dynamic programming, against tiled OpenMP loops and CUDA by hand",
     bench::declare_wavefront, true},
    {"hybrid", "all works in all sizes: automatic placement against each device, every split, and StarPU's policies",
     bench::declare_hybrid, true},
    {"programs", "whole programs that nobody tuned: automatic placement against each device, by processes",
     bench::declare_programs, true},
    {"first", "the first call of each work, before anything is known of it", bench::declare_first_calls, true},
    {"tuning", "automatic, tuned and every placement and block size by hand, for six applications",
     bench::declare_tuning, true},
    {"policies", "every application under every scheduling policy, checked", bench::declare_policies, true},
    {"backends", "every skeleton on CUDA and on OpenCL, on the same GPU", bench::declare_backends, true},
    {"peers", "copies from GPU to GPU, counted and timed", bench::declare_peers, true},
    {"residency", "many steps on data that starts on the host, against data that lay on the GPU before",
     bench::declare_residency, true},
    {"outofcore", "one pass over more data than the GPU has memory for, against what the link allows",
     bench::declare_out_of_core, true},
    {"cg", "steps of conjugate gradients, against OpenMP loops and CUDA by hand", bench::declare_cg, true},
    {"sor", "sweeps of red-black over-relaxation, against OpenMP loops and CUDA by hand", bench::declare_sor, true},
    {"ode", "Runge-Kutta steps with step control, against OpenMP loops and CUDA by hand", bench::declare_ode, true},
    {"compare", "the figures of two raw outputs side by side; exit status 1 if one got worse", bench::declare_compare,
     false},
    {"cost", "", bench::declare_cost, false},
};

void list()
{
    fmt::print("sub-commands:\n");
    for (const command& c : commands)
        if (*c.summary) fmt::print("  {:<24} {}\n", c.name, c.summary);
    fmt::print("figures and their bars:\n");
    for (const auto& f : bench::known_figures())
        fmt::print("  {:<24} {} {:<5} {}\n", f.name, f.more_is_better ? ">=" : "<=", f.bar, f.meaning);
}

int run(const command& c, const bench::runner& body, const std::string& csv)
{
    bench::report out;
    if (c.measures) fmt::print("skelrt-bench {}\n{}", c.name, bench::machine_text());
    const int status = body(out);
    if (c.measures) out.finish(c.name, csv);
    return status;
}

} // namespace

int main(int argc, char** argv)
{
    CLI::App app{"Measures skelrt against its rivals, all in one run. Last lines: figure: NAME VALUE"};
    bool listing = false;
    std::string csv;
    app.add_flag("--list", listing, "sub-commands and figures, one line each");
    app.require_subcommand(0, 1);
    std::vector<std::pair<CLI::App*, bench::runner>> subs;
    for (const command& c : commands) {
        const auto sub = std::make_shared<CLI::App>(c.summary, c.name);
        app.add_subcommand(sub);
        apps::option_list line(sub);
        subs.emplace_back(sub.get(), c.declare(line));
        if (c.measures) sub->add_option("--csv", csv, "also write every row to this file");
    }
    CLI11_PARSE(app, argc, argv);
    if (listing) return list(), 0;
    try {
        for (std::size_t k = 0; k < subs.size(); ++k)
            if (subs[k].first->parsed()) return run(commands[k], subs[k].second, csv);
    } catch (const std::exception& e) {
        std::fflush(stdout);
        fmt::print(stderr, "skelrt-bench: {}\n", e.what());
        return 2;
    }
    fmt::print("{}", app.help());
    return 2;
}
