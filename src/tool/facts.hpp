// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/blas/library.hpp"
#include "src/jit/versions.hpp"
#include "src/runtime/environment/environment.hpp"

#include <skelrt/runtime.hpp>

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <utility>
#include <vector>

/// What `skelrt info` knows about the machine and the set-up, before it is text or JSON.
namespace skelrt::tool
{

struct cache {
    std::string what;
    std::filesystem::path folder;
    std::size_t files = 0;
    std::uintmax_t bytes = 0;
};

/// What lies in a folder and below it; what cannot be read counts nothing.
cache contents_of(std::string what, std::filesystem::path folder);

struct set_variable {
    detail::variable which;
    std::string value;
};

struct facts {
    std::vector<device_info> devices;
    std::string problem; ///< why no runtime could be started; empty: it could
    std::string starpu_version, policy, own_policies;
    std::vector<std::pair<std::string, long>> starpu_limits;
    detail::cuda_versions cuda;
    bool opencl_built_in = false;
    std::vector<detail::opencl_platform> opencl;
    std::vector<std::pair<std::string, detail::blas::found_library>> blas; ///< for products of matrices
    std::vector<cache> caches;
    std::vector<set_variable> variables; ///< those that were set when the command began
    std::vector<std::string> complaints; ///< about unknown SKELRT_ variables
};

/// Starts a runtime for a moment, to see what a program would get. A problem with that is a fact, too.
facts find_facts();

/// Those of `all` that are set.
std::vector<set_variable> set_ones(std::span<const detail::variable> all);

} // namespace skelrt::tool
