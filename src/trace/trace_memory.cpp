// SPDX-License-Identifier: BSD-3-Clause
#include "src/trace/trace_memory.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <new>

namespace skelrt::detail
{

void trace_memory::block::add(const trace_record& r) noexcept
{
    const std::uint32_t at = used_.load(std::memory_order_relaxed);
    slots_[at].first = r;
    slots_[at].end_ns.store(r.end_ns, std::memory_order_relaxed);
    slots_[at].times.store(r.times, std::memory_order_relaxed);
    used_.store(at + 1, std::memory_order_release);
}

void trace_memory::block::extend(std::uint64_t end_ns, std::uint32_t more) noexcept
{
    slot& s = slots_[used_.load(std::memory_order_relaxed) - 1];
    s.end_ns.store(end_ns, std::memory_order_relaxed);
    s.times.store(s.times.load(std::memory_order_relaxed) + more, std::memory_order_relaxed);
}

std::uint64_t trace_memory::block::newest_end_ns() const noexcept
{
    return slots_[used_.load(std::memory_order_relaxed) - 1].end_ns.load(std::memory_order_relaxed);
}

trace_memory::trace_memory(std::size_t bytes) : bytes_(bytes), blocks_(bytes / sizeof(block))
{
    memory_ = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory_ == MAP_FAILED) throw std::bad_alloc();
    held_.reserve(64);
}

trace_memory::~trace_memory() { munmap(memory_, bytes_); }

trace_memory::block* trace_memory::take(std::uint32_t thread) noexcept
{
    const std::lock_guard lock(guard_);
    block* b = nullptr;
    if (made_ < blocks_) {
        b = new (static_cast<block*>(memory_) + made_++) block;
    } else if (!put_away_.empty()) {
        b = put_away_.front();
        put_away_.pop_front();
        lost_.fetch_add(b->used_.load(std::memory_order_relaxed), std::memory_order_relaxed);
        b->used_.store(0, std::memory_order_relaxed);
    } else {
        return nullptr;
    }
    b->thread_ = thread;
    held_.push_back(b);
    return b;
}

void trace_memory::give(block& b) noexcept
{
    const std::lock_guard lock(guard_);
    std::erase(held_, &b);
    put_away_.push_back(&b);
}

std::vector<trace_memory::entry> trace_memory::all() const
{
    const std::lock_guard lock(guard_);
    std::vector<entry> entries;
    const auto read = [&](const block& b) {
        const std::uint32_t used = b.used_.load(std::memory_order_acquire);
        for (std::uint32_t i = 0; i < used; ++i) {
            entry& e = entries.emplace_back(entry{b.thread_, b.slots_[i].first});
            e.what.end_ns = b.slots_[i].end_ns.load(std::memory_order_relaxed);
            e.what.times = b.slots_[i].times.load(std::memory_order_relaxed);
        }
    };
    for (const block* b : put_away_) read(*b);
    for (const block* b : held_) read(*b);
    return entries;
}

} // namespace skelrt::detail
