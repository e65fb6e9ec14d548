// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace skelrt::detail
{

/// What the file says of the process and its devices.
struct trace_setting {
    std::string file;
    std::size_t megabytes = 64;
    int rank = 0, ranks = 1;
    std::uint64_t runtime = 1;         ///< number of the process's: calls of each are numbered from 1 on
    std::vector<std::string> targets;  ///< "cpu", "cuda 0": what shares of calls name
    std::vector<std::string> workers;  ///< of StarPU: "core 0", "cuda 0"
    std::vector<std::string> memories; ///< "RAM", "CUDA 0"
};

} // namespace skelrt::detail
