// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/work.hpp"

#include <cstddef>
#include <memory>
#include <vector>

/// A sort on the CPU, in rounds: all shares of a round may run at the same time, and none of the next before all are
/// done. Knows no threads.
namespace skelrt::detail::cpu
{

/// First each share sorts a run of items of its own; then rounds of merges, each of which halves the number of runs,
/// and in which each share makes an equal part of the result, wherever runs end.
class sorting
{
public:
    /// Allocates memory for the items, once or twice. `shares`: at most as many as items.
    sorting(const work& w, std::size_t shares);

    std::size_t shares() const noexcept { return bounds_.size() - 1; }
    std::size_t rounds() const noexcept { return 1 + merges_ + (store_ ? 1 : 0); }
    /// Does a share of a round. Lets the comparator's exceptions through.
    void run(std::size_t round, std::size_t share);

private:
    struct free_aligned {
        void operator()(std::byte* p) const noexcept;
    };
    using memory = std::unique_ptr<std::byte, free_aligned>;

    memory allocate(std::size_t bytes) const;
    std::byte* item(std::size_t buffer, std::size_t i) const { return buffers_[buffer] + i * size_; }
    void sort_run(std::size_t share);
    void merge_runs(std::size_t round, std::size_t share);
    void store_items(std::size_t share);

    const work& work_;
    const sort_functions& typed_;
    std::size_t size_;                ///< bytes of an item
    std::vector<std::size_t> bounds_; ///< share k begins with item bounds_[k]
    std::size_t merges_ = 0;
    bool store_ = true; ///< the last merge does not write the results themselves
    memory own_[2];
    std::byte* buffers_[2]; ///< what round r leaves behind lies in buffer r % 2
};

/// All rounds on the calling thread.
void sort_alone(const work& w);

} // namespace skelrt::detail::cpu
