// SPDX-License-Identifier: BSD-3-Clause
/// A plug-in of another version: WITH_INTERFACE and WITH_VERSION say of which.

#include "src/cluster/start/plugin.hpp"

namespace skelrt::detail
{

extern "C" __attribute__((visibility("default"))) const peers_plugin skelrt_peers_plugin;
const peers_plugin skelrt_peers_plugin{WITH_INTERFACE, WITH_VERSION, starpu_built_with, nullptr};

} // namespace skelrt::detail
