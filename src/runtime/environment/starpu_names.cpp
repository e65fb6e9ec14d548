// SPDX-License-Identifier: BSD-3-Clause
#include "src/runtime/environment/starpu_names.hpp"

#include <algorithm>
#include <span>

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
                                        "STARPU_RAND_SEED"};

constexpr std::string_view fractions[] = {"STARPU_EXP_LEN_THRESHOLD", "STARPU_IDLE_POWER",  "STARPU_SCHED_ALPHA",
                                          "STARPU_SCHED_BETA",        "STARPU_SCHED_GAMMA", "STARPU_WINDOW_TIME_SIZE"};

constexpr std::string_view lists[] = {"STARPU_WORKERS_CPUID", "STARPU_WORKERS_COREID", "STARPU_WORKERS_CUDAID",
                                      "STARPU_WORKERS_OPENCLID"};

/// Also what StarPU-MPI reads, of any kind: only programs of several ranks do.
constexpr std::string_view texts[] = {"STARPU_BUS_STATS_FILE",
                                      "STARPU_CODELET_PROFILING",
                                      "STARPU_COMM_STATS",
                                      "STARPU_DISK_SWAP",
                                      "STARPU_DISK_SWAP_BACKEND",
                                      "STARPU_ENABLE_STATS",
                                      "STARPU_ENERGY_PROFILING",
                                      "STARPU_FXT_EVENTS",
                                      "STARPU_FXT_PREFIX",
                                      "STARPU_FXT_SUFFIX",
                                      "STARPU_GENERATE_TRACE_OPTIONS",
                                      "STARPU_HOME",
                                      "STARPU_HOSTNAME",
                                      "STARPU_HWLOC_INPUT",
                                      "STARPU_IDLE_FILE",
                                      "STARPU_LOGFILENAME",
                                      "STARPU_MPI_CACHE",
                                      "STARPU_MPI_CACHE_STATS",
                                      "STARPU_MPI_COMM",
                                      "STARPU_MPI_COOP_SENDS",
                                      "STARPU_MPI_DEBUG_LEVEL_MAX",
                                      "STARPU_MPI_DEBUG_LEVEL_MIN",
                                      "STARPU_MPI_DRIVER_CALL_FREQUENCY",
                                      "STARPU_MPI_DRIVER_TASK_FREQUENCY",
                                      "STARPU_MPI_EARLYDATA_ALLOCATE",
                                      "STARPU_MPI_FAKE_RANK",
                                      "STARPU_MPI_FAKE_SIZE",
                                      "STARPU_MPI_GPUDIRECT",
                                      "STARPU_MPI_HOSTNAMES",
                                      "STARPU_MPI_LB",
                                      "STARPU_MPI_MEM_THROTTLE",
                                      "STARPU_MPI_NDETACHED_SEND",
                                      "STARPU_MPI_NMAD_IDLE_HOOKS",
                                      "STARPU_MPI_NMAD_PROG_HOOKS",
                                      "STARPU_MPI_NOBIND",
                                      "STARPU_MPI_NREADY_PROCESS",
                                      "STARPU_MPI_PRIORITIES",
                                      "STARPU_MPI_PSM",
                                      "STARPU_MPI_PSM2",
                                      "STARPU_MPI_RECV_WAIT_FINALIZE",
                                      "STARPU_MPI_REDUX_ARITY_THRESHOLD",
                                      "STARPU_MPI_STATS",
                                      "STARPU_MPI_THREAD_MULTIPLE_SEND",
                                      "STARPU_MPI_TRACE_SYNC_CLOCKS",
                                      "STARPU_OPENCL_PROGRAM_DIR",
                                      "STARPU_PERF_MODEL_DIR",
                                      "STARPU_PERF_MODEL_PATH",
                                      "STARPU_PROFILING",
                                      "STARPU_PROF_PAPI_EVENTS",
                                      "STARPU_SCHED",
                                      "STARPU_SCHED_LIB",
                                      "STARPU_SIMGRID",
                                      "STARPU_SSILENT",
                                      "STARPU_TCPIP_MS_MASTER",
                                      "STARPU_WATCHDOG_TIMEOUT",
                                      "STARPU_WORKERS_HIPID",
                                      "STARPU_WORKER_STATS",
                                      "STARPU_WORKER_STATS_FILE"};

/// Names that go on with the name of a kind of device, or of a setting of one policy.
constexpr std::string_view families[] = {"STARPU_AUTOHETEROPRIO_", "STARPU_HETEROPRIO_", "STARPU_LAHETEROPRIO_",
                                         "STARPU_MAX_PRIO_",       "STARPU_MIN_PRIO_",   "STARPU_SIMGRID_"};

bool is_in(std::span<const std::string_view> names, std::string_view name)
{
    return std::ranges::find(names, name) != names.end();
}

/// STARPU_LIMIT_CUDA_3_MEM and its like.
bool is_limit_of_device(std::string_view name) { return name.starts_with("STARPU_LIMIT_") && name.ends_with("_MEM"); }

} // namespace

std::optional<starpu_value> starpu_value_of(std::string_view name)
{
    if (is_in(numbers, name) || is_limit_of_device(name) || name.starts_with("STARPU_PERF_MODEL_HOMOGENEOUS_"))
        return starpu_value::number;
    if (is_in(fractions, name)) return starpu_value::fraction;
    if (is_in(lists, name)) return starpu_value::list;
    const auto begins_name = [&](std::string_view family) { return name.starts_with(family); };
    if (is_in(texts, name) || std::ranges::any_of(families, begins_name)) return starpu_value::text;
    return {};
}

std::vector<std::string_view> starpu_names()
{
    std::vector<std::string_view> all;
    for (const std::span<const std::string_view> some :
         {std::span<const std::string_view>(numbers), {fractions}, {lists}, {texts}})
        all.insert(all.end(), some.begin(), some.end());
    return all;
}

} // namespace skelrt::detail
