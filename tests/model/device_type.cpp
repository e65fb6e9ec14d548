// SPDX-License-Identifier: BSD-3-Clause
#include "src/model/machine/device_type.hpp"
#include "src/model/times/model.hpp"

#include <catch2/catch.hpp>

using namespace skelrt::detail;

namespace
{

device_peaks gpu(int number, const std::string& name, double memory)
{
    device_peaks d = assumed_device("cuda", number);
    d.name = name;
    d.memory = {memory, source::asked};
    return d;
}

const device_peaks fast = gpu(0, "CUDA 0.0 (NVIDIA H100 80GB HBM3 00:06.0)", 3e6);

models known;

/// A recipe that nobody else observes, of a memory-bound function.
recipe& fresh()
{
    static std::uint64_t next = 2'000'000;
    auto& r = *new recipe;
    r.key = next++;
    r.name = "map (here)";
    r.bytes_per_element = 12;
    return r;
}

constexpr std::size_t n = 1 << 20;
double us(const recipe& r, const runner& who) { return known.predict(r, who, n, 0.1, 8).at(n); }

} // namespace

TEST_CASE("GPUs of the same product and about the same speed are of one type", "[device_type]")
{
    REQUIRE(type_of(fast, fast) == nullptr);
    REQUIRE(type_of(gpu(1, "CUDA 1.0 (NVIDIA H100 80GB HBM3 00:07.0)", 2.9e6), fast) == nullptr);
    REQUIRE(type_of(gpu(1, "without brackets", 3e6), gpu(0, "without brackets", 3e6)) == nullptr);
    REQUIRE(type_of(gpu(1, "X", 0), gpu(0, "X", 0)) == nullptr); // nobody knows how fast
}

TEST_CASE("another product, or another speed, is another type", "[device_type]")
{
    const device_type* other = type_of(gpu(1, "CUDA 1.0 (NVIDIA A100 00:07.0)", 1.5e6), fast);
    const device_type* part = type_of(gpu(2, "CUDA 2.0 (NVIDIA H100 80GB HBM3 00:08.0)", 1.5e6), fast);
    REQUIRE(other);
    REQUIRE(part);
    REQUIRE(other != part);
    REQUIRE(other->key != part->key);
    REQUIRE(other->name == "NVIDIA A100");
    REQUIRE(part->name == "NVIDIA H100 80GB HBM3 at 0.5 times the speed");
    REQUIRE(type_of(gpu(3, "CUDA 3.0 (NVIDIA A100 00:09.0)", 1.5e6), fast) == other); // two of these
}

TEST_CASE("a slower GPU is guessed from what the first one took, and then measured", "[device_type]")
{
    const device_type* slow = type_of(gpu(1, "CUDA 1.0 (NVIDIA slow 00:07.0)", 0.75e6), fast);
    machine m{"node", {assumed_cpu(8), fast}};
    known.set_machine(m);
    const recipe& r = fresh();
    REQUIRE(us(r, {executor::cuda, slow}) == Approx(4 * us(r, executor::cuda))); // both are guesses
    for (int i = 0; i < 5; ++i) known.observe(r, executor::cuda, n, 10);
    const estimate guess = known.predict(r, {executor::cuda, slow}, n, 0.1, 8);
    REQUIRE_FALSE(guess.measured);
    REQUIRE(guess.at(n) == Approx(40));
    for (int i = 0; i < 5; ++i) known.observe(r, {executor::cuda, slow}, n, 30);
    REQUIRE(us(r, {executor::cuda, slow}) == Approx(30));
    REQUIRE(us(r, executor::cuda) == Approx(10)); // nothing of the one is the other's
    known.set_machine({});
}

TEST_CASE("models of another type have a name of their own, and calls count for all", "[device_type]")
{
    const device_type* slow = type_of(gpu(1, "CUDA 1.0 (NVIDIA slow 00:07.0)", 0.75e6), fast);
    const recipe& r = fresh();
    known.observe(r, {executor::cuda, slow}, n, 30);
    REQUIRE(known.runs().at(r.key ^ slow->key).name == "map (here) on NVIDIA slow");
    for (int i = 0; i < 3; ++i) known.count_call(r);
    REQUIRE(known.predict(r, {executor::cuda, slow}, n, 0.1, 8).stale == 3);
}
