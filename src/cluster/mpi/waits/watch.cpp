// SPDX-License-Identifier: BSD-3-Clause
#include "src/cluster/mpi/waits/watch.hpp"

#include "src/cluster/mpi/session.hpp"

#include <fmt/format.h>

namespace skelrt::detail
{

namespace
{

constexpr std::chrono::milliseconds nap{100};
/// That long nothing may happen before it counts as hopeless: messages that were sent may be on their way.
constexpr std::chrono::seconds hope{5};

} // namespace

watch::watch(const wait_ground& ground, int ranks, const std::atomic<int>* asleep)
    : ground_(ground), ranks_(ranks), asleep_(asleep), thread_([this](const std::stop_token& stop) { go(stop); })
{
}

watch::~watch()
{
    thread_.request_stop();
    thread_.join();
}

void watch::look_at(const data_plane* messages)
{
    const std::lock_guard lock(guard_);
    messages_ = messages;
}

void watch::go(const std::stop_token& stop)
{
    roll_caller patience(ground_.others, ground_.patience);
    std::unique_lock lock(guard_);
    while (!stop.stop_requested()) {
        woken_.wait_for(lock, stop, nap, [] { return false; });
        ground_.others.look();
        look(patience);
    }
}

void watch::look(roll_caller& patience)
{
    const int with = open_with();
    const bool waits = with >= 0 && asleep_ && asleep_->load(std::memory_order_acquire) > 0;
    if (waits) said_ = {true, with, ground_.calls.copy_newest()}; // the program's thread may wake up meanwhile
    if (waits || said_.waits) {
        said_.waits = waits;
        ground_.others.set_place(said_);
    }

    const auto now = std::chrono::steady_clock::now();
    const std::uint64_t done = messages_ ? messages_->done() : 0;
    if (with < 0 || done != done_) since_ = now;
    if (!waits || done != done_) patience.reset();
    done_ = done;
    if (const std::string why = why_hopeless(with); !why.empty() && now - since_ > hope) abort_job(why);
    if (!waits) return;
    const auto found = patience.conclusion();
    if (found && found->what == roll_call_result::go_on) ground_.warn(found->text.c_str());
    else if (found) abort_job(found->text);
}

int watch::open_with() const
{
    for (int r = 0; messages_ && r < ranks_; ++r)
        if (messages_->pending(r) > 0) return r;
    return -1;
}

std::string watch::why_hopeless(int with) const
{
    if (with < 0) return {};
    if (const auto failure = ground_.others.failure()) return *failure;
    for (int r = with; r < ranks_; ++r)
        if (const auto left = ground_.others.left(r); left && messages_->pending(r) > 0)
            return fmt::format("rank {} left its program after {}{}, and {} messages between it and rank {} are open",
                               r, text_of(left->last), left->under_exception ? ", with an exception under way" : "",
                               messages_->pending(r), ground_.rank);
    return {};
}

} // namespace skelrt::detail
