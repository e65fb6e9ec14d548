// SPDX-License-Identifier: BSD-3-Clause
/// random_programs [count [first]] [--types int,float,double,long,structs] [--restart N] [--threads N]
///
/// Runs programs number first, first + 1, ... and compares each with sequential code. Prints the figure
/// random_programs: how many ran without a mismatch. A number is a seed: the same program in every run with the same
/// options. Every N programs (50) the runtime starts again with other tiles and limits of inlining; each program draws
/// its devices, its fusion and its sizes. Each type of element has kernels of its own, and GPUs take a second or two
/// for a start: fewer types and a larger N are for where these take most of the time, which the last lines tell.
/// Threads run programs side by side, on one runtime.

#include "random_programs.hpp"

#include "src/config.hpp"
#if SKELRT_HAVE_CUDA
#include "src/jit/nvrtc.hpp"
#endif
#if SKELRT_HAVE_OPENCL
#include "src/jit/opencl.hpp" // in front of StarPU's headers, which ask for an older OpenCL
#endif

#include "../tasks_run.hpp"

#include <skelrt/skelrt.hpp>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string_view>
#include <thread>
#include <vector>

namespace sk = skelrt;

namespace
{

using clock = std::chrono::steady_clock;
double since(clock::time_point t) { return std::chrono::duration<double>(clock::now() - t).count(); }

struct element_type {
    std::string_view name;
    void (*run)(unsigned seed);
};
constexpr element_type all_types[] = {{"int", random_programs::run_int},
                                      {"float", random_programs::run_float},
                                      {"double", random_programs::run_double},
                                      {"long", random_programs::run_long},
                                      {"structs", random_programs::run_structs}};

struct wanted {
    unsigned count = 10'000, first = 0, restart = 50, threads = 1;
    std::vector<element_type> types{std::begin(all_types), std::end(all_types)};
};

bool read_number(std::string_view text, unsigned& to)
{
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), to);
    return error == std::errc() && end == text.data() + text.size();
}

/// "int,float".
bool read_types(std::string_view names, std::vector<element_type>& to)
{
    to.clear();
    for (bool more = true; more;) {
        const std::size_t comma = names.find(',');
        more = comma != std::string_view::npos;
        const auto found = std::find_if(std::begin(all_types), std::end(all_types),
                                        [&](const element_type& t) { return t.name == names.substr(0, comma); });
        if (found == std::end(all_types)) return false;
        to.push_back(*found);
        names.remove_prefix(more ? comma + 1 : 0);
    }
    return true;
}

std::optional<wanted> read_arguments(int argc, char** argv)
{
    wanted w;
    int numbers = 0;
    for (int k = 1; k < argc; ++k) {
        const std::string_view a = argv[k];
        bool good = false;
        if (a == "--types" || a == "--restart" || a == "--threads") {
            if (++k < argc)
                good = a == "--types" ? read_types(argv[k], w.types)
                                      : read_number(argv[k], a == "--restart" ? w.restart : w.threads);
        } else if (numbers < 2) {
            good = read_number(a, numbers++ == 0 ? w.count : w.first);
        }
        if (!good) return std::nullopt;
    }
    w.restart = std::max(1u, w.restart);
    w.threads = std::max(1u, w.threads);
    return w;
}

/// Ranks make the same calls, and may cut and place their parts as they like.
unsigned of_this_rank(unsigned seed) { return seed + 1009 * static_cast<unsigned>(sk::rank()); }

/// What a block of programs runs under. A variable that the user has set stays.
void draw_environment(unsigned block)
{
    random_programs::choices choose(of_this_rank(block * 7919 + 1));
    const auto set = [](const char* name, const std::string& value) { setenv(name, value.c_str(), 1); };
    static const bool tiles_fixed = std::getenv("SKELRT_TILES"), inline_fixed = std::getenv("SKELRT_INLINE_US");
    if (!inline_fixed) set("SKELRT_INLINE_US", choose.one_in(3) ? "10" : "0");
    if (tiles_fixed) return;
    unsetenv("SKELRT_TILES");
    if (!choose.one_in(3)) set("SKELRT_TILES", std::to_string(1 + choose.below(choose.one_in(4) ? 64 : 9)));
}

/// One kind of device, or all.
sk::device_set draw_devices(const sk::runtime& rt, unsigned seed)
{
    random_programs::choices choose(of_this_rank(seed * 31 + 7));
    sk::device_set all;
    const auto devices = rt.devices();
    for (const auto& d : devices) all = all | sk::device_set(d.kind);
    return choose.one_in(2) ? all : sk::device_set(devices[choose.below(devices.size())].kind);
}

/// Programs that ended where several ranks cannot go on yet.
std::atomic<unsigned> not_yet{0};

/// What a run did.
struct tally {
    clock::time_point begin = clock::now();
    unsigned done = 0, wrong = 0, starts = 0;
    double starting = 0;
    unsigned long cores = 0, cuda = 0, opencl = 0;

    void add_tasks()
    {
        cores += tasks_run(STARPU_CPU_WORKER);
        cuda += tasks_run(STARPU_CUDA_WORKER);
        opencl += tasks_run(STARPU_OPENCL_WORKER);
    }
    void print_progress(const wanted& w) const
    {
        std::printf("programs %u to %u: %u wrong, %.1f s\n", w.first, w.first + done - 1, wrong, since(begin));
    }
    void print() const
    {
        std::printf("%u programs, %u wrong, %.1f s\n", done, wrong, since(begin));
        if (not_yet > 0) std::printf("%u of them ended where several ranks cannot go on yet\n", not_yet.load());
        std::printf("%u starts of the runtime, %.1f s\n", starts, starting);
        std::printf("tasks: %lu on cores, %lu on CUDA, %lu on OpenCL; all else ran inline\n", cores, cuda, opencl);
#if SKELRT_HAVE_CUDA
        std::printf("CUDA kernels that were in no cache: %u\n", sk::detail::cuda_builds());
#endif
#if SKELRT_HAVE_OPENCL
        std::printf("OpenCL kernels that were in no cache: %u\n", sk::detail::opencl::compiler_runs());
#endif
    }
};

/// Whether it was right.
bool run_program(const sk::runtime& rt, const wanted& w, unsigned seed)
{
    try {
        const sk::only devices(draw_devices(rt, seed));
        w.types[seed % w.types.size()].run(seed);
        return true;
    } catch (const std::exception& e) {
        if (std::string_view(e.what()).starts_with("not yet over several ranks")) {
            ++not_yet;
            return true;
        }
        std::printf("program %u: %s\n", seed, e.what());
        return false;
    }
}

/// Programs number begin .. end; each thread takes the next one.
unsigned count_wrong(const sk::runtime& rt, const wanted& w, unsigned begin, unsigned end)
{
    std::atomic<unsigned> next{begin}, wrong{0};
    const auto work = [&] {
        for (unsigned seed; (seed = next++) < end;)
            if (!run_program(rt, w, seed)) ++wrong;
    };
    std::vector<std::jthread> others;
    for (unsigned k = 1; k < w.threads; ++k) others.emplace_back(work);
    work();
    others.clear(); // joins
    return wrong;
}

/// The programs up to the next start of the runtime.
void run_block(const wanted& w, tally& t)
{
    constexpr unsigned between_lines = 250;
    draw_environment((w.first + t.done) / w.restart);
    const auto start = clock::now();
    const sk::runtime rt;
    ++t.starts, t.starting += since(start);
    starpu_profiling_status_set(STARPU_PROFILING_ENABLE);
    const unsigned begin = w.first + t.done, end = std::min(w.first + w.count, (begin / w.restart + 1) * w.restart);
    t.wrong += count_wrong(rt, w, begin, end);
    const bool tells = t.done / between_lines != (end - w.first) / between_lines;
    t.done = end - w.first;
    if (tells) t.print_progress(w);
    t.add_tasks();
}

} // namespace

int main(int argc, char** argv)
{
    const auto w = read_arguments(argc, argv);
    if (!w) {
        std::printf(
            "random_programs [count [first]] [--types int,float,double,long,structs] [--restart N] [--threads N]\n");
        return 2;
    }
    std::setvbuf(stdout, nullptr, _IOLBF, BUFSIZ); // a run that is ended early tells how far it came
    tally t;
    while (t.done < w->count) run_block(*w, t);
    t.print();
    if (t.wrong == 0) std::printf("figure: random_programs %u\n", t.done);
    return t.wrong == 0 ? 0 : 1;
}
