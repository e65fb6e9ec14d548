// SPDX-License-Identifier: BSD-3-Clause
#include "device.hpp"

#include "../stencil_cases.hpp"

#include <memory>

using namespace skelrt::detail;
using stencil_cases::layout;

namespace
{

/// Behind some elements that stay untouched.
struct array : opencl::test::on_device<int> {
    explicit array(const std::vector<int>& values) : on_device(values, 3) {}
    slot_view view(std::size_t rows, std::size_t cols, std::size_t ld, std::size_t first) const
    {
        return on_device::view(rows, cols, ld, 1, first);
    }
};

const auto check = [](const auto& f, const layout& l, const auto& call) {
    const auto make = [](const std::vector<int>& values) { return std::make_unique<array>(values); };
    CAPTURE(l);
    CHECK(stencil_cases::count_wrong(f, l, call, make, opencl::test::run) == 0);
};

} // namespace

TEST_CASE("hoods along vectors, rows and columns, all borders, cut and uncut", "[opencl][stencil]")
{
    stencil_cases::lines(check);
}
TEST_CASE("hoods of matrices, all borders, cut and uncut", "[opencl][stencil]") { stencil_cases::matrices(check); }
TEST_CASE("hoods of tensors, all borders, cut and uncut", "[opencl][stencil]") { stencil_cases::tensors(check); }
TEST_CASE("red and black take turns", "[opencl][stencil]") { stencil_cases::red_and_black(check); }
TEST_CASE("reaches wider than the grid, and wider than local memory", "[opencl][stencil]")
{
    stencil_cases::wide_reaches(1500, check);
}
TEST_CASE("hoods over maps, all ranks and borders, cut and uncut", "[opencl][stencil]")
{
    stencil_cases::over_maps([](const auto& f, const layout& l, stencil_cases::under what, const auto& call) {
        const auto make = [](const std::vector<int>& values) { return std::make_unique<array>(values); };
        CAPTURE(int(what), l);
        CHECK(stencil_cases::count_wrong_over_map(f, l, what, call, make, opencl::test::run) == 0);
    });
}
