// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernel.hpp"
#include "options.hpp"

#include "apps/shared/check.hpp"

#include <array>
#include <vector>

namespace lj
{

/// The same steps by plain loops in double precision, with a list of atoms for each cell.
class reference
{
public:
    /// From where `start` is now.
    reference(const fluid& start, const options& o);
    /// Positions, as long as chaos has not parted the two (a time of 1), and the drift of the energy, which must stay small.
    apps::comparison compare(const fluid& end, double drift) const;
    double seconds() const { return seconds_; }

private:
    using vec = std::array<double, 3>;
    void find_pulls();
    void add_pull(std::size_t i, std::size_t j);

    double edge_, cutoff_, time_;
    std::size_t along_;
    std::vector<vec> at_, speed_, pull_; ///< by the atoms' numbers
    double seconds_ = 0;
};

} // namespace lj
