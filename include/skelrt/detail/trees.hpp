#pragma once

#include "api.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
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
