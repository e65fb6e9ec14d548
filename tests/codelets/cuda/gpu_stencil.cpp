// SPDX-License-Identifier: BSD-3-Clause
#include "device.hpp"

#include "../stencil_cases.hpp"

#include <memory>

using namespace skelrt::detail;
using stencil_cases::layout;

namespace
{

/// `shift` takes the elements off the best alignment.
struct array : device::buffer<int> {
    std::size_t size;
    array(const std::vector<int>& values, std::size_t shift) : buffer(values, shift), size(values.size()) {}
    slot_view view(std::size_t rows, std::size_t cols, std::size_t ld, std::size_t first) const
    {
        return device::matrix(data() + first, rows, cols, ld);
    }
    slot_view row() const { return device::flat(data(), size); }
};

void check_shifted(std::size_t shift, const auto& f, const layout& l, const auto& call)
{
    const auto make = [&](const std::vector<int>& values) { return std::make_unique<array>(values, shift); };
    CAPTURE(l, shift);
    CHECK(stencil_cases::count_wrong(f, l, call, make, [](const work& w) { cuda::launch(w, nullptr); }) == 0);
}

const auto aligned = [](const auto&... what) { check_shifted(0, what...); };
const auto both = [](const auto&... what) {
    for (const std::size_t shift : {0, 1}) check_shifted(shift, what...);
};

} // namespace

TEST_CASE("stencil: hoods along vectors, rows and columns, all borders, cut and uncut", "[cuda][gpu][stencil]")
{
    stencil_cases::lines(both);
}
TEST_CASE("stencil: hoods of matrices, all borders, cut and uncut", "[cuda][gpu][stencil]")
{
    stencil_cases::matrices(both);
}
TEST_CASE("stencil: hoods of tensors, all borders, cut and uncut", "[cuda][gpu][stencil]")
{
    stencil_cases::tensors(both);
}
TEST_CASE("stencil: red and black take turns", "[cuda][gpu][stencil]") { stencil_cases::red_and_black(aligned); }
TEST_CASE("stencil: reaches wider than the grid, and wider than shared memory", "[cuda][gpu][stencil]")
{
    stencil_cases::wide_reaches(300, aligned);
}
TEST_CASE("stencil: hoods over maps, all ranks and borders, cut and uncut", "[cuda][gpu][stencil]")
{
    stencil_cases::over_maps([](const auto& f, const layout& l, stencil_cases::under what, const auto& call) {
        for (const std::size_t shift : {0, 1}) {
            const auto make = [&](const std::vector<int>& values) { return std::make_unique<array>(values, shift); };
            CAPTURE(int(what), l, shift);
            CHECK(stencil_cases::count_wrong_over_map(f, l, what, call, make,
                                                      [](const work& w) { cuda::launch(w, nullptr); }) == 0);
        }
    });
}
