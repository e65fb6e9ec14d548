// SPDX-License-Identifier: BSD-3-Clause
#include "src/bench/cluster/lone_runtime.hpp"

#include <fmt/core.h>

#include <cstdlib>
#include <system_error>

#include <unistd.h>

namespace bench
{

lone_runtime::lone_runtime(unsigned cores)
{
    setenv("SKELRT_CLUSTER", "off", 1);
    skelrt::options o;
    o.cpu_cores = static_cast<int>(cores);
    runtime_ = std::make_unique<skelrt::runtime>(o);
}

lone_runtime::lone_runtime(unsigned cores, const std::filesystem::path& calls)
    : lone_runtime((setenv("SKELRT_CALLS", calls.c_str(), 1), cores))
{
}

lone_runtime::~lone_runtime()
{
    runtime_.reset();
    unsetenv("SKELRT_CLUSTER");
    unsetenv("SKELRT_CALLS");
}

own_file::own_file() : path_(std::filesystem::temp_directory_path() / fmt::format("skelrt-calls-{}", getpid())) {}

own_file::~own_file()
{
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
}

} // namespace bench
