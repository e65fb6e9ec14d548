// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/farm/started_run.hpp"
#include "src/farm/trees/frame_memory.hpp"
#include "src/farm/trees/node_deque.hpp"

#include <skelrt/detail/items/items.hpp>
#include <skelrt/detail/items/trees.hpp>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <vector>

namespace skelrt::detail
{

/// The nodes of one call of divide and conquer. See runnable.
///
/// A thread goes down into a node's first part and leaves the others in a deque; who ends the last part of a frame
/// merges, and goes on with what it left last, or with the oldest that others left. So nobody waits for parts, and no
/// stack grows. Deques and the memory of frames belong to desks, which threads take for the time that they run nodes;
/// what a thread leaves in its desk is anybody's.
class tree_run final : public started_run
{
public:
    tree_run(std::string title, std::shared_ptr<tree_source> source, int priority);
    ~tree_run() override;

    void open(tree_begins when);
    bool can_begin() const noexcept override;
    void cancel() noexcept override;
    std::exception_ptr error() noexcept override;

private:
    struct desk {
        explicit desk(tree_source::room frame) : frames(frame) {}
        std::atomic<bool> taken{true};
        desk* next = nullptr;
        node_deque nodes;
        frame_memory frames;
        std::size_t grain = 16; ///< nodes before its thread looks whether others want its core
    };
    struct node_error {
        std::vector<std::uint32_t> path; ///< places, from the root's parts downwards
        std::exception_ptr what;
    };

    bool run_next() noexcept override;
    desk& sit_down();
    desk* take_free_desk() noexcept;
    void leave(desk& mine) noexcept;
    tree_node* run_grain(desk& mine, tree_node* node) noexcept;
    tree_node* next_of(desk& mine) noexcept;
    tree_node* stolen_from_others(const desk* mine) noexcept;
    tree_node* look_for_more(desk& mine, std::chrono::steady_clock::time_point begun) noexcept;

    tree_node* run_one(desk& mine, tree_node& node) noexcept;
    tree_node* go_into(desk& mine, tree_frame& frame) noexcept;
    void tell_others() noexcept;
    void end_node(desk* mine, tree_node* node) noexcept;
    void end_frame(desk* mine, tree_frame& frame) noexcept;
    void note_error(const tree_node& node) noexcept;
    void drop_what_nobody_began() noexcept;

    const std::shared_ptr<tree_source> source_;
    const tree_source::room frame_room_;
    const std::stop_token stop_;                 ///< one for all: copies count
    const bool alone_;                           ///< all is run by the thread that waits
    const std::string* const traced_name_;       ///< SKELRT_TRACE; null: nobody records
    std::atomic<std::uint64_t> traced_turns_{0}; ///< of threads at its nodes
    std::atomic<bool> stopped_{false};
    std::atomic<desk*> desks_{nullptr}; ///< they only become more

    std::mutex guard_;
    std::vector<node_error> errors_; ///< under it
    std::atomic<bool> told_errors_{false};
};

} // namespace skelrt::detail
