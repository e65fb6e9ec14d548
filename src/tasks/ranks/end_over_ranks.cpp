// SPDX-License-Identifier: BSD-3-Clause
#include "src/tasks/ranks/end_over_ranks.hpp"

#include "src/cluster/faults.hpp"
#include "src/cluster/peers.hpp"
#include "src/cluster/trees.hpp"
#include "src/data/faults/foreign_faults.hpp"
#include "src/lowering/engine.hpp"
#include "src/runtime/visit.hpp"
#include "src/tasks/ranks/part_messages.hpp"
#include "src/tasks/ranks/task_share.hpp"

#include <skelrt/error.hpp>

#include <fmt/format.h>

#include <cstring>
#include <span>
#include <utility>

namespace skelrt::detail
{

end_over_ranks::end_over_ranks(std::shared_ptr<task_body> body, int runner, std::string title, caller where,
                               unsigned ranks)
    : body_(std::move(body)), runner_(runner), title_(std::move(title)), where_(where), known_at_(ranks)
{
}

void end_over_ranks::bring_to(engine& e, int runner, bool with_result, unsigned number, const std::string& by)
{
    if (runner_ == task_share::everybody || runner_ == runner) return;
    if (with_result && !body_->result_size())
        throw skelrt::error(
            fmt::format("{}: it takes the result of {}, which rank {} runs, and that is no plain data that can "
                        "go to another rank; let the task write it to a container or an sk::scalar",
                        by, title_, runner_));
    std::vector<unsigned> to;
    for (unsigned rank = 0; rank < known_at_.size(); ++rank) {
        const bool wants = runner == task_share::everybody || static_cast<int>(rank) == runner;
        if (!wants || static_cast<int>(rank) == runner_ || known_at_[rank]) continue;
        known_at_[rank] = true;
        to.push_back(rank);
        if (static_cast<int>(rank) == e.cluster->rank())
            arrived_ = receive_result(e, body_, static_cast<unsigned>(runner_), number);
    }
    if (here_ && !to.empty()) send_result(e, body_, here_, to, number);
}

bool end_over_ranks::done() const noexcept { return (!here_ || here_->done()) && (!arrived_ || arrived_->done()); }

void end_over_ranks::wait() noexcept
{
    if (here_) here_->wait();
    if (arrived_) arrived_->wait();
}

void end_over_ranks::cancel() noexcept
{
    if (here_) here_->cancel();
}

std::exception_ptr end_over_ranks::error() noexcept
{
    if (failed_) return failed_;
    return here_ ? here_->error() : nullptr;
}

void end_over_ranks::join()
{
    if (std::exchange(joined_, true)) return;
    try {
        take_from_others();
    } catch (...) {
        failed_ = std::current_exception();
        throw;
    }
}

void end_over_ranks::take_from_others()
{
    const call_visit visit("sk::future::get");
    running& r = visit.runtime();
    if (!r.cluster)
        throw skelrt::error(
            fmt::format("sk::future::get: {} was of several ranks, and their sk::runtime has ended", title_));
    peers& others = *r.cluster;
    others.refuse_other_threads("sk::future::get", where_);
    others.calls.record(static_cast<std::uint64_t>(runner_ + 1), "sk::future::get", where_);
    r.order.flush(); // others may wait for these calls
    if (!body_->result_size())
        throw skelrt::error(
            fmt::format("sk::future::get: the result of {} is no plain data that can go to other ranks; "
                        "let the task write it to a container or an sk::scalar",
                        title_));
    std::exception_ptr wrong = here_ ? here_->error() : nullptr;
    throw_together(others, wrong ? wrong : settled_fault(foreign_));
    const std::size_t bytes = *body_->result_size();
    if (bytes == 0) {
        body_->result_place();
        return;
    }
    std::byte* const mine = body_->result_place();
    std::vector<std::byte> all(mine, mine + bytes);
    broadcast(others, all, runner_ == task_share::everybody ? 0 : runner_);
    if (std::memcmp(mine, all.data(), bytes) != 0) std::memcpy(mine, all.data(), bytes); // tasks may read it
}

} // namespace skelrt::detail
