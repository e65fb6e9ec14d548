// SPDX-License-Identifier: BSD-3-Clause
#include "src/jit/lanes/device_lanes.hpp"

#include <utility>

namespace skelrt::detail
{

void device_lanes::start(std::size_t lanes)
{
    if (board_) return;
    while (streams_.size() < lanes) check_cuda(cudaStreamCreate(&streams_.emplace_back()), "no stream");
    check_cuda(cudaEventCreateWithFlags(&kernels_, cudaEventDisableTiming), "no event");
    board_.emplace(lanes);
}

void device_lanes::stop() noexcept
{
    if (!board_) return;
    for (cudaStream_t s : streams_) cudaStreamSynchronize(s);
    for (cudaStream_t s : streams_) cudaStreamDestroy(s);
    cudaEventDestroy(std::exchange(kernels_, nullptr));
    streams_.clear();
    left_ = {};
    under_way_ = {};
    table_ = {};
    unmarked_ = false;
    board_.reset();
}

cudaStream_t device_lanes::stream_behind_all()
{
    go_behind(0, board_->newest());
    unmarked_ = board_->lanes() > 1;
    return streams_[0];
}

void device_lanes::follow(cudaStream_t stream) const noexcept
{
    cudaEventRecord(kernels_, streams_[0]);
    cudaStreamWaitEvent(stream, kernels_, 0);
}

shared_point device_lanes::leave(const char* what)
{
    shared_point& oldest = left_[next_];
    if (oldest && !oldest->done()) return nullptr;
    oldest = std::make_shared<const stream_point>(events_, streams_[0], what);
    shared_point mine = oldest;
    next_ = (next_ + 1) % most_running;
    return mine;
}

entered_lane device_lanes::enter(const lane_wish& w)
{
    if (board_->lanes() == 1) return {streams_[0], 0, true};
    look();
    mark_calls();
    points before = board_->barrier();
    for (const memory_use& m : w.memory) add_to(before, table_.before(m));
    const std::size_t lane = w.may_leave ? board_->choose(before) : 0;
    if (w.alone) before = board_->newest();
    go_behind(lane, before);
    return {streams_[lane], lane, w.alone || board_->is_idle_but_for(lane)};
}

left_lane device_lanes::leave_task(const entered_lane& l, const lane_wish& w, const char* what, cudaStream_t stream)
{
    if (board_->lanes() == 1) {
        follow(stream);
        return {};
    }
    try {
        const auto& lane = under_way_[l.lane];
        if (lane.size() >= most_in_lane) lane[lane.size() - most_in_lane]->go_before(stream);
        shared_point mine = add_point(l.lane, w.expected_us, what);
        const point number{l.lane, board_->newest()[l.lane]};
        for (const memory_use& m : w.memory) table_.add(m, number);
        if (w.alone) board_->add_barrier(number);
        if (w.may_leave) return {std::move(mine), board_->busy_us()};
        mine->go_before(stream);
        return {};
    } catch (...) {
        cudaStreamSynchronize(streams_[l.lane]);
        throw;
    }
}

std::vector<shared_point> device_lanes::in_use(const memory_use& m) const
{
    std::vector<shared_point> all = newest_left();
    if (board_) add_points(all, table_.before(m));
    return all;
}

std::vector<shared_point> device_lanes::all_running() const
{
    std::vector<shared_point> all = newest_left();
    if (board_) add_points(all, board_->newest());
    return all;
}

/// By calls.
std::vector<shared_point> device_lanes::newest_left() const
{
    const shared_point& newest = left_[(next_ + most_running - 1) % most_running];
    if (!newest || newest->done()) return {};
    return {newest};
}

void device_lanes::add_points(std::vector<shared_point>& to, const points& all) const
{
    for (std::size_t lane = 0; lane < streams_.size(); ++lane)
        if (all[lane] > board_->passed()[lane]) to.push_back(point_at({lane, all[lane]}));
}

const shared_point& device_lanes::point_at(const point& p) const
{
    return under_way_[p.lane][p.number - board_->passed()[p.lane] - 1];
}

void device_lanes::go_behind(std::size_t lane, const points& before)
{
    const points missing = board_->catch_up(lane, before);
    for (std::size_t other = 0; other < streams_.size(); ++other)
        if (missing[other] > 0) point_at({other, missing[other]})->go_before(streams_[lane]);
}

/// After what is in the lane so far.
shared_point device_lanes::add_point(std::size_t lane, double expected_us, const char* what)
{
    auto made = std::make_shared<const stream_point>(events_, streams_[lane], what);
    under_way_[lane].push_back(made);
    board_->add(lane, expected_us);
    return made;
}

/// Kernels of calls, which have used who knows what, get a point when it matters.
void device_lanes::mark_calls()
{
    if (!std::exchange(unmarked_, false)) return;
    add_point(0, 0, "calls");
    board_->add_barrier({0, board_->newest()[0]});
}

/// What has ended by now.
void device_lanes::look()
{
    for (std::size_t lane = 0; lane < streams_.size(); ++lane)
        for (auto& waiting = under_way_[lane]; !waiting.empty() && waiting.front()->done(); waiting.pop_front())
            board_->pass_one(lane);
    table_.forget(board_->passed());
}

} // namespace skelrt::detail
