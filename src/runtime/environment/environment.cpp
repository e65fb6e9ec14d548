// SPDX-License-Identifier: BSD-3-Clause
#include "src/runtime/environment/environment.hpp"

#include "src/runtime/environment/nearest.hpp"

#include <skelrt/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string>

extern "C" char** environ;

namespace skelrt::detail
{

namespace
{

constexpr variable own[] = {
    {"SKELRT_DEVICES", "all there are", "kinds of device to use, a comma list of cpu, cuda, opencl"},
    {"SKELRT_TILES", "from the size", "tiles per container; more tiles split finer, fewer cost less per call"},
    {"SKELRT_STREAM_BYTES", "size of the caches",
     "cores write results of calls that move more bytes than this, and wait for memory rather than arithmetic, past "
     "their "
     "caches; 0: of all calls"},
    {"SKELRT_RANGE_BYTES", "a page of the device",
     "tiles of containers that have this size, or more, follow each other in the memory of an NVIDIA GPU; 0: of all "
     "containers"},
    {"SKELRT_INLINE_US", "10",
     "calls that are predicted to be shorter (in microseconds) run on the calling thread; those that are meant for "
     "the cores, and take all of them up to 10 times as long (25 times where there are only cores), run on these, led "
     "by it, if nothing else is at work; 0: none"},
    {"SKELRT_BATCH", "32", "small calls in a row that become one task, at most; 1: each its own"},
    {"SKELRT_LANES", "4",
     "streams of each NVIDIA GPU for the kernels of tasks (sk::task) that only such GPUs may run, 1 to 8; 1: each task "
     "ends with its kernels"},
    {"SKELRT_EPISODES", "1",
     "0: every call is placed by itself, whatever the calls between two waits of the host took elsewhere"},
    {"SKELRT_GRAPHS", "1",
     "0: kernels of batches are launched one by one, even where the same ones come again and again"},
    {"SKELRT_STEPS", "from the stencil and the device",
     "how many steps of an iterated stencil a pass over the data makes; 1: as if it were not there"},
    {"SKELRT_FUSION", "1", "0: nested calls run one after the other, with temporaries, instead of as one kernel"},
    {"SKELRT_MODEL", "skelrt", "who predicts run times: skelrt, or starpu for StarPU's own history files"},
    {"SKELRT_MODELS", "~/.cache/skelrt/models",
     "folder for what was learnt of run times on this machine; none: nothing is loaded or saved"},
    {"SKELRT_STATIC_DEVICE", "a GPU if there is one",
     "STARPU_SCHED=static-device: the kind of device that does everything it can: cpu, cuda, opencl"},
    {"SKELRT_PLAN", "", "a file with execution plans (sk::plan, `skelrt tune`): which devices do calls of which sizes"},
    {"SKELRT_TRIAL", "", "set by `skelrt tune`: a file for the time of each call; all calls are waited for"},
    {"SKELRT_OPENCL_ON_CPU", "0", "1: also use OpenCL devices that are CPUs (PoCL); for tests"},
    {"SKELRT_BUILDS", "beside",
     "first: calls wait until the kernels are built that GPUs lack; beside: cores do them meanwhile"},
    {"SKELRT_CACHE", "~/.cache/skelrt/kernels",
     "folder for compiled kernels, safe to delete; none: each process builds its own"},
    {"SKELRT_SEQUENTIAL", "0",
     "1: items of farms and groups, pipelines and trees run where they are started, one after the other, in their "
     "order: to find errors"},
    {"SKELRT_PROGRESS", "1 on a terminal",
     "1: stderr is told what calls, waits and builds of kernels are under way for more than two seconds, and has a bar "
     "for each farm that takes more than one; 0: it is not"},
    {"SKELRT_SUMMARY", "0",
     "1: a table on stderr when the runtime ends: what calls took, by function and device, and what was copied"},
    {"SKELRT_TRACE", "",
     "a file for a timeline of calls, tasks, copies and items, for Perfetto, chrome://tracing and `skelrt trace`; "
     "ranks add their number to its name"},
    {"SKELRT_TRACE_MB", "64", "memory for SKELRT_TRACE, in MiB; when it is full, the oldest records make room"},
    {"SKELRT_LOG", "warning",
     "what is written to stderr: off, error, warning, info, debug (each plan), trace (each task)"},
    {"SKELRT_CHECK", "",
     "a comma list of checks of the running program: functions, devices, bounds, unwritten, parts, races; all: all but "
     "devices and races"},
    {"SKELRT_CHECK_REPORT", "", "set by `skelrt check`: a file for what SKELRT_CHECK=devices found"},
    {"SKELRT_CHECK_CUDA", "",
     "an architecture such as sm_90, or compute_90 (to PTX only, which is faster): every kernel is also compiled for "
     "it "
     "by NVRTC, and not run; for tests. With SKELRT_CHECK=devices: what these are compiled for (sm_80)"},
    {"SKELRT_CLUSTER", "mpi if a launcher started several processes",
     "mpi: this process is a rank of an MPI program; off: it runs alone, whatever started it"},
    {"SKELRT_CLUSTER_CHECK", "1",
     "1: ranks compare their calls whenever a value goes between them; 2: at each call, which then waits for all "
     "ranks"},
    {"SKELRT_CLUSTER_LIBRARY", "libskelrt-mpi.so.0 beside libskelrt", "what speaks with the other ranks"},
    {"SKELRT_CLUSTER_PATIENCE", "60",
     "seconds after which a rank that does not answer counts as lost; 0: waits never end by themselves"},
    {"SKELRT_BLAS", "where it is faster",
     "products of matrices of floats and doubles go to cuBLAS, OpenBLAS and CLBlast where they are found; 1: to "
     "OpenBLAS even where our own kernel is faster; 0: our own kernels do all; a folder, from / on: the libraries "
     "are looked for there alone"},
    {"SKELRT_PRODUCTS", "by sizes and the network",
     "how ranks get the right side of sk::all_pairs: copies, all of it to every rank; panels, some of its rows at a "
     "time "
     "while others are multiplied. The same on all ranks"},
    {"SKELRT_CALLS", "", "a file for the calls of a program that runs alone, for `skelrt replay`"},
    {"SKELRT_DEPS", "~/.cache/skelrt", "tools/demo.sh and tools/test.sh: where StarPU is built and kept"},
    {"SKELRT_STARPU_SOURCE", "",
     "tools/demo.sh and tools/test.sh: a StarPU 1.4 release, tarball or directory, for machines without apt"},
    {"SKELRT_JOBS", "from cores and memory", "tools/demo.sh and tools/test.sh: how many compilers run at once"},
    {"SKELRT_TEST_DEVICE", "cpu", "conformance tests: the kind of device that they run on: cpu, cuda, opencl, all"},
};

constexpr variable foreign[] = {
    {"STARPU_SCHED", "skelrt",
     "scheduling policy; all but skelrt take the placement from the planner: smpss, heft-tm, heft-tm-pr, heft-tmdp, "
     "heft-tmdp-pr, static-device, and StarPU's own (eager, lws, dmda, dmdas, prio, ...)"},
    {"STARPU_SCHED_LIB", "", "a shared library with scheduling policies of your own; STARPU_SCHED names one"},
    {"STARPU_NCPU", "all cores", "how many CPU cores work"},
    {"STARPU_NCUDA", "all there are", "how many CUDA devices work"},
    {"STARPU_NOPENCL", "all there are", "how many OpenCL devices work"},
    {"STARPU_WORKERS_CUDAID", "", "which CUDA devices work, by number"},
    {"STARPU_WORKERS_OPENCLID", "", "which OpenCL devices work, by number"},
    {"STARPU_RESERVE_NCPU", "0", "cores left to the program's own threads"},
    {"STARPU_MAIN_THREAD_BIND", "0", "1: the thread that starts the runtime gets a core of its own"},
    {"STARPU_WORKERS_NOBIND", "0", "1: workers are not bound to cores; for several programs on one machine"},
    {"STARPU_LIMIT_CPU_MEM", "none", "MB of host memory for data"},
    {"STARPU_LIMIT_CUDA_MEM", "95 %", "MB of memory on each CUDA device"},
    {"STARPU_SUBALLOCATOR", "1; 0 where a CUDA device is limited to less than 1024 MB",
     "1: StarPU takes small buffers on CUDA devices from chunks of 32 MiB"},
    {"STARPU_LIMIT_OPENCL_MEM", "95 %", "MB of memory on each OpenCL device"},
    {"STARPU_HOME", "~", "StarPU's measurements of the machine and models go to $STARPU_HOME/.starpu"},
    {"XDG_CACHE_HOME", "~/.cache", "base of skelrt's cache folder; StarPU 1.4 prefers it to STARPU_HOME"},
    {"STARPU_HOSTNAME", "the host's name",
     "name under which StarPU keeps measurements, and skelrt its models; one for all nodes of a kind in a cluster"},
    {"STARPU_CALIBRATE", "1", "2: StarPU's history models start again"},
    {"STARPU_SILENT", "0", "1: no messages of StarPU"},
    {"STARPU_FXT_TRACE", "0", "1: StarPU writes a trace"},
    {"OMP_NUM_THREADS", "all cores",
     "has no effect on skelrt, whose threads follow STARPU_NCPU; on the program's own OpenMP loops it has"},
    {"OMP_PROC_BIND", "false", "leave it unset: skelrt binds its threads itself"},
    {"OMP_WAIT_POLICY", "", "passive: waiting OpenMP threads leave the core to others"},
    {"CUDA_PATH", "/usr/local/cuda", "CUDA toolkit: headers, and NVRTC if the loader does not find it by itself"},
    {"CUDA_VISIBLE_DEVICES", "all there are", "which GPUs the program sees"},
    {"OCL_ICD_VENDORS", "/etc/OpenCL/vendors", "which OpenCL implementations the loader finds"},
    {"POCL_CACHE_DIR", "~/.cache/pocl", "PoCL's cache of kernels"},
};

bool is_known(std::string_view name)
{
    return std::ranges::any_of(own, [&](const variable& v) { return v.name == name; });
}

std::string complaint(std::string_view name)
{
    std::vector<std::string_view> names;
    for (const variable& v : own) names.push_back(v.name);
    constexpr std::size_t most_letters = 4;
    const std::string_view nearest = nearest_name(name, names, most_letters);
    if (!nearest.empty()) return fmt::format("{} is not a variable of skelrt; did you mean {}?", name, nearest);
    return fmt::format("{} is not a variable of skelrt; `skelrt env` lists them", name);
}

std::string list(std::initializer_list<std::string_view> words)
{
    return fmt::format("{}", fmt::join(words.begin(), words.end(), ", "));
}

std::size_t choose(std::string_view name, std::string_view value, std::string_view word,
                   std::initializer_list<std::string_view> allowed, std::string_view how)
{
    const auto at = std::find(allowed.begin(), allowed.end(), word);
    if (at == allowed.end()) throw_bad_value(name, value, fmt::format("{} {}", how, list(allowed)));
    return static_cast<std::size_t>(at - allowed.begin());
}

} // namespace

std::span<const variable> skelrt_variables() noexcept { return own; }

std::span<const variable> other_variables() noexcept { return foreign; }

void throw_bad_value(std::string_view name, std::string_view value, const std::string& allowed)
{
    throw error(fmt::format("environment: {}={} makes no sense; {}", name, value, allowed));
}

std::optional<std::string> env_text(std::string_view name)
{
    const char* value = std::getenv(std::string(name).c_str());
    if (!value || !*value) return {};
    return value;
}

std::optional<long> env_number(std::string_view name, long min, long max)
{
    const auto value = env_text(name);
    if (!value) return {};
    long number = 0;
    const char* end = value->data() + value->size();
    const auto [stop, problem] = std::from_chars(value->data(), end, number);
    if (problem != std::errc{} || stop != end || number < min || number > max)
        throw_bad_value(name, *value, fmt::format("allowed is a whole number from {} to {}", min, max));
    return number;
}

std::optional<bool> env_flag(std::string_view name)
{
    const auto choice = env_choice(name, {"0", "1"});
    if (!choice) return {};
    return *choice == 1;
}

std::optional<std::size_t> env_choice(std::string_view name, std::initializer_list<std::string_view> allowed)
{
    const auto value = env_text(name);
    if (!value) return {};
    return choose(name, *value, *value, allowed, "allowed is one of");
}

std::optional<std::vector<std::size_t>> env_choices(std::string_view name,
                                                    std::initializer_list<std::string_view> allowed)
{
    const auto value = env_text(name);
    if (!value) return {};
    std::vector<std::size_t> chosen;
    std::string_view rest = *value;
    while (true) {
        const std::size_t comma = rest.find(',');
        const std::size_t k = choose(name, *value, rest.substr(0, comma), allowed, "allowed is a comma list of");
        if (std::ranges::find(chosen, k) == chosen.end()) chosen.push_back(k);
        if (comma == std::string_view::npos) return chosen;
        rest.remove_prefix(comma + 1);
    }
}

std::vector<std::string> environment_complaints()
{
    std::vector<std::string> found;
    for (char** entry = environ; entry && *entry; ++entry) {
        const std::string_view text = *entry;
        const std::string_view name = text.substr(0, text.find('='));
        if (name.starts_with("SKELRT_") && !is_known(name)) found.push_back(complaint(name));
    }
    std::ranges::sort(found);
    return found;
}

} // namespace skelrt::detail
