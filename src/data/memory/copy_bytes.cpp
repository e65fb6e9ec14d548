// SPDX-License-Identifier: BSD-3-Clause
#include "src/data/memory/copy_bytes.hpp"

#include "src/runtime/cores/compute_right.hpp"
#include "src/runtime/running.hpp"
#include "src/runtime/visit.hpp"

#include <algorithm>
#include <cstring>
#include <exception>
#include <optional>
#include <thread>
#include <vector>

namespace skelrt::detail
{

namespace
{

/// Those that have a core of their own, as items have, and tasks leave the others theirs.
bool may_lead()
{
    const running* const r = running::current();
    return r && !r->devices().policy_places() && !inside_task() && !inside_user_code() && !compute_right::current();
}

constexpr std::size_t worth_own_threads = std::size_t{4} << 20; ///< bytes: they have to be started

/// An OpenMP region would leave threads behind that wait awake for the next one, on the cores of the program's first
/// call.
void on_own_threads(std::size_t bytes, const std::function<void(std::size_t, std::size_t)>& part) noexcept
{
    const std::size_t cores = std::max(std::thread::hardware_concurrency(), 1u), each = bytes / cores + 1;
    std::vector<std::jthread> others;
    std::size_t begin = 0;
    try {
        others.reserve(cores);
        for (; begin + each < bytes; begin += each) others.emplace_back([=, &part] { part(begin, begin + each); });
    } catch (const std::exception&) { // the calling thread does what is left
    }
    part(begin, bytes);
}

} // namespace

void in_parts(std::size_t bytes, const std::function<void(std::size_t, std::size_t)>& part) noexcept
{
    std::optional<team_lead> lead;
    if (bytes >= worth_all_cores && may_lead()) lead.emplace(leader::caller);
    if (lead && *lead) copy_in_parts(*lead, bytes, part);
    else if (bytes >= worth_own_threads && !running::current()) on_own_threads(bytes, part);
    else part(0, bytes);
}

void copy_bytes(std::byte* to, const std::byte* from, std::size_t bytes) noexcept
{
    in_parts(bytes, [=](std::size_t begin, std::size_t end) { std::memcpy(to + begin, from + begin, end - begin); });
}

} // namespace skelrt::detail
