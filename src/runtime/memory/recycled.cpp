// SPDX-License-Identifier: BSD-3-Clause
#include <skelrt/detail/items/recycled.hpp>

#include <array>
#include <new>
#include <utility>

namespace skelrt::detail
{

namespace
{

constexpr std::size_t piece_step = 64, largest_piece = 1024, most_of_size = std::size_t{1} << 20; ///< bytes

#if defined(__SANITIZE_ADDRESS__)
constexpr bool keeps_pieces = false; // it is to see who uses what has gone
#else
constexpr bool keeps_pieces = true;
#endif

struct free_piece {
    free_piece* next;
};
struct pieces_of_size {
    free_piece* first = nullptr;
    std::size_t bytes = 0;
};
struct free_pieces {
    std::array<pieces_of_size, largest_piece / piece_step> of_size{};
    enum : unsigned char { unused, open, closed } state = unused;
};
/// Of few bytes, and asked by every task: found without the loader's help.
[[gnu::tls_model("initial-exec")]] constinit thread_local free_pieces pieces_here;

constexpr std::size_t piece_class(std::size_t bytes) noexcept { return (bytes + piece_step - 1) / piece_step - 1; }

/// What the thread kept goes with it.
struct end_of_pieces {
    ~end_of_pieces()
    {
        pieces_here.state = free_pieces::closed;
        for (pieces_of_size& all : pieces_here.of_size)
            while (all.first) ::operator delete(std::exchange(all.first, all.first->next));
    }
};

/// Whether the thread keeps_pieces pieces; afterwards it does, until it ends.
bool may_keep() noexcept
{
    if (pieces_here.state == free_pieces::unused) {
        thread_local end_of_pieces end;
        static_cast<void>(&end);
        pieces_here.state = free_pieces::open;
    }
    return pieces_here.state == free_pieces::open;
}

} // namespace

void* take_recycled(std::size_t bytes)
{
    if (bytes == 0 || bytes > largest_piece) return ::operator new(bytes);
    const std::size_t k = piece_class(bytes);
    pieces_of_size& all = pieces_here.of_size[k];
    if (!all.first) return ::operator new((k + 1) * piece_step);
    all.bytes -= (k + 1) * piece_step;
    return std::exchange(all.first, all.first->next);
}

void give_recycled(void* memory, std::size_t bytes) noexcept
{
    const bool has_place = keeps_pieces && bytes > 0 && bytes <= largest_piece && may_keep();
    if (!has_place) return ::operator delete(memory);
    const std::size_t k = piece_class(bytes);
    pieces_of_size& all = pieces_here.of_size[k];
    if (all.bytes >= most_of_size) return ::operator delete(memory);
    all.bytes += (k + 1) * piece_step;
    all.first = new (memory) free_piece{all.first};
}

} // namespace skelrt::detail
