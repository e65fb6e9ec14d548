// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/jit/lanes/points.hpp"

#include <cstddef>
#include <cstdint>
#include <map>

namespace skelrt::detail
{

/// Bytes of a device's memory, as what is enqueued there uses them.
struct memory_use {
    std::uintptr_t begin = 0, end = 0;
    bool writes = false;
};

/// Which points touched which bytes of a device's memory. Who reads waits for the last writer, who writes for the
/// readers since, too. It knows addresses and no data: memory that is given to other data is still in use by what was
/// enqueued for the old. Pure: knows no CUDA. Not thread-safe.
class point_table
{
public:
    /// What has to be passed before the bytes may be used so.
    points before(const memory_use& m) const;
    /// They are, by what this point follows.
    void add(const memory_use& m, const point& by);
    /// All up to these has been passed: what nobody has to wait for any more is forgotten, once there is much of it.
    void forget(const points& passed);
    std::size_t size() const noexcept { return pieces_.size(); }

private:
    /// From its key to `end`.
    struct piece {
        std::uintptr_t end;
        point writer;
        points readers; ///< since
    };
    using pieces = std::map<std::uintptr_t, piece>;

    pieces::const_iterator first_behind(std::uintptr_t address) const;
    void cut_at(std::uintptr_t address);

    static constexpr std::size_t few = 256;
    pieces pieces_; ///< by where they begin; they do not overlap
    std::size_t much_ = few;
};

} // namespace skelrt::detail
