#pragma once

#include "src/cluster/start/launch.hpp"

#include <memory>

namespace skelrt::detail
{

class peers;

/// The other ranks of a program that was started as several processes; null for one that runs alone. All ranks come
/// here together. Throws error, with what was started and what is missing.
std::unique_ptr<peers> open_peers(const launch& started);

} // namespace skelrt::detail
