// SPDX-License-Identifier: BSD-3-Clause
#include "src/cluster/other_ranks.hpp"
#include "src/farm/items/item_run.hpp"
#include "src/farm/pipelines/token_run.hpp"
#include "src/farm/pool.hpp"
#include "src/farm/ranks/dealt_run.hpp"
#include "src/farm/trees/tree_run.hpp"
#include "src/runtime/visit.hpp"

#include <skelrt/detail/items/items.hpp>
#include <skelrt/detail/items/tokens.hpp>
#include <skelrt/farm.hpp>

#include <fmt/format.h>

#include <utility>

namespace skelrt
{

blocking::blocking() noexcept : right_(detail::compute_right::give_up()) {}
blocking::~blocking() { detail::compute_right::take_back(right_); }

} // namespace skelrt

namespace skelrt::detail
{

tree_source::~tree_source() = default;
item_source::~item_source() = default;
std::string item_source::name_of(std::size_t) const { return {}; }
std::string item_source::stays_here() const { return {}; }
void item_source::write_result(std::size_t, std::vector<std::byte>&) {}
void item_source::read_result(std::size_t, std::span<const std::byte>&) {}
bool item_source::pull(std::size_t) { return false; }
bool item_source::take(std::size_t) { return true; }
void item_source::pass_over(std::size_t) noexcept {}
token_stages::~token_stages() = default;

namespace
{

progress_teller::listener listener_of(const run_wishes& wishes)
{
    if (wishes.progress || !item_pool::get().shows_progress()) return wishes.progress;
    return bar_of_long_farms(wishes.name.empty() ? "farm" : wishes.name.c_str());
}

/// Null: all items are this rank's.
peers* dealt_to(const running& r, const run_wishes& wishes)
{
    return wishes.ranks == items_of_ranks::dealt_out ? other_ranks(&r) : nullptr;
}

} // namespace

bool deals_out(const run_wishes& wishes)
{
    const visit here;
    return here.runtime() && dealt_to(*here.runtime(), wishes);
}

run_handle run_handle::start(const char* what, caller where, std::shared_ptr<item_source> source, run_shape shape,
                             const run_wishes& wishes)
{
    const call_visit visit(what);
    item_pool::of(visit.runtime());
    if (peers* const others = dealt_to(visit.runtime(), wishes))
        return run_handle(dealt_run::start(visit.runtime(), *others, {what, where, shape.count, shape.first},
                                           std::move(source), wishes, listener_of(wishes)));
    auto run = std::make_shared<item_run>(title_of(where, "farm", wishes.name), std::move(source), shape, wishes,
                                          listener_of(wishes));
    run->open();
    return run_handle(std::move(run));
}

run_handle run_handle::start_tree(const char* what, caller where, std::shared_ptr<tree_source> source,
                                  const run_wishes& wishes, tree_begins when)
{
    const call_visit visit(what);
    item_pool::of(visit.runtime());
    auto run = std::make_shared<tree_run>(title_of(where, "divide and conquer", wishes.name), std::move(source),
                                          wishes.priority);
    run->open(when);
    return run_handle(std::move(run));
}

run_handle run_handle::start(const char* what, caller where, std::shared_ptr<token_stages> stages,
                             const token_wishes& wishes)
{
    const call_visit visit(what);
    item_pool::of(visit.runtime());
    auto run = std::make_shared<token_run>(title_of(where, "pipeline", wishes.name), std::move(stages), wishes);
    run->open();
    return run_handle(std::move(run));
}

void run_handle::wait() const
{
    if (!run_) throw skelrt::error("sk::future::wait: it is of nothing: made by its default constructor");
    if (run_->is_spread()) require_program_of_ranks("sk::future::wait", *run_);
    if (!run_->done() || run_->is_spread()) {
        require_may_wait("sk::future::wait");
        run_->wait();
    }
    note_awaited(run_->order);
}

void run_handle::join() const
{
    wait();
    run_->join();
}

void run_handle::take_all() const
{
    run_->take_all();
    note_awaited(run_->order);
}

void run_handle::check() const
{
    if (const std::exception_ptr what = run_->error()) std::rethrow_exception(what);
}

bool run_handle::done() const noexcept
{
    const bool is_done = run_ && run_->done();
    if (is_done) note_awaited(run_->order);
    return is_done;
}
void run_handle::cancel() const noexcept
{
    if (run_) run_->cancel();
}
std::exception_ptr run_handle::error() const { return done() ? run_->error() : nullptr; }
std::string run_handle::name() const { return run_ ? run_->title() : std::string(); }

} // namespace skelrt::detail
