// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/lowering/decide/usable.hpp"
#include "src/lowering/engine.hpp"
#include "src/model/strategies.hpp"
#include "src/program/program.hpp"

#include <skelrt/detail/call.hpp>
#include <skelrt/plan.hpp>

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace skelrt::detail
{

/// How a call of an episode is placed.
struct episode_way {
    device_choice may_use;
    const plan* use = nullptr; ///< that it obeys; null: the planner's
};

/// What the episodes of all programs share: how they can go. Lifetime: the engine's.
class episode_ground
{
public:
    episode_ground(const engine& e, bool on);

    /// What may have all calls of an episode for itself. Empty: there is nothing to choose.
    const std::vector<device_choice>& alone() const noexcept { return alone_; }
    episode_way way_of(std::size_t way) const;
    const episode_ways& ways() const noexcept { return strategies_.ways(); }
    strategies& book() const noexcept { return strategies_; }
    const engine& runs_on() const noexcept { return engine_; }

private:
    const engine& engine_;
    std::vector<device_choice> alone_; ///< of ways 1, 2, ...
    std::vector<plan> splits_;         ///< of the ways after them
    strategies& strategies_;
};

/// Finds the episodes of one program, times them, and has the book choose the devices for each
/// (src/model/strategies.hpp): all, by the planner; one kind alone; where there are several GPUs of a kind, the first
/// of them alone; splits between GPUs and cores. Calls that were told where to run are none, and what ran beside other
/// programs' calls proves nothing.
///
/// Lifetime: the engine's. Used by the program's own thread, unless it says otherwise.
class episodes final : public program_part
{
public:
    episodes(episode_ground& ground, const program& of) : ground_(ground), program_(of) {}

    /// For a call that may use all devices: the way of the episode that it belongs to. Caller holds the order's lock.
    episode_way way_for(const call& c);
    /// For a small call that may use all devices and that the calling thread could do itself, now, in `us`: whether it
    /// should. The second of several in a row begins an episode, or the first one where others followed it the last
    /// time: a hundred of them may take a GPU less time than a core. Caller holds the order's lock if tasks have used
    /// an operand.
    bool runs_here(const call& c, double us);
    /// Shorter calls begin no episode, and are not asked about.
    static constexpr double worth_an_episode_us = 1.5;
    /// The calling thread does such a short call itself: it is part of the episode under way. Cheap.
    void passes(const storage* result, double us) noexcept;
    /// Whether it is sure that runs_here() would say no. Cheap.
    bool next_goes_elsewhere() const noexcept
    {
        const run_way* const run = program_.wishes.run.get();
        return run ? !run->kinds().has(device::cpu) : next_goes_elsewhere_;
    }
    /// Whether the call under way is part of an episode that counts.
    bool under_way() const noexcept { return now_.open && now_.counts; }
    /// A call was told where to run, or cannot go the episode's way: that proves nothing.
    void spoil(const call& c);
    /// Of the one under way, or that was last. No other one, of any program, has it.
    std::uint64_t number() const noexcept { return now_.number; }
    /// Whether the call under way should tell what models say of each kind of device.
    bool wants_predictions() const noexcept { return wants_predictions_; }
    /// Of one call, in microseconds: as planned, and by each of alone(), which has what earlier calls of the episode
    /// used or made; the cores have all, and `to_cores_us` is what that takes.
    void predict(double as_planned, std::span<const double> of_alone, double to_cores_us);
    const std::vector<device_choice>& alone() const noexcept { return ground_.alone(); }
    /// The cores have done a task of a split. Cheap; any thread.
    void cores_are_done() noexcept;
    /// The host has the data of this storage; null: all that the program called is done.
    void waited_for(const storage* data);
    /// There is no other that would close the last one. For its own thread.
    void close();
    /// Whether waited_for() would change anything. Cheap.
    bool waits() const noexcept { return waits_; }

    void begin_anew() noexcept override;

private:
    struct episode {
        episode_start start;
        std::size_t way = 0, calls = 0, most_calls = 0;
        double begin_us = 0, end_us = 0; ///< of the first call, of the host's last wait
        std::uint64_t number = 0;
        double first_use_us = 0;              ///< what the process had still to pay to use a GPU at all
        std::uint64_t others = 0;             ///< calls that other programs had submitted when it began
        unsigned forgotten = 0;               ///< as the ground had it
        bool open = false, ended = false;     ///< ended: the host has waited for the last call
        bool counts = true, looked_at = true; ///< counts: it goes into the book, if that looks at it
        std::array<const storage*, 4> last_results{};
        std::vector<double> predicted; ///< of each way
        double to_cores_us = 0;
    };
    struct small_row {
        std::size_t calls = 0;
        std::optional<std::uint32_t> first; ///< recipe, if that call was small
    };
    struct passed_calls {
        std::size_t calls = 0;
        double us = 0;
        const storage* result = nullptr; ///< of the last
    };

    bool goes_elsewhere() const;
    episode_way way_to(std::size_t way, const call& c) const;
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
    std::uint64_t calls_of_others() const noexcept;
    bool had_machine_to_itself() const noexcept;

    episode_ground& ground_;
    const program& program_;
    book_place place_;
    episode now_;
    small_row row_;              ///< since the host's last wait
    passed_calls passed_;        ///< short calls that the episode is still to count
    std::vector<bool> leads_on_; ///< of each recipe: others followed the last time that it was the first of a row
    bool wants_predictions_ = false;
    bool waits_ = false; ///< for the host's wait
    bool next_goes_elsewhere_ = false;
    std::atomic<double> cores_done_us_{0}; ///< workers write it
};

inline episodes& engine::program_episodes()
{
    program_part* const known = program::current().part(number);
    return known ? static_cast<episodes&>(*known) : begin_episodes();
}

} // namespace skelrt::detail
