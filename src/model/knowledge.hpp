#pragma once

#include "src/model/corrections.hpp"
#include "src/model/links.hpp"
#include "src/model/model.hpp"
#include "src/model/strategies.hpp"
#include "src/model/usage.hpp"

#include <string>
#include <vector>

namespace skelrt::detail
{

/// All that is learnt from calls: what they take, what programs do with their results, and how they are placed best.
///
/// Lifetime: the process's, as that of the recipes and call sites that it is about. So a second runtime goes on where the first one
/// ended, and workers may outlive static destructors. start_engine.cpp makes the only one; others know it as running::learnt.
/// Threads: as each part says.
class knowledge
{
public:
    /// A runtime starts on these devices, in the order of its targets. Numbers of devices mean nothing any more if they are others
    /// than before, and episodes have new ways.
    void begin(std::vector<std::string> devices);

    /// All of it, for good: as if nothing had ever run. Caller holds the order's lock.
    void forget();

    detail::models models;
    detail::usage usage;
    detail::corrections corrections;
    detail::links links;
    detail::strategies strategies;

private:
    std::vector<std::string> devices_;
};

} // namespace skelrt::detail
