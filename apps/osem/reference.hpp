// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernel.hpp"

#include <cstddef>
#include <vector>

namespace osem
{

/// The same in double precision by plain loops: Siddon's own way, which sorts where a line crosses planes.
class plain_reconstruction
{
public:
    plain_reconstruction(const events& calibration, int size);
    /// The image after so many times through all subsets.
    std::vector<double> run(const events& seen, std::size_t subsets, std::size_t iterations) const;

private:
    int size_;
    std::vector<double> sensitivity_;
};

} // namespace osem
