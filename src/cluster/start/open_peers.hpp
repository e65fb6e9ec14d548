// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/cluster/start/launch.hpp"

#include <memory>
#include <string>

namespace skelrt::detail
{

class peers;

/// What speaks with other ranks: SKELRT_CLUSTER_LIBRARY, or libskelrt-mpi beside this library; where there is none, a
/// name for the loader.
std::string peers_library();

/// The other ranks of a program that was started as several processes; null for one that runs alone. All ranks come
/// here together. Throws error, with what was started and what is missing.
std::unique_ptr<peers> open_peers(const launch& started);

} // namespace skelrt::detail
