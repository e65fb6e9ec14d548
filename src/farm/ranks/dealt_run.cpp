// SPDX-License-Identifier: BSD-3-Clause
#include "src/farm/ranks/dealt_run.hpp"

#include "src/cluster/other_ranks.hpp"
#include "src/cluster/peers.hpp"
#include "src/cluster/trees.hpp"
#include "src/data/parting/axis_split.hpp"
#include "src/farm/pool.hpp"
#include "src/lowering/hash_combine.hpp"
#include "src/program/of_one_rank.hpp"
#include "src/runtime/running.hpp"
#include "src/runtime/visit.hpp"

#include <skelrt/error.hpp>

#include <fmt/format.h>

#include <functional>
#include <string_view>
#include <utility>

namespace skelrt::detail
{

namespace
{

/// Of all items those that are this rank's.
class some_items final : public item_source
{
public:
    some_items(std::shared_ptr<item_source> all, std::size_t first) : all_(std::move(all)), first_(first) {}
    void run(std::size_t item, const std::stop_token& stop) override { all_->run(first_ + item, stop); }
    std::string name_of(std::size_t item) const override { return all_->name_of(first_ + item); }

private:
    const std::shared_ptr<item_source> all_;
    const std::size_t first_;
};

std::shared_ptr<item_run> run_of_this_rank(const peers& others, const dealt_farm& f,
                                           const std::shared_ptr<item_source>& items, const run_wishes& wishes,
                                           progress_teller::listener told)
{
    const axis_split split{f.count, static_cast<unsigned>(others.size())};
    const position_run mine = split.run(static_cast<unsigned>(others.rank()), 0);
    return std::make_shared<item_run>(f.title, std::make_shared<some_items>(items, mine.first),
                                      run_shape{.count = mine.count, .first = f.first + mine.first}, wishes,
                                      std::move(told));
}

/// What all ranks do at the same place of their programs.
void record(running& r, peers& others, const char* what, const caller& where, std::uint64_t hash, std::size_t count)
{
    others.refuse_other_threads(what, where);
    others.calls.record(hash_combine(std::hash<std::string_view>()(what), hash), what, where, count);
    r.order.flush(); // others may wait for these calls
}

void refuse_results_that_stay(const item_source& items, const std::string& title)
{
    if (const std::string type = items.stays_here(); !type.empty())
        throw error(fmt::format(
            "{}: its items are dealt out to the ranks, and give {}, which cannot go from rank to rank: numbers can, "
            "structs of numbers, and std::string, vector, array, pair, tuple and optional of such; let the items give "
            "these, or say on_every_rank(), and each rank runs all items by itself",
            title, type));
}

} // namespace

dealt_run::dealt_run(running& r, peers& others, const farm_start& s, std::shared_ptr<item_source> items,
                     const run_wishes& wishes, progress_teller::listener told)
    : runtime_(r.number), call_(others.calls.calls()), start_(s),
      items_(std::move(items)), farm_{title_of(s.where, "farm", wishes.name), s.count, s.first, items_.get()},
      mine_(run_of_this_rank(others, farm_, items_, wishes, std::move(told)))
{
}

std::shared_ptr<dealt_run> dealt_run::start(running& r, peers& others, const farm_start& s,
                                            std::shared_ptr<item_source> items, const run_wishes& wishes,
                                            progress_teller::listener told)
{
    record(r, others, s.what, s.where, hash_combine(s.count, s.first), s.count);
    refuse_results_that_stay(*items, title_of(s.where, "farm", wishes.name));
    auto made = std::make_shared<dealt_run>(r, others, s, std::move(items), wishes, std::move(told));
    made->begin(made);
    return made;
}

void dealt_run::begin(const std::shared_ptr<dealt_run>& self)
{
    mine_->open();
    mine_->when_done([of = std::weak_ptr(self)] {
        if (const auto run = of.lock()) run->tell_of_end();
    });
}

void dealt_run::wait() noexcept
{
    if (together_) return;
    mine_->wait();
    note_awaited(mine_->order);
    try {
        bring_results_together();
    } catch (...) {
        what_ = std::current_exception();
    }
    together_ = true;
}

void dealt_run::bring_results_together()
{
    const visit here;
    running* const r = here.runtime();
    peers* const others = other_ranks(r);
    if (!others || r->number != runtime_)
        throw skelrt::error(fmt::format("{}: its sk::runtime has ended before the program waited for it, and its "
                                        "results lie on several ranks; wait before that",
                                        title()));
    record(*r, *others, "sk::future::wait", start_.where, call_, start_.count);
    outcome mine;
    mine.ran = mine_->ran();
    mine.why_stopped = mine_->why_stopped();
    mine_->give_errors_to(mine.errors);
    bring_together(*others, farm_, mine);
}

void require_program_of_ranks(const char* what, const started_work& of)
{
    const visit here;
    const running* const r = here.runtime();
    if (!r || !r->cluster) return; // wait() says so
    if (is_of_one_rank())
        throw error(
            fmt::format("{}: called for {} in an item, which is this rank's own, but its results lie on several "
                        "ranks, and all of them wait for it together; wait outside of items",
                        what, of.title()));
    r->cluster->refuse_other_threads(what, {});
}

std::size_t inputs_at_a_time(const run_wishes& wishes, caller where)
{
    const call_visit visit("farm::each");
    running& r = visit.runtime();
    if (wishes.window > 0) return wishes.window;
    item_pool::of(r);
    peers* const others = other_ranks(&r);
    const std::uint64_t cores = item_pool::get().cores();
    if (!others) return 4 * cores;
    record(r, *others, "farm::each", where, 0, 0);
    std::size_t all = 0;
    for (const std::uint64_t c : gather_values<std::uint64_t>(*others, {&cores, 1})) all += c;
    constexpr std::size_t inputs_a_core = 4;
    return inputs_a_core * all;
}

} // namespace skelrt::detail
