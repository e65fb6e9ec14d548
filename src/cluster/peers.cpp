// SPDX-License-Identifier: BSD-3-Clause
#include "src/cluster/peers.hpp"

#include <skelrt/error.hpp>

#include <fmt/format.h>

#include <string>

namespace skelrt::detail
{

void peers::refuse_other_threads(const char* name, caller where) const
{
    if (std::this_thread::get_id() == programs_thread_) return;
    const std::string place = where.line > 0 ? fmt::format("{}:{}: ", where.file, where.line) : "";
    throw error(fmt::format("{}{}: called from another thread than the one that made the sk::runtime; with several "
                            "ranks ({}) one thread makes all calls, for the order of two threads' calls is not the "
                            "same on all ranks",
                            place, name, size_));
}

} // namespace skelrt::detail
