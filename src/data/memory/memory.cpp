// SPDX-License-Identifier: BSD-3-Clause
#include "src/data/memory/memory.hpp"

#include "src/runtime/memory/small_memory.hpp"

#include <skelrt/error.hpp>

#include <fmt/format.h>
#include <starpu.h>

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstdlib>
#include <map>
#include <mutex>
#include <new>
#include <utility>

namespace skelrt::detail
{

namespace
{

constexpr std::size_t block_align = 128; ///< as the elements of any type may want it
constexpr std::size_t huge_page = std::size_t{2} << 20;
constexpr std::size_t large = std::size_t{1} << 20; ///< from here on pages are mapped and kept
constexpr std::size_t worth_pinning = 4096;
/// The C library gives the end of its heap back to the system and gets it anew, page by page, with each result that
/// comes and
/// goes: a sweep of over-relaxation over 30 000 doubles took 56 us instead of 16.
constexpr std::size_t many_pages = std::size_t{64} << 10;
/// Of blocks below `large` so much is kept: those of many pages, and smaller ones that are pinned, which takes a
/// hundred microseconds. Results that come and go with each call are of few sizes.
constexpr std::size_t most_kept_small = std::size_t{64} << 20;

/// Large blocks begin at different places of a page. Where all begin with a page, a loop that stores element i of one
/// container and then loads element i + 1 of another has addresses with equal low bits, and processors take the load
/// for one of what was just stored ("4K aliasing").
constexpr std::size_t stagger_step = 5 * block_align, stagger_places = 12;

std::mutex kept_guard;
std::multimap<std::size_t, memory_block> kept_blocks; ///< by size
std::size_t kept_in_all = 0, kept_small = 0;          ///< of all; of those below `large`
std::atomic<std::size_t> used_bytes{0};

std::mutex counts_guard;
block_counts in_use, copied; ///< large ones

std::size_t machine_bytes()
{
    static const std::size_t bytes =
        static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    return bytes;
}

std::size_t round_up_to(std::size_t step, std::size_t bytes) { return (bytes + step - 1) / step * step; }

/// Four sizes between a power of two and the next. What grows a little with each call finds the block of two calls
/// before. Pages that nobody touches cost nothing; those of pinned blocks do, so very large ones are not rounded.
std::size_t round_to_class(std::size_t bytes)
{
    constexpr std::size_t most = std::size_t{64} << 20;
    return bytes < many_pages || bytes > most ? bytes : round_up_to(std::bit_floor(bytes) / 4, bytes);
}

std::size_t round_up(std::size_t bytes)
{
    const std::size_t rounded = round_to_class(bytes);
    if (bytes > large - block_align) return round_up_to(huge_page, rounded + stagger_step * stagger_places);
    return std::min(round_up_to(block_align, rounded), large - block_align);
}

/// A mapping that starts on a huge page: map one page more and cut.
void* map_pages(std::size_t bytes)
{
    void* p =
        mmap(nullptr, bytes + huge_page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED) return nullptr;
    const auto start = reinterpret_cast<std::uintptr_t>(p);
    const auto aligned = (start + huge_page - 1) / huge_page * huge_page;
    if (aligned > start) munmap(p, aligned - start);
    const auto end = start + bytes + huge_page;
    if (end > aligned + bytes) munmap(reinterpret_cast<void*>(aligned + bytes), end - aligned - bytes);
    madvise(reinterpret_cast<void*>(aligned), bytes, MADV_HUGEPAGE);
    static std::atomic<std::size_t> count{0};
    return reinterpret_cast<std::byte*>(aligned) + count++ % stagger_places * stagger_step;
}

/// Where the memory of a block begins.
void* start_of(const memory_block& b)
{
    if (b.bytes < large) return b.data;
    return reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(b.data) / huge_page * huge_page);
}

void give_back(const memory_block& b) noexcept
{
    if (b.pinned) starpu_memory_unpin(start_of(b), b.bytes);
    if (b.bytes >= large) munmap(start_of(b), b.bytes);
    else std::free(b.data);
}

/// The largest that is taken for so many bytes, rounded up. What a program computes of one part of its data after the
/// other has a new size each time.
constexpr std::size_t largest_for(std::size_t rounded) noexcept { return rounded + rounded / 4; }

/// Of a rounded size. Under the guard.
auto find_kept(std::size_t rounded)
{
    const auto it = kept_blocks.lower_bound(rounded);
    return it != kept_blocks.end() && it->first <= largest_for(rounded) ? it : kept_blocks.end();
}

memory_block take_kept(std::size_t rounded)
{
    std::lock_guard lock(kept_guard);
    const auto it = find_kept(rounded);
    if (it == kept_blocks.end()) return {};
    const memory_block b = it->second;
    kept_in_all -= b.bytes;
    if (b.bytes < large) kept_small -= b.bytes;
    kept_blocks.erase(it);
    return b;
}

/// False: there is no room for more.
bool keep(const memory_block& b)
{
    const bool small = b.bytes < large;
    if (b.bytes < many_pages && !b.pinned) return false;
    std::lock_guard lock(kept_guard);
    if (kept_in_all + b.bytes > machine_bytes() / 4 || (small && kept_small + b.bytes > most_kept_small)) return false;
    kept_in_all += b.bytes;
    if (small) kept_small += b.bytes;
    kept_blocks.emplace(b.bytes, b);
    return true;
}

/// Gives it its number among those of its size.
void count(memory_block& b)
{
    if (b.bytes < large) return;
    const std::lock_guard lock(counts_guard);
    b.nth = ++in_use[b.bytes];
}

void count_out(const memory_block& b) noexcept
{
    if (b.bytes < large) return;
    const std::lock_guard lock(counts_guard);
    --in_use[b.bytes];
}

void note_copied(memory_block& b) noexcept
try {
    if (b.nth == 0) return;
    const std::lock_guard lock(counts_guard);
    std::uint32_t& most = copied[b.bytes];
    most = std::max(most, std::exchange(b.nth, 0));
} catch (const std::bad_alloc&) { // the next process takes its pages when it wants them
}

} // namespace

bool suits(const memory_block& b, std::size_t bytes) noexcept
{
    const std::size_t rounded = round_up(bytes);
    return b.bytes >= rounded && b.bytes <= largest_for(rounded);
}

bool is_block_kept(std::size_t bytes) noexcept
{
    std::lock_guard lock(kept_guard);
    return find_kept(round_up(bytes)) != kept_blocks.end();
}

memory_block allocate_block(std::size_t bytes)
{
    const std::size_t size = round_up(bytes);
    memory_block b;
    if (size >= bytes && size <= machine_bytes()) {
        if (size >= worth_pinning) b = take_kept(size);
        if (!b.data) b = {size >= large ? map_pages(size) : std::aligned_alloc(block_align, size), size, false};
    }
    if (!b.data)
        throw error(fmt::format(
            "a container of {} bytes ({:.1f} GiB) does not fit: this machine has {:.1f} GiB of memory", bytes,
            static_cast<double>(bytes) / (1ull << 30), static_cast<double>(machine_bytes()) / (1ull << 30)));
    count(b);
    used_bytes += b.bytes;
    return b;
}

memory_block allocate_pinned(std::size_t bytes)
{
    if (bytes <= large)
        if (void* const part = take_of_chunk(bytes)) return {part, bytes, true, true};
    memory_block b = allocate_block(bytes);
    if (starpu_cuda_worker_get_count() > 0) pin_block(b);
    return b;
}

void free_block(const memory_block& b) noexcept
{
    if (!b.data) return;
    if (b.of_chunk) return give_back_to_chunk(b.data, b.bytes);
    used_bytes -= b.bytes;
    count_out(b);
    if (!keep(b)) give_back(b);
}

void pin_block(memory_block& b) noexcept
{
    note_copied(b);
    if (b.pinned || b.bytes < worth_pinning) return;
    b.pinned = starpu_memory_pin(start_of(b), b.bytes) == 0;
}

void unpin_block(memory_block& b) noexcept
{
    if (b.pinned) starpu_memory_unpin(start_of(b), b.bytes);
    b.pinned = false;
}

bool is_untouched(const memory_block& b, std::size_t used_bytes) noexcept
{
    if (b.bytes < large || b.pinned) return false;
    constexpr std::uintptr_t page = 4096;
    const auto middle = reinterpret_cast<std::uintptr_t>(b.data) + used_bytes / 2;
    unsigned char there = 1;
    return mincore(reinterpret_cast<void*>(middle / page * page), 1, &there) == 0 && (there & 1) == 0;
}

void drop_kept_blocks() noexcept
{
    std::lock_guard lock(kept_guard);
    for (const auto& [size, b] : kept_blocks) give_back(b);
    kept_blocks.clear();
    kept_in_all = kept_small = 0;
}

block_counts copied_blocks()
{
    const std::lock_guard lock(counts_guard);
    return copied;
}

void keep_fresh_block(std::size_t bytes)
{
    constexpr std::size_t page = 4096;
    const memory_block b{map_pages(bytes), bytes};
    if (!b.data) return;
    auto* const first = static_cast<volatile char*>(start_of(b));
    for (std::size_t at = 0; at < bytes; at += page) first[at] = 0;
    if (!keep(b)) give_back(b);
}

std::size_t pin_kept_blocks() noexcept
{
    std::size_t pinned = 0;
    const std::lock_guard lock(kept_guard);
    for (auto& [size, b] : kept_blocks) {
        if (size < large || b.pinned) continue;
        b.pinned = starpu_memory_pin(start_of(b), size) == 0;
        pinned += b.pinned;
    }
    return pinned;
}

std::size_t bytes_in_use() noexcept { return used_bytes; }

std::size_t comfortable_bytes() noexcept { return machine_bytes() / 2; }

} // namespace skelrt::detail
