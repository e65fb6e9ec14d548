// SPDX-License-Identifier: BSD-3-Clause
#include "device.hpp"
#include "merges.hpp"

#include <algorithm>
#include <iterator>
#include <random>

using skelrt::detail::merge_step;
using skelrt::detail::skeleton;

namespace
{

using ascending = decltype(skelrt::detail::ascending_order)::lambda;

/// The path as sk::merge finds it.
template <class Less, class T>
std::vector<std::size_t> path_of(const std::vector<T>& a, const std::vector<T>& b)
{
    std::vector<std::size_t> path((a.size() + b.size() + merge_step - 1) / merge_step + 1);
    const skelrt::vec<T> first(a.data(), a.size()), second(b.data(), b.size());
    const skelrt::detail::merge_crossing<T, Less> crossing;
    for (std::size_t i = 0; i < path.size(); ++i) path[i] = crossing(skelrt::index1{i}, first, second);
    return path;
}

/// Merges n and m of the numbers 0 .. below - 1 in segments of such sizes in turn.
template <class T, class Less = ascending>
void check_merge(std::size_t n, std::size_t m, unsigned below, const std::vector<std::size_t>& sizes,
                 const skelrt::function<Less>& less = skelrt::detail::ascending_order)
{
    CAPTURE(n, m, below, sizes.size());
    recipes::builder b(skeleton::map, "merge");
    describe_merge<T>(b, less);
    std::mt19937 random{below};
    std::vector<T> x(n), y(m), want;
    for (std::vector<T>* all : {&x, &y}) {
        for (T& v : *all) v = static_cast<T>(random() % below);
        std::sort(all->begin(), all->end(), less);
    }
    std::merge(x.begin(), x.end(), y.begin(), y.end(), std::back_inserter(want), less);
    const auto path = path_of<Less>(x, y);
    const device::buffer<T> dx(x), dy(y), dz(n + m, T{1});
    const device::buffer<std::size_t> crossings(path);
    device::call c(b.get(), n + m);
    for (std::size_t first = 0, k = 0; first < n + m; ++k) {
        const std::size_t size = std::min(n + m - first, sizes[k % sizes.size()]);
        c.add({1, size, 0, first},
              {device::flat(dx.data(), n), device::flat(dy.data(), m), device::flat(crossings.data(), path.size()),
               device::flat(dz.data() + first, size)});
        first += size;
    }
    c.run();
    CHECK((dz.read() == want));
}

} // namespace

TEST_CASE("merge: around the sizes of steps and tiles", "[cuda][gpu]")
{
    for (const std::size_t n : {0, 1, 2047, 2048, 4095, 4096, 4097, 30'011})
        for (const std::size_t m : {0, 1, 2049, 4096, 100'003}) {
            if (n + m == 0) continue;
            for (const unsigned below : {3u, 1000u, 1'000'000'000u}) check_merge<int>(n, m, below, {n + m});
            check_merge<double>(n, m, 5000, {n + m});
            check_merge<short>(n, m, 500, {n + m}, SKELRT_FN((auto a, auto b) { return b < a; }));
            check_merge<unsigned char>(n, m, 200, {1, 4096, 700});
        }
    check_merge<float>(3'000'017, 1'999'993, 1'000'000'000, {1'000'000});
}
