// SPDX-License-Identifier: BSD-3-Clause
#include "src/trace/deeds.hpp"

#include <unistd.h>

#include <array>

namespace skelrt::detail
{

namespace
{

std::atomic<deed_line*> lines{nullptr};
std::atomic<const deed_listener*> listener{nullptr};

/// GPUs' workers have small numbers.
constexpr int most_workers = 512;
struct device_line {
    deed_line deeds;
    std::atomic<int> tasks{0}; ///< under way
};
std::array<device_line, most_workers> devices;

deed_line& take_line() noexcept
{
    for (deed_line* l = lines.load(std::memory_order_acquire); l; l = l->next)
        if (!l->taken.load(std::memory_order_relaxed) && !l->taken.exchange(true, std::memory_order_acquire)) return *l;
    auto* const l = new deed_line;
    l->is_main = gettid() == getpid();
    l->next = lines.load(std::memory_order_relaxed);
    while (!lines.compare_exchange_weak(l->next, l, std::memory_order_release, std::memory_order_relaxed)) {}
    return *l;
}

seen_deed seen_in(const deed_line& l) noexcept
{
    const std::uint64_t word = l.word.load(std::memory_order_relaxed);
    seen_deed s;
    s.by = &l;
    s.number = static_cast<std::uint32_t>(word >> 32);
    s.what = static_cast<deed>(word & 0xff);
    s.name = l.name.load(std::memory_order_relaxed);
    s.row = static_cast<std::int16_t>(word >> 8);
    s.is_main = l.is_main;
    return s;
}

} // namespace

constinit thread_local deed_line* doing::mine = nullptr;

/// Gives the line back with the thread.
struct deed_keeper {
    ~deed_keeper()
    {
        if (doing::mine) doing::mine->taken.store(false, std::memory_order_release);
        doing::mine = nullptr;
    }
};

deed_line& doing::sit_down() noexcept
{
    thread_local deed_keeper keeper;
    static_cast<void>(&keeper);
    return *(mine = &take_line());
}

void doing::begin_range(deed what, const std::string& name) noexcept
{
    const deed_listener* const l = listener.load(std::memory_order_acquire);
    if (!l) return;
    is_range_ = true;
    l->begin(what, name);
}

void doing::end_range() noexcept { listener.load(std::memory_order_relaxed)->end(); }

void listen_to_deeds(const deed_listener& l) noexcept
{
    listener.store(&l, std::memory_order_release);
    observe(observer::profiler);
}

void kernels_begin(int worker, const std::string& name) noexcept
{
    if (worker < 0 || worker >= most_workers) return;
    device_line& d = devices[static_cast<std::size_t>(worker)];
    d.tasks.store(d.tasks.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    d.deeds.set(deed::kernels, &name, static_cast<std::int16_t>(worker));
}

void kernels_end(int worker) noexcept
{
    if (worker < 0 || worker >= most_workers) return;
    device_line& d = devices[static_cast<std::size_t>(worker)];
    const int before = d.tasks.load(std::memory_order_relaxed); // written by this thread alone
    if (before == 0) return;                                    // it was not looked at when they began
    d.tasks.store(before - 1, std::memory_order_relaxed);
    d.deeds.set(before == 1 ? deed::none : deed::kernels, d.deeds.name.load(std::memory_order_relaxed),
                static_cast<std::int16_t>(worker));
}

std::vector<seen_deed> look_at_deeds()
{
    std::vector<seen_deed> all;
    for (const deed_line* l = lines.load(std::memory_order_acquire); l; l = l->next)
        if (const seen_deed s = seen_in(*l); s.name && s.what != deed::none) all.push_back(s);
    for (const device_line& d : devices)
        if (const seen_deed s = seen_in(d.deeds); s.name) all.push_back(s);
    return all;
}

} // namespace skelrt::detail
