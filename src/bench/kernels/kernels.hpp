// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "src/bench/kernels/rivals.hpp"
#include "src/bench/shared/race/race.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace bench
{

/// What `skelrt-bench kernels` is told. n: edge of pictures and lattices.
struct kernel_options : race_options {
    std::vector<int> widths{3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27}; ///< of filters
    std::size_t events = 1'000'000;                                          ///< of a subset
    int voxels = 64;                                                         ///< along an edge of the image
    std::string only;

    kernel_options() : race_options{2048, 4096, 11, 10} {}
};

// Each races skelrt against its rivals on the device of the options, checks all of them before and after, and adds the
// figure.
void race_convolution(report& out, const kernel_options& o, rival_team& team);
void race_transposed_sum(report& out, const kernel_options& o, rival_team& team);
void race_lattice(report& out, const kernel_options& o, rival_team& team);
void race_osem(report& out, const kernel_options& o, rival_team& team);

/// Runs once from the beginning.
template <class T>
std::vector<T> result_of(kernel_entrant<T>& work)
{
    work.begin_anew();
    work.launch();
    work.wait();
    return work.result();
}

/// Throws, in the name of `who`, if a value of `found` is further from what is wanted than `most`, or is not finite.
void check_values(const std::string& who, const std::vector<float>& found, const std::vector<float>& wanted,
                  double most);
void check_values(const std::string& who, const std::vector<double>& found, const std::vector<double>& wanted,
                  double most);

template <class T>
void check(const std::string& what, const std::vector<entrant<kernel_entrant<T>>>& all, const std::vector<T>& wanted,
           double most = 0)
{
    for (const auto& e : all) check_values(what + ", " + e.name, result_of(*e.work), wanted, most);
}

} // namespace bench
