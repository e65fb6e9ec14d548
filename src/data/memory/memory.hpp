// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>

/// Host memory of containers: aligned, in huge pages where it is large, kept for the next container of about the
/// size because fresh pages and pinning cost more than the work on them. Blocks of few pages are kept only if they are
/// pinned.
namespace skelrt::detail
{

struct memory_block {
    void* data = nullptr;
    std::size_t bytes = 0; ///< as allocated, at least what was asked
    bool pinned = false;
    bool of_chunk = false; ///< small_memory.hpp
    std::uint32_t nth = 0; ///< of the large blocks of its size that were in use; 0 once devices copy it
};

/// How many large blocks of each size were in use at once when devices copied the last of them.
using block_counts = std::map<std::size_t, std::uint32_t>;

/// Whether the block is one for so many bytes: as large, or larger by up to a quarter.
bool suits(const memory_block& b, std::size_t bytes) noexcept;
/// Whether allocate_block() has such a block and needs no fresh pages.
bool is_block_kept(std::size_t bytes) noexcept;
/// Throws error when memory is out; the message names the size. Contents are undefined.
memory_block allocate_block(std::size_t bytes);
/// For what devices copy while the runtime lives: pinned, if there are CUDA devices. Of a MiB or less as good as free.
memory_block allocate_pinned(std::size_t bytes);
void free_block(const memory_block& b) noexcept;
/// Tells the CUDA driver about the block, once, so that copies are asynchronous and at full speed.
void pin_block(memory_block& b) noexcept;
void unpin_block(memory_block& b) noexcept;
/// Whether nobody has touched it yet as far as its middle tells: whoever does waits for pages of the system's. A call
/// of the system's; false for small ones.
bool is_untouched(const memory_block& b, std::size_t used_bytes) noexcept;
/// Room in the host's memory for as long as it lives; its values come later. One thread's.
class host_room
{
public:
    host_room() = default;
    explicit host_room(std::size_t bytes) : block_(bytes > 0 ? allocate_block(bytes) : memory_block{}) {}
    host_room(host_room&& o) noexcept : block_(std::exchange(o.block_, {})) {}
    host_room& operator=(host_room o) noexcept
    {
        std::swap(block_, o.block_);
        return *this;
    }
    ~host_room() { free_block(block_); }

    std::byte* data() const noexcept { return static_cast<std::byte*>(block_.data); }

private:
    memory_block block_;
};
/// Unpins and gives back what is kept. Before StarPU ends.
void drop_kept_blocks() noexcept;
/// Of this process.
block_counts copied_blocks();
/// Takes fresh pages for a block of that size, as allocated, and keeps it.
void keep_fresh_block(std::size_t bytes);
/// All large ones that are not; how many. While StarPU runs.
std::size_t pin_kept_blocks() noexcept;
/// Bytes in blocks that are in use.
std::size_t bytes_in_use() noexcept;
/// Half of the machine's memory: calls in flight should not hold more.
std::size_t comfortable_bytes() noexcept;

} // namespace skelrt::detail
