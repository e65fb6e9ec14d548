#include "src/cluster/mpi/waits/watch.hpp"

#include "src/cluster/mpi/session.hpp"

#include <fmt/format.h>

#include <chrono>

namespace skelrt::detail
{

namespace
{

constexpr std::chrono::milliseconds nap{100};
/// That long nothing may happen before it counts as hopeless: messages that were sent may be on their way.
constexpr std::chrono::seconds hope{5};

} // namespace

watch::watch(roll& others, int rank, int ranks)
    : others_(others), rank_(rank), ranks_(ranks), thread_([this](const std::stop_token& stop) { go(stop); })
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
    using clock = std::chrono::steady_clock;
    std::uint64_t done = 0;
    auto since = clock::now();
    std::unique_lock lock(guard_);
    while (!stop.stop_requested()) {
        woken_.wait_for(lock, stop, nap, [] { return false; });
        others_.look();
        const std::string why = why_hopeless();
        if (const std::uint64_t now = messages_ ? messages_->done() : 0; why.empty() || now != done) {
            done = now;
            since = clock::now();
        } else if (clock::now() - since > hope) {
            abort_job(why);
        }
    }
}

std::string watch::why_hopeless()
{
    if (!messages_) return {};
    const auto failure = others_.failure();
    for (int r = 0; r < ranks_; ++r) {
        const long pending = messages_->pending(r);
        if (pending == 0) continue;
        if (failure) return *failure;
        if (const auto left = others_.left(r))
            return fmt::format("rank {} left its program after {}{}, and {} messages between it and rank {} are open",
                               r, text_of(left->last), left->under_exception ? ", with an exception under way" : "",
                               pending, rank_);
    }
    return {};
}

} // namespace skelrt::detail
