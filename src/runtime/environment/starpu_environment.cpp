#include "src/runtime/environment/starpu_environment.hpp"

#include "src/runtime/environment/environment.hpp"

#include <fmt/format.h>
#include <starpu.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <unistd.h>

namespace skelrt::detail
{

namespace
{

/// What StarPU 1.4 reads with starpu_getenv_number(), but for the number of a device in the middle.
constexpr std::string_view numbers[] = {"STARPU_AUTOHETEROPRIO_FREEZE_GATHERING",
                                        "STARPU_AUTOHETEROPRIO_ORDERING_INTERVAL",
                                        "STARPU_AUTOHETEROPRIO_PRINT_AFTER_ORDERING",
                                        "STARPU_AUTOHETEROPRIO_PRINT_DATA_ON_UPDATE",
                                        "STARPU_AUTOHETEROPRIO_PRIORITY_ORDERING_POLICY",
                                        "STARPU_AUTOHETEROPRIO_TIME_ESTIMATION_POLICY",
                                        "STARPU_BACKOFF_MAX",
                                        "STARPU_BACKOFF_MIN",
                                        "STARPU_BUS_CALIBRATE",
                                        "STARPU_BUS_STATS",
                                        "STARPU_CALIBRATE",
                                        "STARPU_CALIBRATE_MINIMUM",
                                        "STARPU_CATCH_SIGNALS",
                                        "STARPU_CHECK_ENTIRE_PLATFORM",
                                        "STARPU_CUDA_ONLY_FAST_ALLOC_OTHER_MEMNODES",
                                        "STARPU_CUDA_PIPELINE",
                                        "STARPU_CUDA_THREAD_PER_DEV",
                                        "STARPU_CUDA_THREAD_PER_WORKER",
                                        "STARPU_DATA_LOCALITY_ENFORCE",
                                        "STARPU_DISABLE_ASYNCHRONOUS_COPY",
                                        "STARPU_DISABLE_ASYNCHRONOUS_CUDA_COPY",
                                        "STARPU_DISABLE_ASYNCHRONOUS_HIP_COPY",
                                        "STARPU_DISABLE_ASYNCHRONOUS_MAX_FPGA_COPY",
                                        "STARPU_DISABLE_ASYNCHRONOUS_MPI_MS_COPY",
                                        "STARPU_DISABLE_ASYNCHRONOUS_OPENCL_COPY",
                                        "STARPU_DISABLE_ASYNCHRONOUS_TCPIP_MS_COPY",
                                        "STARPU_DISABLE_KERNELS",
                                        "STARPU_DISABLE_PINNING",
                                        "STARPU_DISK_SWAP_SIZE",
                                        "STARPU_DISPLAY_BINDINGS",
                                        "STARPU_ENABLE_CUDA_GPU_GPU_DIRECT",
                                        "STARPU_ENABLE_MAP",
                                        "STARPU_EXPECTED_TRANSFER_TIME_WRITEBACK",
                                        "STARPU_FXT_TRACE",
                                        "STARPU_GENERATE_TRACE",
                                        "STARPU_GLOBAL_ARBITER",
                                        "STARPU_HETEROPRIO_CODELET_GROUPING_STRATEGY",
                                        "STARPU_HETEROPRIO_USE_AUTO_CALIBRATION",
                                        "STARPU_HETEROPRIO_USE_LA",
                                        "STARPU_HISTORY_MAX_ERROR",
                                        "STARPU_LIMIT_BANDWIDTH",
                                        "STARPU_LIMIT_CPU_MEM",
                                        "STARPU_LIMIT_CPU_NUMA_MEM",
                                        "STARPU_LIMIT_CUDA_MEM",
                                        "STARPU_LIMIT_HIP_MEM",
                                        "STARPU_LIMIT_MAX_FPGA_MEM",
                                        "STARPU_LIMIT_MAX_SUBMITTED_TASKS",
                                        "STARPU_LIMIT_MIN_SUBMITTED_TASKS",
                                        "STARPU_LIMIT_OPENCL_MEM",
                                        "STARPU_MAIN_THREAD_BIND",
                                        "STARPU_MAIN_THREAD_COREID",
                                        "STARPU_MAIN_THREAD_CPUID",
                                        "STARPU_MALLOC_SIMULATION_FOLD",
                                        "STARPU_MAX_MEMORY_USE",
                                        "STARPU_MAX_PRIO",
                                        "STARPU_MAX_WORKERSIZE",
                                        "STARPU_MEMORY_STATS",
                                        "STARPU_MINIMUM_AVAILABLE_MEM",
                                        "STARPU_MINIMUM_CLEAN_BUFFERS",
                                        "STARPU_MIN_PRIO",
                                        "STARPU_MIN_WORKERSIZE",
                                        "STARPU_MPI_MASTER_NODE",
                                        "STARPU_MPI_MS_MULTIPLE_THREAD",
                                        "STARPU_MPI_THREAD_COREID",
                                        "STARPU_MPI_THREAD_CPUID",
                                        "STARPU_NCPU",
                                        "STARPU_NCPUS",
                                        "STARPU_NCUDA",
                                        "STARPU_NHIP",
                                        "STARPU_NMAX_FPGA",
                                        "STARPU_NMPIMSTHREADS",
                                        "STARPU_NMPI_MS",
                                        "STARPU_NOPENCL",
                                        "STARPU_NTASKS_THRESHOLD",
                                        "STARPU_NTCPIPMSTHREADS",
                                        "STARPU_NTCPIP_MS",
                                        "STARPU_NTHREADS_PER_CORE",
                                        "STARPU_NWORKER_PER_CUDA",
                                        "STARPU_OPENCL_ONLY_ON_CPUS",
                                        "STARPU_OPENCL_ON_CPUS",
                                        "STARPU_OPENCL_PIPELINE",
                                        "STARPU_PCI_FLAT",
                                        "STARPU_PERF_MODEL_HOMOGENEOUS_CPU",
                                        "STARPU_PREFETCH",
                                        "STARPU_RESERVE_NCPU",
                                        "STARPU_SCHED_GRAPH_TEST_DESCENDANTS",
                                        "STARPU_SCHED_READY",
                                        "STARPU_SCHED_SORTED_ABOVE",
                                        "STARPU_SCHED_SORTED_BELOW",
                                        "STARPU_SILENT",
                                        "STARPU_SINGLE_COMBINED_WORKER",
                                        "STARPU_STATS",
                                        "STARPU_SUBALLOCATOR",
                                        "STARPU_SYNTHESIZE_ARITY_COMBINED_WORKER",
                                        "STARPU_TARGET_AVAILABLE_MEM",
                                        "STARPU_TARGET_CLEAN_BUFFERS",
                                        "STARPU_TASK_BREAK_ON_EXEC",
                                        "STARPU_TASK_BREAK_ON_POP",
                                        "STARPU_TASK_BREAK_ON_PUSH",
                                        "STARPU_TASK_BREAK_ON_SCHED",
                                        "STARPU_TASK_PROGRESS",
                                        "STARPU_TCPIP_MS_MULTIPLE_THREAD",
                                        "STARPU_TCPIP_MS_PORT",
                                        "STARPU_TCPIP_MS_SLAVES",
                                        "STARPU_TCPIP_USE_LOCAL_SOCKET",
                                        "STARPU_TRACE_BUFFER_SIZE",
                                        "STARPU_USE_NUMA",
                                        "STARPU_WATCHDOG_CRASH",
                                        "STARPU_WATCHDOG_DELAY",
                                        "STARPU_WORKERS_GETBIND",
                                        "STARPU_WORKERS_NOBIND",
                                        "STARPU_WORKER_TREE",
                                        "STARPU_RAND_SEED",
                                        "STARPU_NHIP"};

constexpr std::string_view fractions[] = {"STARPU_EXP_LEN_THRESHOLD", "STARPU_SCHED_ALPHA", "STARPU_SCHED_BETA",
                                          "STARPU_SCHED_GAMMA",       "STARPU_IDLE_POWER",  "STARPU_WINDOW_TIME_SIZE"};

constexpr std::string_view lists[] = {"STARPU_WORKERS_CPUID", "STARPU_WORKERS_COREID", "STARPU_WORKERS_CUDAID",
                                      "STARPU_WORKERS_OPENCLID"};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// STARPU_LIMIT_CUDA_3_MEM and its like.
bool is_limit_of_device(std::string_view name) { return name.starts_with("STARPU_LIMIT_") && name.ends_with("_MEM"); }

bool is_number(std::string_view name)
{
    return std::ranges::find(numbers, name) != std::end(numbers) || is_limit_of_device(name) ||
           name.starts_with("STARPU_PERF_MODEL_HOMOGENEOUS_");
}

void check_fraction(std::string_view name, const std::string& value)
{
    char* end = nullptr;
    std::strtof(value.c_str(), &end);
    if (end == value.c_str() || *end) throw_bad_value(name, value, "allowed is a number such as 0.5");
}

void check_list(std::string_view name, const std::string& value)
{
    const auto allowed = [](char c) { return is_digit(c) || c == ' ' || c == ',' || c == '-'; };
    std::size_t digits = 0, longest = 0;
    for (const char c : value) longest = std::max(longest, digits = is_digit(c) ? digits + 1 : 0);
    constexpr std::size_t most_digits = 6;
    if (!is_digit(value[0]) || !std::ranges::all_of(value, allowed) || longest > most_digits)
        throw_bad_value(name, value, "allowed are numbers with a space between them, or ranges such as 0-3");
}

void check(const std::string& name, const std::string& value)
{
    if (is_number(name)) {
        if (value.empty()) unsetenv(name.c_str()); // else StarPU takes it for 0
        else static_cast<void>(env_number(name, 0, std::numeric_limits<int>::max()));
    } else if (value.empty()) {
        if (std::ranges::find(lists, name) != std::end(lists) ||
            std::ranges::find(fractions, name) != std::end(fractions))
            unsetenv(name.c_str());
    } else if (std::ranges::find(fractions, name) != std::end(fractions)) check_fraction(name, value);
    else if (std::ranges::find(lists, name) != std::end(lists)) check_list(name, value);
    else if (name == "STARPU_HOSTNAME" && value.find('/') != std::string::npos)
        throw_bad_value(name, value, "it becomes part of the names of files: without '/'");
    else if (name == "STARPU_HWLOC_INPUT" && access(value.c_str(), R_OK) != 0)
        throw_bad_value(name, value, "it is no file that can be read");
}

} // namespace

void check_starpu_environment()
{
    std::vector<std::pair<std::string, std::string>> set; // a copy: some are unset
    for (char** entry = environ; entry && *entry; ++entry) {
        const std::string_view text = *entry;
        const std::size_t equals = text.find('=');
        if (text.starts_with("STARPU_") && equals != std::string_view::npos)
            set.emplace_back(text.substr(0, equals), text.substr(equals + 1));
    }
    std::ranges::sort(set);
    for (const auto& [name, value] : set) check(name, value);
}

} // namespace skelrt::detail
