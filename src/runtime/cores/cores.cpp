// SPDX-License-Identifier: BSD-3-Clause
#include "src/runtime/cores/cores.hpp"

#include <algorithm>

namespace skelrt::detail
{

void core_book::reset(int cores) noexcept
{
    all_ = {};
    for (int k = 0; k < cores; ++k) all_.add(k);
    used_ = (static_cast<std::size_t>(cores) + core_set::in_word - 1) / core_set::in_word;
    for (word& w : words_) {
        w.taken.store(0);
        w.wanted.store(0);
    }
}

bool core_book::take(int core) noexcept
{
    const std::uint64_t bit = core_set::bit(core);
    word& w = at(core);
    if (w.taken.fetch_or(bit) & bit) {
        w.wanted.fetch_or(bit);
        if (w.taken.fetch_or(bit) & bit) return false; // whoever gives it back from now on sees that it is wanted
    }
    forget(core);
    return true;
}

void core_book::give_back(int core) noexcept { at(core).taken.fetch_and(~core_set::bit(core)); }

void core_book::forget(int core) noexcept
{
    word& w = at(core);
    if (w.wanted.load(std::memory_order_relaxed) & core_set::bit(core)) w.wanted.fetch_and(~core_set::bit(core));
}

bool core_book::try_take(int core) noexcept
{
    word& w = at(core);
    const std::uint64_t bit = core_set::bit(core);
    if ((w.wanted.load() | w.taken.load(std::memory_order_relaxed)) & bit) return false;
    return !(w.taken.fetch_or(bit) & bit);
}

std::uint64_t core_book::free_in(std::size_t k) const noexcept
{
    const word& w = words_[k];
    return all_.words_[k] & ~w.wanted.load() & ~w.taken.load(std::memory_order_relaxed);
}

int core_book::take_last_free() noexcept
{
    for (std::size_t k = used_; k-- > 0;) {
        for (std::uint64_t free = free_in(k); free; free &= ~std::bit_floor(free)) {
            const auto last = static_cast<std::size_t>(std::bit_width(free)) - 1;
            const int core = static_cast<int>(k * core_set::in_word + last);
            if (try_take(core)) return core;
        }
    }
    return -1;
}

int core_book::count_free() const noexcept
{
    int n = 0;
    for (std::size_t k = 0; k < used_; ++k)
        n += std::popcount(all_.words_[k] & ~words_[k].taken.load(std::memory_order_relaxed));
    return n;
}

core_set core_book::take_free(const core_set& but) noexcept
{
    core_set mine;
    for (std::size_t k = 0; k < used_; ++k) {
        const std::uint64_t free = free_in(k) & ~but.words_[k];
        if (free) mine.words_[k] = free & ~words_[k].taken.fetch_or(free);
    }
    return mine;
}

bool core_book::give_back(const core_set& cores) noexcept
{
    bool wanted = false;
    for (std::size_t k = 0; k < used_; ++k) {
        const std::uint64_t back = cores.words_[k];
        if (!back) continue;
        words_[k].taken.fetch_and(~back);
        wanted = wanted || (words_[k].wanted.load() & back);
    }
    return wanted;
}

void core_guests::reset() noexcept
{
    for (word& w : there_) w.store(0);
}

void core_guests::stay(lease& mine, int core, ticks until) noexcept
{
    if (mine.core != core) go(mine);
    mine = {core, until};
    end_of(core).store(until); // then the look at the word: either it finds the core there, or remains() the new end
    if (!(at(core).load() & core_set::bit(core))) at(core).fetch_or(core_set::bit(core));
}

void core_guests::go(lease& mine) noexcept
{
    if (mine.core < 0) return;
    ticks its = mine.end;
    end_of(mine.core).compare_exchange_strong(its, ticks{});
    mine = {};
}

bool core_guests::may_be() const noexcept
{
    return std::ranges::any_of(there_, [](const word& w) { return w.load(std::memory_order_relaxed) != 0; });
}

bool core_guests::remains(int core, ticks now) noexcept
{
    if (end_of(core).load() > now) return true;
    at(core).fetch_and(~core_set::bit(core));
    if (end_of(core).load() <= now) return false;
    at(core).fetch_or(core_set::bit(core)); // renewed in between
    return true;
}

core_set core_guests::all(ticks now) noexcept
{
    core_set here;
    for (std::size_t k = 0; k < there_.size(); ++k)
        for (std::uint64_t left = there_[k].load(); left; left &= left - 1) {
            const int core = static_cast<int>(k * core_set::in_word) + std::countr_zero(left);
            if (remains(core, now)) here.add(core);
        }
    return here;
}

void core_use::reset(int cores)
{
    book_.reset(cores);
    takers_.assign(static_cast<std::size_t>(cores), {});
}

bool core_use::take(int core) noexcept
{
    taker& t = takers_[static_cast<std::size_t>(core)];
    if (t.what != taker::has) t.what = book_.take(core) ? taker::has : taker::wants;
    return t.what == taker::has;
}

void core_use::leave(int core) noexcept
{
    taker& t = takers_[static_cast<std::size_t>(core)];
    if (t.what == taker::has) book_.give_back(core);
    if (t.what == taker::wants) book_.forget(core);
    t.what = taker::nothing;
}

void core_use::await(int core) noexcept
{
    constexpr std::chrono::milliseconds as_workers_do{16}; // StarPU may want the worker for something else
    const std::uint32_t seen = returned_.load();
    if (book_.is_taken(core)) returned_.sleep_while(seen, as_workers_do);
}

void core_use::give_back(const core_set& region) noexcept
{
    if (!book_.give_back(region)) return;
    returned_.add(1);
    returned_.wake();
}

void core_use::give_back(int held) noexcept
{
    core_set one;
    one.add(held);
    give_back(one);
}

} // namespace skelrt::detail
