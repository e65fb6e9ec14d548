// SPDX-License-Identifier: BSD-3-Clause
#include <skelrt/cluster.hpp>
#include <skelrt/error.hpp>

#include "src/cluster/other_ranks.hpp"
#include "src/cluster/peers.hpp"
#include "src/cluster/start/launch.hpp"
#include "src/cluster/trees.hpp"
#include "src/data/parts/part_copies.hpp"
#include "src/data/release.hpp"
#include "src/data/waiting/wait_for_all.hpp"
#include "src/lowering/hash_combine.hpp"
#include "src/runtime/running.hpp"
#include "src/runtime/visit.hpp"

#include <fmt/format.h>

#include <functional>
#include <span>
#include <string_view>

namespace skelrt
{

namespace
{

using namespace detail;

/// Of the runtime that lives; else as this process was started.
launch this_launch()
{
    const visit here;
    const running* const r = here.runtime();
    if (!r) return read_launch();
    launch l;
    if (r->cluster) l.rank = r->cluster->rank(), l.size = r->cluster->size();
    return l;
}

/// What all ranks do at the same place of their programs.
void begin_together(running& r, const char* name, std::uint64_t what, caller where)
{
    r.cluster->refuse_other_threads(name, where);
    r.cluster->calls.record(hash_combine(std::hash<std::string_view>()(name), what), name, where);
    r.order.flush(); // others may wait for these calls
}

} // namespace

int rank() { return this_launch().rank; }
int ranks() { return this_launch().size; }

void detail::agree_on(void* value, std::size_t bytes, int rank, caller where)
{
    const call_visit visit("sk::agree");
    running& r = visit.runtime();
    refuse_in_items(r, "sk::agree", where);
    const int size = r.cluster ? r.cluster->size() : 1;
    if (rank < 0 || rank >= size)
        throw error(
            fmt::format("{}:{}: sk::agree: the value of rank {} is asked for, and this program's ranks are 0 to "
                        "{}",
                        where.file, where.line, rank, size - 1));
    if (!r.cluster) return;
    begin_together(r, "sk::agree", hash_combine(bytes, static_cast<std::size_t>(rank)), where);
    broadcast(*r.cluster, {static_cast<std::byte*>(value), bytes}, rank);
}

void barrier(caller where)
{
    const call_visit visit("sk::barrier");
    running& r = visit.runtime();
    refuse_in_items(r, "sk::barrier", where);
    wait_for_all_tasks(r);
    r.order.note_wait(nullptr);
    reap();
    if (!r.cluster) return;
    begin_together(r, "sk::barrier", 0, where);
    const std::byte here{1};
    all_gather(*r.cluster, {&here, 1});
    forget_all_copies();
}

} // namespace skelrt
