// SPDX-License-Identifier: BSD-3-Clause
#include "src/cluster/network/rank_clocks.hpp"

#include <algorithm>

namespace skelrt::detail
{

namespace
{

void raise(clocks& all, const clocks& to)
{
    for (std::size_t rank = 0; rank < all.size(); ++rank) all[rank] = std::max(all[rank], to[rank]);
}

} // namespace

rank_clocks::rank_clocks(const network_peaks& n, unsigned ranks)
    : wires_(ranks), program_(ranks), devices_(ranks), totals_(ranks)
{
    if (ranks == 1) return;
    messages_ = cost_of_messages(n);
    values_ = cost_of_values(n);
}

rank_clocks::written& rank_clocks::of_container(std::size_t number)
{
    if (number >= written_.size()) {
        const clocks never(program_.size());
        written_.resize(number + 1, {never, never});
    }
    return written_[number];
}

double rank_clocks::do_share(unsigned rank, double us, double edges_us, double others_there)
{
    totals_[rank].share_us += us;
    double& busy = devices_[rank];
    const double begin = std::max(program_[rank], busy);
    if (edges_us <= 0) return busy = std::max(begin, others_there) + us;
    const bool edges_first = others_there <= begin;
    busy = edges_first ? begin + us : std::max(begin + us - edges_us, others_there) + edges_us;
    return edges_first ? begin + edges_us : busy;
}

void rank_clocks::send(const phase& p, const message_cost& c, const clocks& ready, clocks& arrived)
{
    for (const message& m : p.messages) {
        ++totals_[m.from].messages_sent;
        totals_[m.from].bytes_sent += m.bytes;
    }
    raise(arrived, wires_.exchange(c, p.messages, ready));
}

clocks rank_clocks::when_programs_wait(const call_phases& c) const
{
    clocks at = program_;
    for (std::size_t rank = 0; rank < at.size(); ++rank)
        if (c.share_us[rank] > 0) at[rank] = std::max(at[rank], devices_[rank]);
    return at;
}

void rank_clocks::wait_together(const call_phases& c, clocks (*after)(const message_cost&, double, clocks),
                                double bytes)
{
    program_ = after(values_, bytes, when_programs_wait(c));
}

void rank_clocks::play(const call_phases& c, std::span<const std::size_t> operands,
                       std::span<const std::size_t> results)
{
    clocks there(program_.size()), delivered(program_.size()), edges;
    for (const phase& p : c.phases) switch (p.kind) {
        case phase::what::exchange: {
            const written& held = of_container(operands[p.operand]);
            clocks ready = p.of_edges ? held.edges : held.all;
            raise(ready, program_);
            send(p, messages_, ready, there);
            break;
        }
        case phase::what::share:
            edges = program_;
            for (unsigned rank = 0; rank < there.size(); ++rank) {
                const double us = p.shares * c.share_us[rank];
                if (us <= 0) continue;
                edges[rank] = do_share(rank, us, c.edges_us.empty() ? 0 : c.edges_us[rank], there[rank]);
            }
            break;
        case phase::what::gather:
            wait_together(c, &after_all_gather, p.bytes);
            break;
        case phase::what::join:
            wait_together(c, &after_join, p.bytes);
            break;
        case phase::what::swap: {
            const clocks ready = when_programs_wait(c);
            program_ = ready;
            send(p, values_, ready, program_);
            break;
        }
        case phase::what::deliver:
            send(p, messages_, when_programs_wait(c), delivered);
            break;
        }
    for (std::size_t rank = 0; rank < c.extra_bytes.size(); ++rank)
        totals_[rank].most_extra_bytes = std::max(totals_[rank].most_extra_bytes, c.extra_bytes[rank]);
    const clocks done = when_programs_wait(c);
    for (const std::size_t number : results) {
        written& now = of_container(number);
        now.all = now.edges = done;
        if (!c.edges_us.empty()) now.edges = edges;
        raise(now.all, delivered);
        raise(now.edges, delivered);
    }
}

double rank_clocks::end() const
{
    double last = std::max(std::ranges::max(program_), std::ranges::max(devices_));
    for (const written& w : written_) last = std::max(last, std::ranges::max(w.all));
    return last;
}

} // namespace skelrt::detail
