// SPDX-License-Identifier: BSD-3-Clause
#include "../message_of.hpp"
#include "support.hpp"

#include <algorithm>
#include <array>

using namespace test;

/// Tensors along and across their axes, against plain loops.

namespace
{

using extents3 = std::array<std::size_t, 3>;
using extents4 = std::array<std::size_t, 4>;

const std::array shapes3{extents3{5, 7, 9}, extents3{1, 1, 1}, extents3{33, 2, 300}, extents3{2, 400, 3},
                         extents3{0, 4, 5}, extents3{4, 0, 5}, extents3{4, 5, 0}};
const std::array shapes4{extents4{3, 4, 5, 6}, extents4{1, 20, 1, 40}, extents4{9, 1, 70, 2}, extents4{2, 3, 0, 4}};

template <std::size_t Rank>
std::size_t size_of(const std::array<std::size_t, Rank>& extents)
{
    std::size_t n = 1;
    for (const std::size_t e : extents) n *= e;
    return n;
}

/// The index of each axis at place `at` of a tensor.
template <std::size_t Rank>
std::array<std::size_t, Rank> indices(const std::array<std::size_t, Rank>& extents, std::size_t at)
{
    std::array<std::size_t, Rank> all{};
    for (std::size_t k = Rank; k-- > 0; at /= extents[k]) all[k] = at % extents[k];
    return all;
}

template <std::size_t Rank>
std::size_t place(const std::array<std::size_t, Rank>& extents, const std::array<std::size_t, Rank>& index)
{
    std::size_t at = 0;
    for (std::size_t k = 0; k < Rank; ++k) at = at * extents[k] + index[k];
    return at;
}

template <std::size_t Rank>
std::vector<int> summed(const std::array<std::size_t, Rank>& extents, const std::vector<int>& a, std::size_t axis)
{
    auto left = extents;
    left[axis] = 1;
    std::vector<int> sums(size_of(left), 100);
    for (std::size_t at = 0; at < a.size(); ++at) {
        auto index = indices(extents, at);
        index[axis] = 0;
        sums[place(left, index)] += a[at];
    }
    return sums;
}

template <std::size_t Rank>
std::vector<int> permuted(const std::array<std::size_t, Rank>& extents, const std::vector<int>& a,
                          const std::array<int, Rank>& axes)
{
    std::array<std::size_t, Rank> wanted{};
    for (std::size_t k = 0; k < Rank; ++k) wanted[k] = extents[static_cast<std::size_t>(axes[k])];
    std::vector<int> all(a.size());
    for (std::size_t at = 0; at < a.size(); ++at) {
        const auto index = indices(extents, at);
        std::array<std::size_t, Rank> to{};
        for (std::size_t k = 0; k < Rank; ++k) to[k] = index[static_cast<std::size_t>(axes[k])];
        all[place(wanted, to)] = a[at];
    }
    return all;
}

} // namespace

TEST_CASE("reductions along the axes of tensors", "[axes]")
{
    for (const auto& extents : shapes3) {
        const auto a = numbers<int>(size_of(extents));
        const sk::tensor<int, 3> t(extents, a.begin());
        for (const int axis : {0, 1, 2}) {
            CAPTURE(extents, axis);
            const sk::matrix<int> sums = sk::reduce_axis(t, axis, sk::plus, 100);
            CHECK(sums.rows() == extents[axis == 0 ? 1 : 0]);
            CHECK(sums.cols() == extents[axis == 2 ? 1 : 2]);
            check_equal(sums, summed(extents, a, static_cast<std::size_t>(axis)));
        }
    }
    for (const auto& extents : shapes4) {
        const auto a = numbers<int>(size_of(extents));
        const sk::tensor<int, 4> t(extents, a.begin());
        for (const int axis : {0, 1, 2, 3}) {
            CAPTURE(extents, axis);
            const sk::tensor<int, 3> sums = sk::reduce_axis(t, axis, sk::plus, 100);
            check_equal(sums, summed(extents, a, static_cast<std::size_t>(axis)));
        }
    }
}

TEST_CASE("an operator that does not commute goes along an axis in order", "[axes]")
{
    const extents3 extents{3, 50, 4};
    const auto a = numbers<int>(size_of(extents));
    const sk::tensor<int, 3> t(extents, a.begin());
    const sk::matrix<int> last = sk::reduce_axis(t, 1, SKELRT_FN((int x, int y) { return y == 0 ? x : y; }), 0);
    check_equal(last, expected(std::size_t{12}, [&](std::size_t i) {
                    int value = 0;
                    for (std::size_t j = 0; j < 50; ++j)
                        if (const int v = a[(i / 4 * 50 + j) * 4 + i % 4]; v != 0) value = v;
                    return value;
                }));
}

TEST_CASE("tensors with their axes in another order", "[axes]")
{
    for (const auto& extents : shapes3) {
        const auto a = numbers<int>(size_of(extents));
        const sk::tensor<int, 3> t(extents, a.begin());
        std::array axes{0, 1, 2};
        do {
            CAPTURE(extents, axes);
            const sk::tensor<int, 3> u = sk::permute(t, axes);
            CHECK(u.extent(0) == extents[static_cast<std::size_t>(axes[0])]);
            check_equal(u, permuted(extents, a, axes));
        } while (std::next_permutation(axes.begin(), axes.end()));
    }
    for (const auto& extents : shapes4) {
        const auto a = numbers<int>(size_of(extents));
        const sk::tensor<int, 4> t(extents, a.begin());
        for (const std::array axes : {std::array{3, 2, 1, 0}, std::array{1, 3, 0, 2}, std::array{0, 1, 2, 3}}) {
            CAPTURE(extents, axes);
            const sk::tensor<int, 4> u = sk::permute(t, axes);
            check_equal(u, permuted(extents, a, axes));
        }
    }
}

TEST_CASE("axes that a tensor does not have are refused", "[axes]")
{
    const sk::tensor<int, 3> t({2, 3, 4}, 1);
    CHECK(message_of([&] { static_cast<void>(sk::reduce_axis(t, 3, sk::plus, 0)); }).find("no axis 3") !=
          std::string::npos);
    CHECK(message_of([&] { static_cast<void>(sk::reduce_axis(t, -1, sk::plus, 0)); }).find("0 to 2") !=
          std::string::npos);
    CHECK(message_of([&] {
              static_cast<void>(sk::permute(t, {0, 0, 1}));
          }).find("these are 0, 0, 1") != std::string::npos);
}
