// SPDX-License-Identifier: BSD-3-Clause
/// Tiles of a container follow each other in a GPU's memory, however they come and go: run with STARPU_LIMIT_CUDA_MEM.

#include "limited.hpp"

#include "src/data/managed_state.hpp"

#include <starpu.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

namespace sk = skelrt;
using namespace limited;
using namespace skelrt::detail;

namespace
{

constexpr std::size_t fits = memory / sizeof(int) / 4; ///< a quarter of the device's memory

const auto twice = sk::map(SKELRT_FN((int x) { return 2 * x; }));
const auto turned = sk::map(SKELRT_FN((sk::index1 i, int x, sk::vec<int> v) { return x + v[v.size() - 1 - i.i]; }));
const auto flipped = sk::map(SKELRT_FN((int x, int y) { return x - y; }));

unsigned node_there()
{
    const starpu_worker_archtype type = kind == sk::device::cuda ? STARPU_CUDA_WORKER : STARPU_OPENCL_WORKER;
    return starpu_worker_get_memory_node(static_cast<unsigned>(starpu_worker_get_by_type(type, 0)));
}

template <class Container>
const managed_state& state_of(const Container& x)
{
    return *x.storage()->managed.load();
}

/// Whether its tiles follow each other there; devices without pages need not.
template <class Container>
bool follow(const Container& x)
{
    const managed_state& m = state_of(x);
    if (!m.range) return true;
    const auto at = [&](std::size_t t) {
        return static_cast<std::byte*>(starpu_data_handle_to_pointer(m.tiles[t], node_there()));
    };
    for (std::size_t t = 0; t + 1 < m.tile_count(); ++t)
        if (at(t + 1) != at(t) + m.tile_size(t) * m.owner->element_size) return false;
    return m.tile_count() > 1 && at(0) && lies_in_one_piece(m, node_there());
}

} // namespace

TEST_CASE("tiles follow each other on a device", "[range]")
{
    sk::vector<int> x(fits);
    sk::matrix<int> m(1537, 2053); // whose tiles end within pages
    fill(x);
    fill(m);
    const sk::only there(kind);
    const sk::vector<int> y = twice(x);
    const sk::matrix<int> z = twice(m);
    CHECK(wrong(y, [](std::size_t i) { return 2 * number(i); }) == 0);
    CHECK(wrong(z, [](std::size_t i) { return 2 * number(i); }) == 0);
    CHECK(follow(x));
    CHECK(follow(y));
    CHECK(follow(z));
    if (!state_of(x).range) WARN("the device has no pages");
}

TEST_CASE("more than the memory goes through a range", "[range]")
{
    sk::vector<int> x(n);
    fill(x);
    const sk::only there(kind);
    for (int k = 0; k < 3; ++k) x = twice(x);
    CHECK(wrong(x, [](std::size_t i) { return 8 * number(i); }) == 0);
    x = twice(x);
    CHECK(wrong(x, [](std::size_t i) { return 16 * number(i); }) == 0);
}

TEST_CASE("functions see the whole as it is now, without a copy", "[range]")
{
    sk::vector<int> x(fits);
    fill(x);
    std::vector<int> now = numbers(fits);
    const sk::only there(kind);
    for (int round = 0; round < 4; ++round) {
        // Some tiles only, on the device or on the host.
        const std::size_t first = static_cast<std::size_t>(round) * fits / 5, count = fits / 7;
        if (round % 2 == 0) {
            x.range(first, count) = twice(x.range(first, count));
            for (std::size_t i = first; i < first + count; ++i) now[i] *= 2;
        } else {
            sk::host(x)[first] = now[first] = round;
        }
        const sk::vector<int> y = turned(x, x);
        REQUIRE(wrong(y, [&](std::size_t i) { return now[i] + now[fits - 1 - i]; }) == 0);
    }
    CHECK(follow(x));
    CHECK((!state_of(x).range || !state_of(x).replica));
}

TEST_CASE("transposed matrices are read where they are", "[range]")
{
    constexpr std::size_t side = 2048;
    sk::matrix<int> a(side, side), b(side, side);
    fill(a);
    fill(b);
    const sk::only there(kind);
    for (int round = 0; round < 3; ++round) {
        const sk::matrix<int> c = flipped(b, sk::transpose(a));
        const int times = 1 << round;
        REQUIRE(wrong(c, [&](std::size_t i) { return number(i) - times * number(i % side * side + i / side); }) == 0);
        a = twice(a);
    }
    CHECK((!state_of(a).range || !state_of(a).replica));
}

TEST_CASE("products read both sides where they are", "[range]")
{
    constexpr std::size_t side = 1500;
    sk::matrix<double> a(side, side), b(side, side);
    {
        const auto va = sk::host(a), vb = sk::host(b);
        for (std::size_t i = 0; i < side * side; ++i) {
            va.data()[i] = static_cast<double>(i % 7);
            vb.data()[i] = i / side == i % side ? 2 : 0;
        }
    }
    const sk::only there(kind);
    const auto product = sk::all_pairs(sk::multiplies, sk::plus);
    const sk::matrix<double> c = product(a, sk::transpose(b));
    CHECK(wrong(c, [](std::size_t i) { return 2.0 * static_cast<double>(i % 7); }) == 0);
}

TEST_CASE("containers come and go", "[range]")
{
    constexpr std::size_t small = fits / 2;
    {
        // The program is ahead of the device: results far down the queue must not keep memory from those before them.
        const sk::vector<int> x(small, 3);
        const sk::only there(kind);
        for (int round = 0; round < 500; ++round) {
            const sk::vector<int> y = twice(x);
            if (round % 100 != 99) continue;
            REQUIRE(sk::host_read(y)[small - 1] == 6);
        }
        for (int round = 0; round < 100; ++round) { // made by the host, of changing sizes
            const std::size_t size = small - static_cast<std::size_t>(round % 3) * 100000;
            const sk::vector<int> fresh(size, round);
            const sk::vector<int> y = twice(fresh);
            REQUIRE(sk::host_read(y)[size - 1] == 2 * round);
        }
    }
    sk::vector<int> x(fits); // no memory was lost
    fill(x);
    const sk::only there(kind);
    const sk::vector<int> y = twice(x);
    CHECK(wrong(y, [](std::size_t i) { return 2 * number(i); }) == 0);
    CHECK(follow(x));
    CHECK(follow(y));
    CHECK(starpu_memory_get_used(node_there()) <= memory);
}

namespace
{

using sums = std::vector<std::vector<float>>;
sums apart; ///< of tiles that do not follow each other

sums sums_of_some()
{
    const auto terms = [](auto x) {
        const auto view = sk::host(x);
        for (std::size_t i = 0; i < x.size(); ++i) view.data()[i] = 1.0f / static_cast<float>(number(i) + 1);
        return x;
    };
    const auto x = terms(sk::vector<float>(fits + 7));
    const auto m = terms(sk::matrix<float>(1000, 4099));
    const sk::only there(kind);
    const sk::vector<float> running(sk::scan(sk::plus)(x)), of_rows(sk::reduce(sk::plus).by_row(m));
    const auto values = [](const sk::vector<float>& v) {
        const auto view = sk::host_read(v);
        return std::vector<float>(view.data(), view.data() + v.size());
    };
    return {values(running), values(of_rows)};
}

/// In a runtime whose containers lie in no range.
sums sums_of_tiles_apart()
{
    constexpr const char* least = "SKELRT_RANGE_BYTES";
    const char* const set = std::getenv(least);
    const std::string before = set ? set : "";
    setenv(least, "1000000000000", 1);
    sums all;
    {
        const sk::runtime rt(with_device());
        if (std::ranges::any_of(rt.devices(), [](const sk::device_info& d) { return d.kind == kind; }))
            all = sums_of_some();
    }
    if (set) setenv(least, before.c_str(), 1);
    else unsetenv(least);
    return all;
}

} // namespace

TEST_CASE("sums have the same bits wherever tiles lie", "[range]")
{
    const sums now = sums_of_some();
    REQUIRE(apart.size() == now.size());
    for (std::size_t k = 0; k < now.size(); ++k) CHECK((apart[k] == now[k]));
}

int main(int argc, char** argv)
{
    apart = sums_of_tiles_apart();
    return run(argc, argv);
}
