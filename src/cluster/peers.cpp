#include "src/cluster/peers.hpp"

#include <skelrt/error.hpp>

#include <fmt/format.h>

namespace skelrt::detail
{

void peers::refuse_other_threads(const char* name, caller where) const
{
    if (is_programs_thread()) return;
    throw error(fmt::format("{}:{}: {}: called from another thread than the one that made the sk::runtime; with "
                            "several ranks ({}) one thread makes all calls, for the order of two threads' calls is "
                            "not the same on all ranks",
                            where.file, where.line, name, size_));
}

} // namespace skelrt::detail
