// SPDX-License-Identifier: BSD-3-Clause
#include <skelrt/detail/element_costs.hpp>

#include <algorithm>

namespace skelrt::detail
{

namespace
{

constexpr auto relaxed = std::memory_order_relaxed;

bool is_like(float a, float b) { return a <= 2 * b && b <= 2 * a; }

} // namespace

/// Of the process, not of knowledge: call sites live as long, and nobody knows them all.
std::atomic<unsigned> element_costs::newest_generation_{0};
static_assert(std::atomic<element_costs::cost>::is_always_lock_free);

void element_costs::clear() noexcept
{
    for (auto& c : by_order_) c.store({}, relaxed);
    generation_.store(newest_generation_.load(relaxed), relaxed);
}

void element_costs::set(std::size_t elements, double ns) noexcept
{
    if (is_forgotten()) clear();
    by_order_[order_of(elements)].store({static_cast<float>(ns), ns > 0 ? untested : 0}, relaxed);
}

float element_costs::near(std::size_t elements) const noexcept
{
    if (is_forgotten()) return -1;
    const std::size_t here = order_of(elements);
    for (std::size_t k = here; k < orders; ++k)
        if (const cost c = by_order_[k].load(relaxed); c.known()) return c.ns;
    const std::size_t least = std::min(order_of(telling_elements), here - std::min(here, order_of(as_many_more)));
    for (std::size_t k = here; k-- > least;)
        if (const cost c = by_order_[k].load(relaxed); c.known()) return c.ns;
    return -1;
}

element_costs::lesson element_costs::note(std::size_t elements, double took_ns) noexcept
{
    const cost now = of(elements);
    if (!now.known() || !(took_ns > 0)) return lesson::none;
    const auto ns = static_cast<float>(took_ns);
    auto& here = by_order_[order_of(elements)];
    if (is_like(ns, now.ns)) {
        here.store({now.ns + (ns - now.ns) / 8, 0}, relaxed);
        return now.sure() ? lesson::none : lesson::confirmed;
    }
    const bool again = now.doubted > 0 && (now.doubted > now.ns) == (ns > now.ns);
    const float least = again ? std::min(ns, now.doubted) : ns; // what goes wrong only makes times longer
    const unsigned doubts = again ? doubts_.load(relaxed) + 1 : 1;
    doubts_.store(doubts, relaxed);
    if (doubts < (ns > now.ns ? patience_ : std::min(patience_, 2u))) {
        here.store({now.ns, least}, relaxed);
        return lesson::none;
    }
    clear();
    here.store({least, 0}, relaxed);
    return lesson::corrected;
}

bool element_costs::is_worth_a_try(double loss_us, double call_us) noexcept
{
    constexpr double bearable = 0.01;
    if (const std::uint32_t left = tries_left_.load(relaxed)) {
        tries_left_.store(left - 1, relaxed);
        return true;
    }
    const std::uint32_t calls = passed_over_.load(relaxed) + 1;
    const bool paid = bearable * calls * call_us >= loss_us * patience_;
    passed_over_.store(paid ? 0 : calls, relaxed);
    if (paid) tries_left_.store(patience_ - 1, relaxed);
    return paid;
}

void element_costs::forget_all() noexcept { newest_generation_.fetch_add(1, relaxed); }

} // namespace skelrt::detail
