// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/cuda/launch/launch_list.hpp"

#include "../recipes.hpp"
#include "device.hpp"

#include <catch2/catch.hpp>

#include <random>
#include <vector>

using namespace recipes;
using device::buffer;
using device::flat;
using skelrt::detail::cuda::launch_list;

namespace
{

const auto affine = USER_FUNCTION((unsigned a, unsigned x) { return a * x + 1u; });

const recipe& affine_recipe()
{
    static const auto& b = (new builder(skeleton::map, "affine"))
                               ->slots({uniform<unsigned>(), element<unsigned>(), element<unsigned>()})
                               .call<unsigned>(affine, {operand(0), operand(1)})
                               .result<unsigned>();
    return b.get();
}

constexpr std::size_t n = 1000;

/// Containers on the device and what they should hold.
struct state {
    std::vector<std::unique_ptr<buffer<unsigned>>> on_device;
    std::vector<unsigned> want;
    explicit state(std::size_t containers) : want(containers, 1u)
    {
        for (std::size_t i = 0; i < containers; ++i) on_device.push_back(std::make_unique<buffer<unsigned>>(n, 1u));
    }
    /// to = a * from + 1, by way of the list.
    void step(launch_list& list, std::size_t call, unsigned a, std::size_t from, std::size_t to)
    {
        const launch_list::scope scope(list, call);
        const segment all{1, n, 0, 0};
        const slot_view slots[] = {flat(&a, 1), flat(on_device[from]->data(), n), flat(on_device[to]->data(), n)};
        cuda::launch(work{affine_recipe(), false, n, {&all, 1}, slots, {}, nullptr, {}}, nullptr);
        want[to] = a * want[from] + 1u;
    }
    void check() const
    {
        for (std::size_t i = 0; i < want.size(); ++i) CHECK(on_device[i]->read() == std::vector<unsigned>(n, want[i]));
    }
};

struct owned_stream {
    cudaStream_t stream = nullptr;
    owned_stream() { device::check(cudaStreamCreate(&stream)); }
    ~owned_stream()
    {
        cuda::release_graphs();
        cudaStreamDestroy(stream);
    }
    owned_stream(const owned_stream&) = delete;
    owned_stream& operator=(const owned_stream&) = delete;
};

} // namespace

TEST_CASE("launches that repeat, in batches of all lengths", "[cuda][gpu][graphs]")
{
    const std::size_t period = GENERATE(1, 3, 5, 9);
    const owned_stream own;
    state s(4);
    std::mt19937 random(7);
    std::size_t step = 0;
    for (int round = 0; round < 200; ++round) {
        launch_list list(own.stream);
        const std::size_t calls = round % 3 == 0 ? random() % 40 : 32;
        for (std::size_t i = 0; i < calls; ++i, ++step) {
            const std::size_t k = step % period;
            s.step(list, i, static_cast<unsigned>(2 * k + 3), k % 4, (3 * k + 1) % 4);
        }
        list.end();
        CHECK(list.failures().empty());
    }
    s.check();
}

TEST_CASE("launches that hardly repeat, and flushes within a sequence", "[cuda][gpu][graphs]")
{
    const owned_stream own;
    state s(3);
    std::mt19937 random(11);
    for (int round = 0; round < 300; ++round) {
        launch_list list(own.stream);
        for (std::size_t i = 0; i < 20; ++i) {
            const bool other = random() % 50 == 0; // known sequences break off here
            s.step(list, i, other ? static_cast<unsigned>(random()) : 5u, i % 3, (i + 1) % 3);
            if (random() % 30 == 0) list.flush();
        }
        list.end();
    }
    s.check();
}

TEST_CASE("more sequences than graphs are kept", "[cuda][gpu][graphs]")
{
    const owned_stream own;
    state s(2);
    for (int round = 0; round < 2000; ++round) {
        launch_list list(own.stream);
        for (std::size_t i = 0; i < 6; ++i) s.step(list, i, static_cast<unsigned>(round % 180 + 2), i % 2, (i + 1) % 2);
        list.end();
    }
    s.check();
}
