// SPDX-License-Identifier: BSD-3-Clause
#include "src/farm/errors.hpp"
#include "src/farm/items/item_run.hpp"
#include "src/farm/pool.hpp"
#include "src/runtime/log.hpp"
#include "src/runtime/visit.hpp"

#include <skelrt/group.hpp>

#include <skelrt/item_error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <mutex>
#include <utility>
#include <vector>

namespace skelrt
{

namespace detail
{

/// The items of a group, each a run of its own, and what those threw that have been waited for. Thread-safe.
class group_state
{
public:
    explicit group_state(std::string name) : name_(std::move(name)), title_(title_of({}, "group", name_)) {}

    std::shared_ptr<item_run> add(caller where, std::shared_ptr<item_source> source)
    {
        const way_of_group here(way_);
        const std::lock_guard lock(guard_);
        forget_ended();
        const run_shape one{.count = 1, .first = added_};
        auto run =
            std::make_shared<item_run>(title_of(where, "group", name_), std::move(source), one, run_wishes{}, nullptr);
        items_.push_back(run);
        ++added_;
        return run;
    }
    static run_handle open(std::shared_ptr<item_run> run)
    {
        run->open();
        return run_handle(std::move(run));
    }

    void wait() noexcept
    {
        run_what_has_not_begun();
        for (auto item = first(); item; item = first()) item->wait();
        const std::lock_guard lock(guard_);
        for (const auto& item : orders_) note_awaited(item);
    }
    bool has(const runnable* run) const
    {
        const auto items = all();
        return std::ranges::any_of(items, [&](const auto& item) { return item.get() == run; });
    }
    /// Null: all went well. Later waits know nothing of it.
    std::exception_ptr take_error()
    {
        const std::lock_guard lock(guard_);
        const std::exception_ptr what = errors_.together(title_);
        errors_.clear();
        const std::size_t cancelled_ones = std::exchange(cancelled_, 0);
        if (what || cancelled_ones == 0) return what;
        return std::make_exception_ptr(cancelled(fmt::format("{}: {} items were cancelled", title_, cancelled_ones)));
    }
    void cancel() noexcept
    {
        for (const auto& item : all()) item->cancel();
    }

private:
    std::deque<std::shared_ptr<item_run>> all() const
    {
        const std::lock_guard lock(guard_);
        return items_;
    }
    void run_what_has_not_begun() noexcept
    {
        for (const auto& item : all()) item->run_some();
    }
    /// That has not ended.
    std::shared_ptr<item_run> first()
    {
        const std::lock_guard lock(guard_);
        forget_ended();
        return items_.empty() ? nullptr : items_.front();
    }
    void forget_ended()
    {
        for (; !items_.empty() && items_.front()->done(); items_.pop_front()) {
            cancelled_ += items_.front()->was_cut_off();
            items_.front()->give_errors_to(errors_);
            if (items_.front()->order) orders_.push_back(items_.front()->order);
        }
    }

    /// Each item is a run, and all of them go one way.
    class way_of_group
    {
    public:
        explicit way_of_group(const std::shared_ptr<run_way>& way) : sets_(!run())
        {
            if (sets_) run() = way;
        }
        ~way_of_group()
        {
            if (sets_) run().reset();
        }
        way_of_group(const way_of_group&) = delete;
        way_of_group& operator=(const way_of_group&) = delete;

    private:
        static std::shared_ptr<run_way>& run() { return program::current().wishes.run; }
        const bool sets_;
    };

    const std::string name_, title_;
    const std::shared_ptr<run_way> way_ = std::make_shared<run_way>();
    mutable std::mutex guard_; ///< of what follows
    std::deque<std::shared_ptr<item_run>> items_;
    item_errors errors_;
    std::vector<std::shared_ptr<work_order>> orders_; ///< SKELRT_CHECK=races: of items that have ended
    std::size_t added_ = 0, cancelled_ = 0;
};

} // namespace detail

group::group(std::string name) : state_(std::make_shared<detail::group_state>(std::move(name))) {}

group::~group()
{
    state_->wait();
    if (const std::exception_ptr what = state_->take_error()) {
        try {
            std::rethrow_exception(what);
        } catch (const cancelled&) { // somebody wanted that
        } catch (const std::exception& e) {
            detail::log_warning("nobody waited for the group: {}", e.what());
        }
    }
}

detail::run_handle group::add(detail::caller where, std::shared_ptr<detail::item_source> item)
{
    const detail::call_visit visit("sk::group::run");
    detail::item_pool::of(visit.runtime());
    return detail::group_state::open(state_->add(where, std::move(item)));
}

void group::wait()
{
    detail::require_may_wait("sk::group::wait");
    if (const detail::runnable* const item = detail::runnable::current(); item && state_->has(item))
        throw error("sk::group::wait: called by an item of the group, which would wait for itself; wait for the "
                    "futures that other items gave, or where the group was made");
    state_->wait();
    if (const std::exception_ptr what = state_->take_error()) std::rethrow_exception(what);
}

void group::cancel() noexcept { state_->cancel(); }

} // namespace skelrt
