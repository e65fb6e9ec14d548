// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "detail/items/farm_items.hpp"
#include "future.hpp"

#include <memory>
#include <string>
#include <type_traits>
#include <utility>

namespace skelrt
{

/// Items that are added one by one, and waited for together: the plain form of a farm.
///
/// Lifetime: waits in its destructor, which throws nothing: what went wrong is a warning in the log then. Thread
/// safety: items and other threads may add items, while somebody who will wait holds the group.
class SKELRT_API group
{
public:
    explicit group(std::string name = {});
    ~group();
    group(const group&) = delete;
    group& operator=(const group&) = delete;

    /// Begins an item, a function without arguments or with an std::stop_token, some time. Throws error where there is
    /// no runtime, and inside user functions and tasks.
    template <class F>
        requires(detail::is_item<std::decay_t<F>>)
    auto run(F&& item, detail::caller where = detail::caller::here())
    {
        using items = detail::fixed_items<std::decay_t<F>>;
        using value = detail::item_value<std::decay_t<F>>;
        const auto source = std::make_shared<first_of<items, value>>(
            std::make_shared<std::tuple<std::decay_t<F>>>(std::forward<F>(item)));
        return future<value>(add(where, source), source);
    }
    /// Until all have ended, those too that items add meanwhile. Throws item_error if an item threw, of the first in
    /// the order in which they were added; sk::cancelled if it was cancelled.
    void wait();
    /// Items that have not begun do not. Later ones may.
    void cancel() noexcept;

private:
    template <class Items, class R>
    class first_of final : public detail::item_source, public detail::run_result<R>
    {
    public:
        template <class F>
        explicit first_of(F items) : items_(std::move(items)), name_(items_.name_of(0))
        {
        }
        /// What the item holds goes with its end, before anybody who waits for it goes on.
        void run(std::size_t item, const std::stop_token& stop) override
        {
            const struct end {
                Items& of;
                ~end() { of.let_go(); }
            } at_the_end{items_};
            items_.run(item, stop);
        }
        std::string name_of(std::size_t) const override { return name_; }
        R& result() override { return std::get<0>(items_.result()); }

    private:
        Items items_;
        const std::string name_;
    };

    detail::run_handle add(detail::caller where, std::shared_ptr<detail::item_source> item);

    std::shared_ptr<detail::group_state> state_;
};

} // namespace skelrt
