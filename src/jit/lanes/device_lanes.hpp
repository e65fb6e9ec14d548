// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/jit/lanes/lane_board.hpp"
#include "src/jit/lanes/lane_wish.hpp"
#include "src/jit/lanes/point_table.hpp"
#include "src/jit/lanes/stream_point.hpp"

#include <array>
#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace skelrt::detail
{

using shared_point = std::shared_ptr<const stream_point>;

/// The streams of one device and what is under way in them. What its users are told is in cuda_queue.hpp.
///
/// Lifetime: as long as the process, for points refer to it; its streams live from start() to stop().
/// Threads: everything with `guard`. Points, once handed out, without.
class device_lanes
{
public:
    /// On the calling thread's device, unless they live.
    void start(std::size_t lanes);
    void stop() noexcept;
    bool has_started() const noexcept { return board_.has_value(); }

    /// The first lane, for calls.
    cudaStream_t stream_behind_all();
    void follow(cudaStream_t stream) const noexcept;
    /// Null: too many calls were left running.
    shared_point leave(const char* what);

    entered_lane enter(const lane_wish& w);
    /// Throws where there is no point after the kernels; then they have ended.
    left_lane leave_task(const entered_lane& l, const lane_wish& w, const char* what, cudaStream_t stream);

    /// Who uses the memory so goes behind these.
    std::vector<shared_point> in_use(const memory_use& m) const;
    std::vector<shared_point> all_running() const;

    std::mutex guard;

private:
    static constexpr std::size_t most_running = 16; ///< calls: enough to keep a GPU busy
    static constexpr std::size_t most_in_lane = 4;  ///< tasks; what is further ahead had better stay with the policy

    std::vector<shared_point> newest_left() const;
    void add_points(std::vector<shared_point>& to, const points& all) const;
    const shared_point& point_at(const point& p) const;
    void go_behind(std::size_t lane, const points& before);
    shared_point add_point(std::size_t lane, double expected_us, const char* what);
    void mark_calls();
    void look();

    std::vector<cudaStream_t> streams_; ///< the lanes
    cudaEvent_t kernels_ = nullptr;     ///< recorded and waited for at once
    std::optional<lane_board> board_;
    point_table table_;
    std::array<std::deque<shared_point>, most_lanes> under_way_; ///< as the board has it
    bool unmarked_ = false;                                      ///< calls' kernels in the first lane have no point
    std::array<shared_point, most_running> left_;                ///< by calls
    std::size_t next_ = 0;                                       ///< in `left_`, where the oldest is
    event_pool events_;                                          ///< used by points that outlive the streams
};

} // namespace skelrt::detail
