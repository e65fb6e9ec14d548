// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/cluster/start/membership.hpp"
#include "src/data/memory/blocks_at_start.hpp"
#include "src/runtime/running.hpp"

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

namespace skelrt::detail
{

class call_recorder;
class call_summary;
class agreed_steps;
class decision_cache;
class episode_ground;
class episodes;
class kernel_builder;
class knowledge_keeper;
class load_board;
class pending_calls;
struct rank_limits;

/// The running library with all that calls share. Its parts are made and put together in start_engine.cpp.
class engine final : private submitted_calls, private membership, private blocks_at_start, public running
{
public:
    explicit engine(const options& wanted);
    ~engine();

    static engine* current() noexcept { return static_cast<engine*>(running::current()); }
    /// The one that runs.
    static engine& of(running& r) noexcept { return static_cast<engine&>(r); }
    /// As the last runtime had it. Any thread, at any time.
    static bool fuses_by_default() noexcept { return fusion_.load(std::memory_order_relaxed); }

    /// Calls that move more than this, and wait for memory, write results past the cores' caches; 0: all calls do.
    double streams_from_bytes() const noexcept { return streams_from_bytes_; }

    /// Writes down all calls; null: nobody does.
    call_recorder* recorder() const noexcept { return recorder_.get(); }
    /// Adds up what calls take; null: nobody asked.
    call_summary* summary() const noexcept { return summary_.get(); }
    /// Calls that wait to be sent.
    pending_calls& pending() const noexcept { return *pending_; }
    decision_cache& decisions() const noexcept { return *decisions_; }
    /// What is under way on each target.
    load_board& loads() const noexcept { return *loads_; }
    /// What ranks have agreed on of iterated stencils.
    agreed_steps& steps() const noexcept { return *steps_; }
    /// What ranks know of each other. With several.
    const rank_limits& limits() const noexcept { return *limits_; }
    /// Builds kernels while the program goes on.
    kernel_builder& builder() const noexcept { return *builder_; }
    /// How episodes can go.
    const episode_ground& ground() const noexcept { return *ground_; }
    /// Of the calling thread's program; src/lowering/decide/episodes.hpp has it.
    episodes& program_episodes();

private:
    bool any() const noexcept override;
    bool due() const noexcept override;
    void send_due() noexcept override;
    void send_all() noexcept override;
    void send_own() noexcept override;
    void send_batch(std::uint64_t number) noexcept override;
    void copy_tile(const tile_copy& c) override;
    void before_wait() noexcept override;
    void host_waited(const storage* data) override;

    episodes& begin_episodes();
    /// SKELRT_TRACE. Throws error.
    void start_timeline() const;

    static std::atomic<bool> fusion_;
    double streams_from_bytes_ = 0;
    std::unique_ptr<knowledge_keeper> keeper_;
    std::unique_ptr<call_recorder> recorder_;
    std::unique_ptr<call_summary> summary_;
    std::unique_ptr<pending_calls> pending_;
    std::unique_ptr<decision_cache> decisions_;
    std::unique_ptr<load_board> loads_;
    std::unique_ptr<kernel_builder> builder_;
    std::unique_ptr<agreed_steps> steps_;
    std::unique_ptr<rank_limits> limits_;
    std::unique_ptr<episode_ground> ground_;
    std::mutex episodes_guard_;
    std::vector<std::unique_ptr<episodes>> episodes_; ///< of each program that had some
};

} // namespace skelrt::detail
