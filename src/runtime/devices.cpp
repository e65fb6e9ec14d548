// SPDX-License-Identifier: BSD-3-Clause
#include "src/runtime/devices.hpp"

#include "src/runtime/cores/team.hpp"
#include "src/runtime/environment/environment.hpp"
#include "src/runtime/environment/starpu_environment.hpp"
#include "src/runtime/environment/starpu_home.hpp"
#include "src/runtime/log.hpp"
#include "src/runtime/memory/small_memory.hpp"
#include "src/runtime/order/polling.hpp"
#include "src/runtime/policy.hpp"
#include "src/runtime/visit.hpp"

#include <skelrt/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <system_error>

#include <sched.h>

namespace skelrt::detail
{

namespace
{

/// OMP_PROC_BIND makes libgomp bind the main thread before we start, and StarPU would find one core.
void guard_against_bound_main_thread()
{
    const char* bind = std::getenv("OMP_PROC_BIND");
    if (!bind || std::strcmp(bind, "false") == 0) return;
    if (setenv("STARPU_WORKERS_GETBIND", "0", 0) == 0)
        log_info("OMP_PROC_BIND={} binds the main thread to one core; the workers use the whole machine all the same",
                 bind);
}

void check_starpu_version()
{
    int major = 0, minor = 0, release = 0;
    starpu_get_version(&major, &minor, &release);
    if (major != STARPU_MAJOR_VERSION || minor != STARPU_MINOR_VERSION || release != STARPU_RELEASE_VERSION)
        throw error(
            fmt::format("skelrt was built with StarPU {}.{}.{} but runs with {}.{}.{}, whose data structures differ: "
                        "put the right libstarpu first in LD_LIBRARY_PATH or rebuild skelrt",
                        STARPU_MAJOR_VERSION, STARPU_MINOR_VERSION, STARPU_RELEASE_VERSION, major, minor, release));
}

/// What StarPU reads when it starts.
void prepare_environment()
{
    // StarPU's hints on its set-up are for its own users; SKELRT_LOG=info shows them.
    if (!log_enabled(log_level::info)) setenv("STARPU_SILENT", "1", 0);

    // StarPU would write results home before anybody asks for them, so that memory can be freed sooner: a loop of
    // x = f(x) on a GPU would run at the speed of the bus.
    setenv("STARPU_MINIMUM_CLEAN_BUFFERS", "0", 0);
    setenv("STARPU_TARGET_CLEAN_BUFFERS", "0", 0);
    choose_gpu_allocator();
    starpu_malloc_set_align(128); // as elements may want it: data that only StarPU allocates, running values and halos
}

unsigned usable_cores()
{
    cpu_set_t mask;
    return sched_getaffinity(0, sizeof mask, &mask) == 0 ? static_cast<unsigned>(CPU_COUNT(&mask)) : 1;
}

/// StarPU-MPI's thread polls while messages are under way: on a core that the team wants, too, it costs the team more
/// than a core. Where there are few, it shares all the same.
void make_room_for_messages(starpu_conf& conf)
{
    constexpr unsigned many = 4;
    conf.will_use_mpi = 1;
    const bool is_told = conf.ncpus >= 0 || std::getenv("STARPU_NCPU") || std::getenv("STARPU_RESERVE_NCPU");
    if (!is_told && usable_cores() >= many) conf.reserve_ncpus = 1;
    else setenv("STARPU_MPI_NOBIND", "1", 0);
    setenv("STARPU_MPI_THREAD_MULTIPLE_SEND", "0", 1); // messages find their data by their order, so one thread sends
    setenv("STARPU_MPI_GPUDIRECT", "0", 1); // tasks may end before their kernels do, of which only our copies know
}

starpu_conf configuration(const settings& wanted)
{
    starpu_conf conf;
    starpu_conf_init(&conf);
    if (wanted.cpu_cores >= 0 && !std::getenv("STARPU_NCPU")) conf.ncpus = wanted.cpu_cores;
    if (!wanted.allowed.has(device::cuda)) conf.ncuda = 0;
    else if (wanted.cuda_devices >= 0 && !std::getenv("STARPU_NCUDA")) conf.ncuda = wanted.cuda_devices;
    if (!wanted.allowed.has(device::opencl)) conf.nopencl = 0;
    else if (wanted.opencl_devices >= 0 && !std::getenv("STARPU_NOPENCL")) conf.nopencl = wanted.opencl_devices;
    if (wanted.opencl_on_cpu && wanted.allowed.has(device::opencl)) setenv("STARPU_OPENCL_ON_CPUS", "1", 0);
    // The environment's numbers would win over a kind that was switched off here.
    if (!wanted.allowed.has(device::cuda)) unsetenv("STARPU_NCUDA");
    if (!wanted.allowed.has(device::opencl)) unsetenv("STARPU_NOPENCL");
    if (wanted.has_ranks) make_room_for_messages(conf);
    return conf;
}

/// StarPU gives each GPU's worker a core of its own. Where none is left, because the process may use one only, say
/// (taskset, mpirun), they share.
int start_starpu(const starpu_conf& wanted)
{
    starpu_conf conf = wanted;
    const int failed = starpu_init(&conf);
    const bool cores_are_asked_for = wanted.ncpus >= 0 || std::getenv("STARPU_NCPU") || std::getenv("STARPU_NCPUS");
    if (failed || cores_are_asked_for || starpu_cpu_worker_get_count() > 0) return failed;
    starpu_shutdown();
    conf = wanted;
    conf.ncpus = 1;
    log_info("the process may use so few cores that tasks on them share one with the threads that drive the GPUs");
    return starpu_init(&conf);
}

std::string processor_name()
{
    std::string name = "CPU";
    if (FILE* f = std::fopen("/proc/cpuinfo", "r")) {
        char line[256];
        while (std::fgets(line, sizeof line, f)) {
            if (std::strncmp(line, "model name", 10) != 0) continue;
            if (const char* colon = std::strchr(line, ':')) name = colon + 2;
            break;
        }
        std::fclose(f);
    }
    while (!name.empty() && (name.back() == '\n' || name.back() == ' ')) name.pop_back();
    return name;
}

} // namespace

starpu_devices::team_guard::~team_guard() { stop_team(); }
starpu_devices::starpu_guard::~starpu_guard() { starpu_shutdown(); }

starpu_devices::starpu_devices(const settings& wanted) : tiles_(wanted.tiles), range_bytes_(wanted.range_bytes)
{
    check_starpu_version();
    check_starpu_environment();
    guard_against_bound_main_thread();
    prepare_environment();
    starpu_conf conf = configuration(wanted);
    home_ = std::make_unique<starpu_home>();
    const std::string policy = wanted_policy(wanted.policy);
    policy_places_ = policy != "skelrt";
    const int failed = [&] {
        const policy_choice choice(conf, policy);
        return start_starpu(conf);
    }();
    home_->is_found();
    if (failed)
        throw error(
            fmt::format("sk::runtime: StarPU found no worker to run on ({}); look at STARPU_NCPU, STARPU_NCUDA, "
                        "STARPU_NOPENCL, SKELRT_DEVICES and the process's CPU mask",
                        std::strerror(-failed)));
    starpu_.emplace();
    find_targets(wanted.allowed);
    if (available_.has(device::cuda) || available_.has(device::opencl)) note_driver_use();
    refuse_if_useless();
    check_policy(policy);
    start_cores();
    workers_ = std::make_unique<polite_workers>();
}

starpu_devices::~starpu_devices() = default;

void starpu_devices::find_targets(device_set allowed)
{
    for (int w = 0; w < static_cast<int>(starpu_worker_get_count()); ++w) {
        const unsigned node = starpu_worker_get_memory_node(static_cast<unsigned>(w));
        const auto add = [&](device kind) {
            const auto memory = starpu_memory_get_total(node);
            targets_.push_back({kind,
                                w,
                                node,
                                starpu_worker_get_devid(w),
                                memory > 0 ? static_cast<std::size_t>(memory) : 0,
                                0, // links: find_machine()
                                0,
                                {}});
            available_ = available_ | kind;
        };
        switch (starpu_worker_get_type(w)) {
        case STARPU_CPU_WORKER:
            cpu_workers_.push_back(w);
            break;
        case STARPU_CUDA_WORKER:
            add(device::cuda);
            break;
        case STARPU_OPENCL_WORKER:
            add(device::opencl);
            break;
        default:
            break;
        }
    }
    if (cpu_workers_.empty()) return;
    targets_.insert(targets_.begin(), target{device::cpu, cpu_workers_.front(), STARPU_MAIN_RAM, 0, 0, 1e9, 1e9, {}});
    for (unsigned k = 0; k < targets_.size(); ++k) targets_[k].index = k, targets_[k].fixed.worker = targets_[k].worker;
    // Without "cpu" in SKELRT_DEVICES the cores still serve: combining partial results, copies.
    if (allowed.has(device::cpu)) available_ = available_ | device::cpu;
}

void starpu_devices::refuse_if_useless() const
{
    if (cpu_workers_.empty())
        throw error("sk::runtime: at least one CPU worker is needed beside the GPUs; set STARPU_NCPU or "
                    "options::cpu_cores to 1 or more");
    if (available_.empty())
        throw error(
            "sk::runtime: none of the devices in SKELRT_DEVICES is on this machine; `skelrt info` lists what is");
}

void starpu_devices::start_cores()
try {
    start_team(cpu_workers_, policy_places_);
    team_.emplace();
} catch (const std::system_error& e) {
    throw error(fmt::format("sk::runtime: the system gives no thread for each core ({}); look at ulimit -u and "
                            "STARPU_NCPU",
                            e.what()));
}

std::vector<device_info> starpu_devices::describe() const
{
    std::vector<device_info> all;
    for (const target& t : targets_) {
        if (!available_.has(t.kind)) continue;
        if (t.kind == device::cpu) {
            all.push_back({t.kind, 0, processor_name(), cores(), 0});
        } else {
            char name[128];
            starpu_worker_get_name(t.worker, name, sizeof name);
            all.push_back({t.kind, t.number, name, 0, t.memory});
        }
    }
    return all;
}

const device_type* starpu_devices::type_of(device kind, int number) const noexcept
{
    const auto is = [&](const target& t) { return t.kind == kind && t.number == number; };
    const auto t = std::ranges::find_if(targets_, is);
    return t == targets_.end() ? nullptr : t->type;
}

const device_type* starpu_devices::type_of_worker(int worker) const noexcept
{
    const auto t = std::ranges::find(targets_, worker, &target::worker);
    return t == targets_.end() ? nullptr : t->type;
}

} // namespace skelrt::detail
