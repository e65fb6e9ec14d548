// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "../api.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stop_token>

/// What divide and conquer hands to the library: a tree of problems that grows as it is worked on.
namespace skelrt::detail
{

struct tree_frame;

/// A problem, at its place among the parts of another.
struct tree_node {
    tree_frame* in = nullptr; ///< null: the root
    std::uint32_t place = 0;
    bool is_solved = false;
};

/// A problem that was split, until all of its parts have ended and its result is there.
struct tree_frame {
    tree_node* node = nullptr; ///< the problem
    tree_node* parts = nullptr;
    std::uint32_t count = 0;
    std::atomic<std::uint32_t> open{0}; ///< parts that have not ended
    void* home = nullptr;               ///< whose memory it is; the library's
};

/// How a frame ends: what its parts gave is merged, or nobody wants it any more.
enum class tree_ending : std::uint8_t { merged, dropped };

/// What was learnt of how long problems of a size take, solved as a whole and by parts, and so which of them are split.
/// Thread-safe; of two threads that note something at once one may be forgotten.
class SKELRT_API tree_cut_off
{
public:
    /// `of_root`: size of the problem that the tree began with.
    bool splits(double size, double of_root, unsigned cores) const noexcept;
    void note_solved(double size, double us) noexcept { solved_.note(size, us); }
    /// The split and the merge, and what is known of the parts.
    void note_split(double size, double us) noexcept { split_.note(size, us); }
    /// The better way. None: nothing is known yet.
    std::optional<double> known_us(double size) const noexcept;

private:
    /// Times over sizes.
    class SKELRT_API curve
    {
    public:
        /// None: nothing is known yet.
        std::optional<double> at(double size) const noexcept;
        void note(double size, double us) noexcept;
        /// How many times of about such a size.
        unsigned seen(double size) const noexcept;

    private:
        static constexpr std::size_t octaves = 64;
        struct octave {
            std::atomic<float> us_of_one{0}; ///< us over size; 0: nobody knows
            std::atomic<unsigned> seen{0};
        };
        static std::size_t octave_of(double size) noexcept;

        std::array<octave, octaves> all_{}; ///< sizes from 2^k on
    };

    bool is_less_work_split(double size) const noexcept;

    curve solved_, split_;
};
/// Those that items may use.
SKELRT_API unsigned cores_of_trees() noexcept;

/// A tree's problems and results. Alive until its run has ended.
class SKELRT_API tree_source
{
public:
    tree_source() = default;
    virtual ~tree_source();
    tree_source(const tree_source&) = delete;
    tree_source& operator=(const tree_source&) = delete;

    /// The memory that a frame takes.
    struct room {
        std::size_t size, alignment;
    };
    virtual room frame_room() const noexcept = 0;

    virtual tree_node& root() noexcept = 0;
    /// Solves a small problem and returns null. Splits a large one, and returns the frame that it made at `memory`. Any
    /// thread, several at once, each with a node of its own. May throw; there is no frame then.
    virtual tree_frame* begin(tree_node& node, void* memory, const std::stop_token& stop) = 0;
    /// Destroys the frame, also when the merge throws. Once all parts have ended.
    virtual void end(tree_frame& frame, tree_ending how) = 0;
};

} // namespace skelrt::detail
