// SPDX-License-Identifier: BSD-3-Clause
#include "src/runtime/environment/settings.hpp"

#include "src/runtime/checks.hpp"
#include "src/runtime/environment/environment.hpp"
#include "src/runtime/log.hpp"
#include "src/runtime/simulated.hpp"

#include <starpu.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <string_view>

namespace skelrt::detail
{

namespace
{

device_set kinds_from_environment()
{
    const auto chosen = env_choices("SKELRT_DEVICES", {"cpu", "cuda", "opencl"});
    if (!chosen) return device_set::all();
    device_set s;
    for (std::size_t i : *chosen) s = s | device_set::from_bits(1u << i);
    return s;
}

/// One under a limit of StarPU's own, where a worker that submits might wait, and in simulations, which know single
/// calls.
std::size_t most_calls_a_task()
{
    constexpr long usual = 32;
    const long wanted = env_number("SKELRT_BATCH", 1, 1024).value_or(usual);
    if (simulated || std::getenv("STARPU_LIMIT_MAX_SUBMITTED_TASKS")) return 1;
    return static_cast<std::size_t>(wanted);
}

/// Tasks that leave kernels running may have to be told later that these are done, which needs workers that poll.
std::size_t lanes_of_gpus()
{
    constexpr long usual = 4; // more gain nothing (decision 38)
    const long wanted = env_number("SKELRT_LANES", 1, 8).value_or(usual);
#ifdef STARPU_NON_BLOCKING_DRIVERS
    return static_cast<std::size_t>(wanted);
#else
    return 1;
#endif
}

std::string architecture_to_check()
{
    const std::string value = env_text("SKELRT_CHECK_CUDA").value_or("");
    std::string_view number;
    for (const std::string_view prefix : {"sm_", "compute_"})
        if (value.starts_with(prefix)) number = std::string_view(value).substr(prefix.size());
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    const bool sound = number.size() >= 2 && is_digit(number[0]) && is_digit(number[1]);
    if (!value.empty() && !sound)
        throw_bad_value("SKELRT_CHECK_CUDA", value,
                        "allowed is an architecture such as sm_90, or compute_90: to PTX only, which is faster");
    return value;
}

/// Variables that others read when they need them: here a bad value can be told.
void check_variables_of_others()
{
    static_cast<void>(env_choice("SKELRT_MODEL", {"skelrt", "starpu"}));
    static_cast<void>(env_choice("SKELRT_STATIC_DEVICE", {"cpu", "cuda", "opencl"}));
    static_cast<void>(env_flag("SKELRT_GRAPHS"));
}

} // namespace

blas_wish read_blas_wish()
{
    const auto said = env_text("SKELRT_BLAS");
    if (!said) return {};
    if (*said == "1") return {blas_use::always, {}};
    if (*said == "0") return {blas_use::never, {}};
    if (said->front() != '/') throw_bad_value("SKELRT_BLAS", *said, "allowed is 0, 1, or a folder, from / on");
    return {blas_use::where_faster, *said};
}

bool tells_progress()
{
    const bool to_terminal = isatty(STDERR_FILENO) == 1 && log_enabled(log_level::error);
    return env_flag("SKELRT_PROGRESS").value_or(to_terminal);
}

settings read_settings(const options& wanted)
{
    settings s;
    s.allowed = kinds_from_environment();
    s.tiles =
        static_cast<std::size_t>(env_number("SKELRT_TILES", 1, 1 << 20).value_or(static_cast<long>(wanted.tiles)));
    if (const auto bytes = env_number("SKELRT_RANGE_BYTES", 0, std::numeric_limits<long>::max()))
        s.range_bytes = static_cast<std::size_t>(*bytes);
    s.inline_limit_us = static_cast<double>(env_number("SKELRT_INLINE_US", 0, 1000000000).value_or(10));
    if constexpr (simulated) s.inline_limit_us = 0; // the host's own work takes no simulated time
    if (const auto bytes = env_number("SKELRT_STREAM_BYTES", 0, std::numeric_limits<long>::max()))
        s.stream_bytes = static_cast<double>(*bytes);
    s.fuses = env_flag("SKELRT_FUSION").value_or(wanted.fusion);
    s.checks_devices = wanted_checks().has(check::devices);
    s.checks_unwritten = wanted_checks().has(check::unwritten);
    if (s.checks_devices) s.allowed = device::cpu;
    s.check_cuda = architecture_to_check();
    check_variables_of_others();
    s.calls_a_task = most_calls_a_task();
    s.lanes = lanes_of_gpus();
    s.compares_each_call = env_number("SKELRT_CLUSTER_CHECK", 1, 2).value_or(1) == 2;
    if (const auto how = env_choice("SKELRT_PRODUCTS", {"copies", "panels"}))
        s.products = *how == 0 ? products_by::copies : products_by::panels;
    static_cast<void>(read_blas_wish()); // whose libraries are opened later
    s.learns_episodes = env_flag("SKELRT_EPISODES").value_or(true);
    s.builds_beside = env_choice("SKELRT_BUILDS", {"beside", "first"}).value_or(0) == 0;
    s.summary = env_flag("SKELRT_SUMMARY").value_or(false);
    s.tells_progress = tells_progress() && !simulated; // simulated time is no user's
    s.trace = env_text("SKELRT_TRACE").value_or("");
    s.trace_megabytes = static_cast<std::size_t>(env_number("SKELRT_TRACE_MB", 1, 1 << 16).value_or(64));
    s.is_trial = !env_text("SKELRT_TRIAL").value_or("").empty();
    s.opencl_on_cpu = env_flag("SKELRT_OPENCL_ON_CPU").value_or(wanted.opencl_on_cpu);
    s.sequential = env_flag("SKELRT_SEQUENTIAL").value_or(false);
    s.cpu_cores = wanted.cpu_cores;
    s.cuda_devices = wanted.cuda_devices;
    s.opencl_devices = wanted.opencl_devices;
    s.policy = wanted.policy;
    return s;
}

} // namespace skelrt::detail
