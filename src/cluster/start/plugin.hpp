// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/config.hpp"

#include <starpu_config.h>

#include <array>
#include <atomic>
#include <cstdint>

/// What libskelrt and libskelrt-mpi know of each other before they trust each other.
namespace skelrt::detail
{

class peers;

struct peers_options {
    long patience_s = 0;                          ///< until who does not answer counts as lost; 0: for ever
    void (*warn)(const char* text) noexcept = {}; ///< one line for the user
    const std::atomic<int>* asleep = nullptr;     ///< how many threads wait in the library for tasks
    const void* communicator = nullptr;           ///< an MPI_Comm; null: all that were started
};

/// The one symbol that libskelrt-mpi exports. What comes before `open` is looked at before that is believed.
struct peers_plugin {
    std::uint32_t interface; ///< of this struct, and of peers
    const char* version;     ///< skelrt's
    std::array<int, 3> starpu;
    peers* (*open)(const peers_options& wanted); ///< throws error
};

constexpr const char* peers_symbol = "skelrt_peers_plugin";
constexpr std::uint32_t peers_interface = 3;
constexpr std::array<int, 3> starpu_built_with{STARPU_MAJOR_VERSION, STARPU_MINOR_VERSION, STARPU_RELEASE_VERSION};

} // namespace skelrt::detail
