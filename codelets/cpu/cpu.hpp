#pragma once

#include "codelets/work.hpp"

#include <cstddef>
#include <memory>
#include <vector>

/// The CPU implementation of the skeletons: a task's elements in shares, one share a thread at a time. Knows no threads.
namespace skelrt::detail::cpu
{

/// Where shares leave their partial results until finish() combines them in order. For maps it holds nothing.
class partials
{
public:
    partials(const work& w, std::size_t shares);

    std::byte* at(std::size_t share) noexcept { return lines_[share * lines_each_].bytes; }
    bool started(std::size_t share) const noexcept { return started_[share]; }
    void start(std::size_t share) noexcept { started_[share] = 1; }

private:
    struct alignas(64) line { ///< threads write next to each other
        std::byte bytes[64];
    };
    std::size_t lines_each_ = 0;
    std::vector<line> lines_;
    std::vector<unsigned char> started_; ///< not vector<bool>: shares write at the same time
};

/// Elements of all segments.
std::size_t element_count(const work& w) noexcept;

/// Does share number `share` of `shares`: equal numbers of elements (of rows for reductions by row), in order.
/// Different shares may run at the same time. Lets the user function's exceptions through.
void run_share(const work& w, partials& p, std::size_t share, std::size_t shares);

/// Combines the partial results in order into w.result, when all shares are done. Returns false if there was nothing.
bool finish(const work& w, partials& p, std::size_t shares);

} // namespace skelrt::detail::cpu
