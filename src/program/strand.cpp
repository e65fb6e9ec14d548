// SPDX-License-Identifier: BSD-3-Clause
#include "src/program/strand.hpp"

#include <algorithm>
#include <mutex>
#include <unordered_map>
#include <utility>

namespace skelrt::detail
{

namespace
{

std::mutex guard; ///< of all strands, and of the clock
std::uint64_t last_time = 0;

struct place {
    std::shared_ptr<strand> at;
    bool known = true; ///< and null: a thread that has done nothing yet
};

/// Never destroyed: containers may end after the thread's variables.
place& here()
{
    thread_local constinit place* mine = nullptr;
    if (!mine) mine = new place;
    return *mine;
}

} // namespace

strand::strand(std::shared_ptr<work_order> of, std::string name) : of_(std::move(of)), name_(std::move(name)) {}

moment now()
{
    place& p = here();
    if (!p.known) return {};
    if (!p.at) p.at = std::make_shared<strand>();
    const std::lock_guard lock(guard);
    return {p.at, ++last_time};
}

/// Up from `to`: what its farm was started after, and so on.
bool strand::is_within(const strand& from, std::uint64_t time, const moment& to)
{
    std::uint64_t until = to.time;
    for (const strand* s = to.on.get(); s; s = s->of_->begun.on.get()) {
        if (s == &from && time <= until) return true;
        if (!s->of_) return false;
        until = s->of_->begun.time;
    }
    return false;
}

/// `to` knows what had been done until `from`: by its strand, and by those that had started it.
void strand::tell(moment from, const moment& to)
{
    while (from.on && from.on != to.on) {
        from.on->known_to_.push_back({from.time, to});
        if (!from.on->of_) return;
        from = from.on->of_->begun;
    }
}

/// A search along what others knew of it, and what these did afterwards.
bool strand::leads_to(const strand& from, std::uint64_t time, const moment& to)
{
    struct start {
        const strand* on;
        std::uint64_t time;
    };
    std::vector<start> open{{&from, time}};
    std::unordered_map<const strand*, std::uint64_t> seen; // from when on
    while (!open.empty()) {
        const start next = open.back();
        open.pop_back();
        if (next.time > to.time) continue;
        const auto [known, is_new] = seen.try_emplace(next.on, next.time);
        if (!is_new && known->second <= next.time) continue;
        known->second = next.time;
        if (is_within(*next.on, next.time, to)) return true;
        for (const edge& e : next.on->known_to_)
            if (next.time <= e.from) open.push_back({e.to.on.get(), e.to.time});
        if (next.on->of_)
            for (const moment& m : next.on->of_->awaited) open.push_back({m.on.get(), m.time});
    }
    return false;
}

bool is_before(const moment& a, const moment& b)
{
    const std::lock_guard lock(guard);
    return strand::leads_to(*a.on, a.time, b);
}

bool have_one_root(const moment& a, const moment& b)
{
    const auto root = [](const strand* s) {
        while (s && s->of_) s = s->of_->begun.on.get();
        return s;
    };
    return a.on && b.on && root(a.on.get()) == root(b.on.get());
}

std::shared_ptr<work_order> order_of_new_work()
{
    if (!watches_races()) return nullptr;
    auto made = std::make_shared<work_order>();
    made->begun = now();
    return made;
}

void note_awaited(const std::shared_ptr<work_order>& work)
{
    if (!work) return;
    const moment m = now();
    if (!m.on || !work->begun.on) return;
    const std::lock_guard lock(guard);
    if (std::ranges::any_of(work->awaited, [&](const moment& earlier) { return earlier.on == m.on; })) return;
    work->awaited.push_back(m);
    strand::tell(work->begun, m);
}

void note_end_known(const std::shared_ptr<strand>& of)
{
    if (!of) return;
    const moment m = now();
    if (!m.on) return;
    const std::lock_guard lock(guard);
    strand::tell({of, m.time}, m);
}

in_strand::in_strand(std::shared_ptr<strand> s) : outer_(std::move(here().at)), outer_known_(here().known)
{
    here() = {s, s != nullptr};
}

in_strand::~in_strand() { here() = {std::move(outer_), outer_known_}; }

} // namespace skelrt::detail
