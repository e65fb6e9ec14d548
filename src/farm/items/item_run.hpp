// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/farm/errors.hpp"
#include "src/farm/items/claims.hpp"
#include "src/farm/items/progress.hpp"
#include "src/farm/started_run.hpp"

#include <skelrt/detail/items/items.hpp>

#include <atomic>
#include <cstddef>
#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace skelrt::detail
{

/// The items of one call of a farm, or one of a group. See runnable.
class item_run final : public started_run
{
public:
    /// `title`: "main.cpp:12: farm frames". Shall be offered to the pool by open().
    item_run(std::string title, std::shared_ptr<item_source> source, run_shape shape, const run_wishes& wishes,
             progress_teller::listener told);
    ~item_run() override;

    void open();
    bool can_begin() const noexcept override { return claims_.any_left(); }
    void cancel() noexcept override;

    void take_all() noexcept override;
    std::exception_ptr error() noexcept override;
    bool was_cut_off() const noexcept override { return is_stopped() && ran_.load() < shape_.count; }
    std::size_t ran() const noexcept { return ran_.load(); }
    /// What a listener, a consumer or the inputs threw; null: nothing.
    std::exception_ptr why_stopped();
    /// Those of its items alone go to a group's; they count as told then.
    void give_errors_to(item_errors& group) noexcept;

private:
    enum place_state : std::uint8_t { empty, ready, failed };
    using place = std::atomic<place_state>;

    bool run_next() noexcept override;
    item_claims::piece pull_some() noexcept;
    bool run_one(std::size_t item) noexcept;
    void run_in_strand(std::size_t item);
    std::shared_ptr<strand> make_strand(std::size_t item);
    void note_error(std::size_t item) noexcept;
    void stop_all(std::exception_ptr why) noexcept;
    void end_items(std::size_t n) noexcept;
    void tell_progress(std::size_t more) noexcept;
    void tell_end(std::size_t ended) noexcept;
    void no_more() noexcept;
    void end_if_all_ended() noexcept;

    bool takes() const noexcept { return shape_.ring > 0; }
    place& at(std::size_t item) noexcept { return places_[item % shape_.ring]; }
    void put(std::size_t item, place_state s) noexcept;
    void take_what_is_ready() noexcept;
    bool take(std::size_t item) noexcept;
    std::size_t window() const noexcept;
    void widen() noexcept;

    const std::shared_ptr<item_source> source_;
    const run_shape shape_;
    const std::string* const traced_name_; ///< SKELRT_TRACE; null: nobody records
    const on_error after_error_;
    const std::size_t asked_window_;
    progress_teller progress_;

    item_claims claims_;
    std::mutex pulling_;
    std::atomic<std::size_t> all_; ///< so many items; unknown until it is closed
    alignas(64) std::atomic<std::size_t> ended_{0};
    std::atomic<std::size_t> ran_{0}; ///< of these, that were not left out because it was cancelled
    item_errors errors_;
    std::mutex stopping_;
    std::exception_ptr why_stopped_;
    std::atomic<bool> consumer_has_enough_{false}, told_errors_{false}, over_{false};

    std::unique_ptr<place[]> places_;              ///< of results that wait to be taken
    std::vector<std::shared_ptr<strand>> strands_; ///< SKELRT_CHECK=races: of those items
    std::atomic<std::size_t> taken_{0};            ///< all before are
};

} // namespace skelrt::detail
