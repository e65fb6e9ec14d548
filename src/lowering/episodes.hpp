#pragma once

#include "src/lowering/devices.hpp"
#include "src/model/episode_book.hpp"
#include "src/runtime/engine.hpp"

#include <skelrt/detail/call.hpp>
#include <skelrt/plan.hpp>

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace skelrt::detail
{

/// How a call of an episode is placed.
struct episode_way {
    device_choice may_use;
    const plan* use = nullptr; ///< that it obeys; null: the planner's
};

/// Finds the episodes of a program, times them, and has the book choose the devices for each (src/model/episode_book.hpp): all, by the
/// planner; one kind alone; where there are several GPUs of a kind, the first of them alone; splits between GPUs and cores.
/// Calls that were told where to run, or of several threads at once, are no episodes.
///
/// Lifetime: the engine's. Locks: its own, taken last.
class episodes
{
public:
    episodes(const engine& e, bool on);

    /// For a call that may use all devices: the way of the episode that it belongs to. Caller holds engine::submission.
    episode_way way_for(const call& c);
    /// For a small call that may use all devices and that the calling thread could do itself, now, in `us`: whether it should. The
    /// second of several in a row begins an episode, or the first one where others followed it the last time: a hundred of them may
    /// take a GPU less time than a core. Caller holds engine::submission if tasks have used an operand.
    bool runs_here(const call& c, double us);
    /// Shorter calls begin no episode, and are not asked about.
    static constexpr double worth_an_episode_us = 1.5;
    /// The calling thread does such a short call itself: it is part of the episode under way. Cheap, needs no lock.
    void passes(const storage* result, double us) noexcept;
    /// Whether it is sure that runs_here() would say no. Cheap, needs no lock.
    bool next_goes_elsewhere() const noexcept { return next_goes_elsewhere_.load(std::memory_order_relaxed); }
    /// Whether the call under way is part of an episode that counts.
    bool under_way() const;
    /// A call was told where to run, or cannot go the episode's way: that proves nothing.
    void spoil(const call& c);
    /// Of the one under way, or that was last: 1, 2, ...
    std::uint64_t number() const noexcept { return number_.load(std::memory_order_relaxed); }
    /// Whether the call under way should tell what models say of each kind of device.
    bool wants_predictions() const noexcept { return wants_predictions_.load(std::memory_order_relaxed); }
    /// Of one call, in microseconds: as planned, and by each of alone(), which has what earlier calls of the episode used or made.
    void predict(double as_planned, std::span<const double> of_alone);
    /// What may have all calls of an episode for itself.
    const std::vector<device_choice>& alone() const noexcept { return alone_; }
    /// The cores have done a task of a split. Cheap, needs no lock; any thread.
    void cores_are_done() noexcept;
    /// The host has the data of this storage; null: all that was called is done.
    void waited_for(const storage* data);
    /// Whether waited_for() would change anything. Cheap, needs no lock.
    bool waits() const noexcept { return waits_.load(std::memory_order_relaxed); }
    void forget();

private:
    struct {
        episode_start start;
        std::size_t way = 0, calls = 0, most_calls = 0;
        double begin_us = 0, end_us = 0; ///< of the first call, of the host's last wait
        std::thread::id thread;
        bool open = false, ended = false;     ///< ended: the host has waited for the last call
        bool counts = true, looked_at = true; ///< counts: it goes into the book, if that looks at it
        std::array<const storage*, 4> last_results{};
        std::vector<double> predicted; ///< of each way
    } now_;
    episode_way way_of(std::size_t way) const;
    bool goes_elsewhere() const;
    void join(const call& c);
    void look_ahead();
    double cores_took_us() const;
    void predict_small(std::size_t calls, double us);
    void count_passed();
    bool leads_on(std::uint32_t recipe) const { return recipe < leads_on_.size() && leads_on_[recipe]; }
    void end_row();
    std::string predicted_text() const;
    void begin(const call& c);
    void tell(const std::string& first_call) const;
    void end();
    void remember_results(const call& c);

    mutable std::mutex guard_;
    device_set all_;
    std::vector<device_choice> alone_; ///< of ways 1, 2, ...
    std::vector<plan> splits_;         ///< of the ways after them
    const engine& engine_;
    struct {
        std::size_t calls = 0;
        std::optional<std::uint32_t> first; ///< recipe, if that call was small
    } row_;                                 ///< since the host's last wait
    struct {
        std::atomic<std::size_t> calls{0};
        std::atomic<double> us{0};
        std::atomic<const storage*> result{nullptr}; ///< of the last
    } passed_; ///< short calls that the episode is still to count: guesses, where several threads make such
    std::vector<bool> leads_on_; ///< of each recipe: others followed the last time that it was the first of a row
    std::atomic<std::uint64_t> number_{0};
    std::atomic<bool> wants_predictions_{false};
    std::atomic<double> cores_done_us_{0};
    std::atomic<bool> waits_{false}; ///< for the host's wait
    std::atomic<bool> next_goes_elsewhere_{false};
    episode_book book_;
};

} // namespace skelrt::detail
