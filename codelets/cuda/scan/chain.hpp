// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

/// What the launchers of scans and filters share.
namespace skelrt::detail::cuda
{

/// Tiles of a launch that goes through some segments, one after the other.
class chain_tiles
{
public:
    void add(std::size_t of_segment)
    {
        if (count_ == 0) each_ = of_segment;
        else if (last_ != each_ || of_segment > each_) each_ = 0;
        last_ = of_segment;
        count_ += of_segment;
    }
    std::size_t count() const { return count_; }
    /// Of every segment but the last, which may have fewer; 0: they differ.
    std::size_t each() const { return each_; }

private:
    std::size_t count_ = 0, each_ = 0, last_ = 0;
};

} // namespace skelrt::detail::cuda
