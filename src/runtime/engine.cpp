#include "src/runtime/engine.hpp"

#include "src/config.hpp"
#include "src/data/managed.hpp"
#if SKELRT_HAVE_CUDA
#include "src/jit/cuda_queue.hpp"
#endif
#include "src/lowering/episodes.hpp"
#include "src/lowering/known_calls.hpp"
#include "src/lowering/known_plans.hpp"
#include "src/lowering/pending.hpp"
#include "src/lowering/registry.hpp"
#include "src/lowering/trace.hpp"
#include "src/model/find_machine.hpp"
#include "src/model/plan_file.hpp"
#include "src/model/store.hpp"
#include "src/runtime/environment.hpp"
#include "src/runtime/flush.hpp"
#include "src/runtime/log.hpp"
#include "src/runtime/policy.hpp"
#include "src/runtime/small_memory.hpp"
#include "src/runtime/team.hpp"
#include "src/simulation/simulation.hpp"

#include <skelrt/error.hpp>

#include <fmt/format.h>
#include <starpu_expert.h>

#include <sched.h>

#include <cstdlib>
#include <cstring>
#include <limits>
#include <system_error>

namespace skelrt::detail
{

std::atomic<engine*> engine::current_{nullptr};

namespace
{

std::mutex starting; ///< one start or end at a time

unsigned on_idle(void*)
{
    idle_worker();
    return 1;
}

/// Rounds of polling since the worker had something to do.
thread_local unsigned idle_rounds = 0;
/// Some tens of microseconds: tasks in a row are no further apart.
constexpr unsigned patience_rounds = 64;

/// GPU and OpenCL workers poll, too: let PoCL's threads and the user's have the core in between.
unsigned on_progress(void*)
{
    const int worker = starpu_worker_get_id();
    if (worker < 0 || starpu_worker_get_type(worker) == STARPU_CPU_WORKER) return 1;
    if (idle_rounds < patience_rounds) ++idle_rounds;
    else sched_yield();
    return 1;
}

device_set kinds_from_environment()
{
    const auto chosen = env_choices("SKELRT_DEVICES", {"cpu", "cuda", "opencl"});
    if (!chosen) return device_set::all();
    device_set s;
    for (std::size_t i : *chosen) s = s | device_set::from_bits(1u << i);
    return s;
}

/// OMP_PROC_BIND makes libgomp bind the main thread before we start, and StarPU would find one core.
void guard_against_bound_main_thread()
{
    const char* bind = std::getenv("OMP_PROC_BIND");
    if (!bind || std::strcmp(bind, "false") == 0) return;
    if (setenv("STARPU_WORKERS_GETBIND", "0", 0) == 0)
        log_info("OMP_PROC_BIND={} binds the main thread to one core; the workers use the whole machine all the same",
                 bind);
}

/// One under a limit of StarPU's own, where a worker that submits might wait, and in simulations, which know single calls.
std::size_t most_calls_a_task()
{
    constexpr long usual = 32;
    const long wanted = env_number("SKELRT_BATCH", 1, 1024).value_or(usual);
    if (simulated || std::getenv("STARPU_LIMIT_MAX_SUBMITTED_TASKS")) return 1;
    return static_cast<std::size_t>(wanted);
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

double bytes_in_caches()
{
    const auto machine = current_machine();
    const device_peaks* const cpu = machine->any("cpu");
    return cpu && cpu->cache.value > 0 ? cpu->cache.value : std::numeric_limits<double>::infinity();
}

} // namespace

engine::engine(const options& wanted)
    : pending_(std::make_unique<pending_calls>()), known_(std::make_unique<known_calls>()),
      plans_(std::make_unique<known_plans>()), submission(*pending_)
{
    std::lock_guard lock(starting);
    if (current())
        throw error("sk::runtime: a runtime already lives in this process; there is one per process, so keep the first "
                    "and pass a reference to it around");
    start_log();
    for (const std::string& complaint : environment_complaints()) log_warning("{}", complaint);
    check_starpu_version();
    guard_against_bound_main_thread();

    allowed_ = kinds_from_environment();
    default_tiles_ =
        static_cast<std::size_t>(env_number("SKELRT_TILES", 1, 1 << 20).value_or(static_cast<long>(wanted.tiles)));
    inline_limit_us_ = static_cast<double>(env_number("SKELRT_INLINE_US", 0, 1000000000).value_or(10));
    if constexpr (simulated) inline_limit_us_ = 0; // the host's own work takes no simulated time
    const auto stream_bytes = env_number("SKELRT_STREAM_BYTES", 0, std::numeric_limits<long>::max());
    fusion_ = env_flag("SKELRT_FUSION").value_or(wanted.fusion);
    check_cuda_ = env_text("SKELRT_CHECK_CUDA").value_or("");
    static_cast<void>(
        env_choice("SKELRT_MODEL", {"skelrt", "starpu"})); // the registry reads it; here a bad value can be told
    static_cast<void>(env_choice("SKELRT_STATIC_DEVICE", {"cpu", "cuda", "opencl"})); // likewise, its policy
    static_cast<void>(env_flag("SKELRT_GRAPHS"));                                     // and lists of launches
    start_program_plans();
    const std::size_t calls_a_task = most_calls_a_task();
    const bool learns = env_flag("SKELRT_EPISODES").value_or(true);
    const bool opencl_on_cpu = env_flag("SKELRT_OPENCL_ON_CPU").value_or(wanted.opencl_on_cpu);

    // StarPU's hints on its set-up are for its own users; SKELRT_LOG=info shows them.
    if (!log_enabled(log_level::info)) setenv("STARPU_SILENT", "1", 0);

    // StarPU would write results home before anybody asks for them, so that memory can be freed sooner: a loop of
    // x = f(x) on a GPU would run at the speed of the bus.
    setenv("STARPU_MINIMUM_CLEAN_BUFFERS", "0", 0);
    setenv("STARPU_TARGET_CLEAN_BUFFERS", "0", 0);
    choose_gpu_allocator();

    starpu_conf conf;
    starpu_conf_init(&conf);
    if (wanted.cpu_cores >= 0 && !std::getenv("STARPU_NCPU")) conf.ncpus = wanted.cpu_cores;
    if (!allowed_.has(device::cuda)) conf.ncuda = 0;
    else if (wanted.cuda_devices >= 0 && !std::getenv("STARPU_NCUDA")) conf.ncuda = wanted.cuda_devices;
    if (!allowed_.has(device::opencl)) conf.nopencl = 0;
    else if (wanted.opencl_devices >= 0 && !std::getenv("STARPU_NOPENCL")) conf.nopencl = wanted.opencl_devices;
    if (opencl_on_cpu && allowed_.has(device::opencl)) setenv("STARPU_OPENCL_ON_CPUS", "1", 0);
    // The environment's numbers would win over a kind that was switched off here.
    if (!allowed_.has(device::cuda)) unsetenv("STARPU_NCUDA");
    if (!allowed_.has(device::opencl)) unsetenv("STARPU_NOPENCL");

    const std::string policy = wanted_policy(wanted.policy);
    policy_places_ = policy != "skelrt";
    const int failed = [&] {
        const policy_choice choice(conf, policy);
        return starpu_init(&conf);
    }();
    if (failed)
        throw error(
            fmt::format("sk::runtime: StarPU found no worker to run on ({}); look at STARPU_NCPU, STARPU_NCUDA, "
                        "STARPU_NOPENCL, SKELRT_DEVICES and the process's CPU mask",
                        std::strerror(-failed)));
    start_trace();
    find_targets();
    if (cpu_workers_.empty()) {
        starpu_shutdown();
        throw error("sk::runtime: at least one CPU worker is needed beside the GPUs; set STARPU_NCPU or "
                    "options::cpu_cores to 1 or more");
    }
    if (available_.empty()) {
        starpu_shutdown();
        throw error(
            "sk::runtime: none of the devices in SKELRT_DEVICES is on this machine; `skelrt info` lists what is");
    }
    check_policy(policy);
    try {
        start_team(cpu_workers_, policy_places_);
    } catch (const std::system_error& e) {
        starpu_shutdown();
        throw error(fmt::format("sk::runtime: the system gives no thread for each core ({}); look at ulimit -u and "
                                "STARPU_NCPU",
                                e.what()));
    }
    idle_hook_ = starpu_idle_hook_register(&on_idle, nullptr);
    progression_hook_ = starpu_progression_hook_register(&on_progress, nullptr);
    set_machine(find_machine(targets_, describe(), cores()));
    streams_from_bytes_ = stream_bytes ? static_cast<double>(*stream_bytes) : bytes_in_caches();
    models_ = std::make_unique<model_keeper>();
    pending_->start(*this, calls_a_task);
    episodes_ = std::make_unique<episodes>(*this, learns && !policy_places_ && !simulated);
    current_.store(this, std::memory_order_release);
}

void engine::find_targets()
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
    for (target& t : targets_) t.fixed.worker = t.worker;
    // Without "cpu" in SKELRT_DEVICES the cores still serve: combining partial results, copies.
    if (allowed_.has(device::cpu)) available_ = available_ | device::cpu;
}

engine::~engine()
{
    std::lock_guard lock(starting);
    starpu_resume(); // a paused StarPU would never finish
    wait_for_all_tasks(*this);
    current_.store(nullptr, std::memory_order_release);
    release_all_managed();
    release_codelet_data();
#if SKELRT_HAVE_CUDA
    release_cuda_queues();
#endif
    starpu_idle_hook_deregister(idle_hook_);
    starpu_progression_hook_deregister(progression_hook_);
    starpu_shutdown();
    stop_team();
    models_.reset(); // all runs are observed
}

namespace
{

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

std::vector<device_info> engine::describe() const
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

const device_type* engine::type_of(device kind, int number) const noexcept
{
    const auto is = [&](const target& t) { return t.kind == kind && t.number == number; };
    const auto t = std::ranges::find_if(targets_, is);
    return t == targets_.end() ? nullptr : t->type;
}

const device_type* engine::type_of_worker(int worker) const noexcept
{
    const auto t = std::ranges::find(targets_, worker, &target::worker);
    return t == targets_.end() ? nullptr : t->type;
}

void note_busy_worker() noexcept { idle_rounds = 0; }

bool inside_task() noexcept { return inside_user_code() || (engine::current() && starpu_worker_get_id() >= 0); }

engine& require_engine(const char* what)
{
    engine* e = engine::current();
    if (!e)
        throw error(fmt::format(
            "{}: no sk::runtime lives; create one at the start of main and keep it until the last call", what));
    if (inside_user_code())
        throw error(fmt::format("{}: called from inside a user function or task, where nothing may wait; "
                                "call skeletons from the program's own threads only",
                                what));
    return *e;
}

} // namespace skelrt::detail
